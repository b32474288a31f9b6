/** What part of the graph is on the screen: the graph point in the upper left corner and the zoom. Pure. */
import type { Box, Point } from './geometry.ts'
export interface Camera {
  readonly x: number
  readonly y: number
  readonly zoom: number
}
export interface Size {
  readonly width: number
  readonly height: number
}
export declare const minZoom = 0.02
export declare const maxZoom = 2
export declare function toGraph(camera: Camera, screen: Point): Point
export declare function toScreen(camera: Camera, point: Point): Point
/** By pixels on the screen: the graph follows the pointer. */
export declare function pannedBy(camera: Camera, dx: number, dy: number): Camera
/** What is under `at` stays under it. */
export declare function zoomedAt(camera: Camera, factor: number, at: Point): Camera
/** All of `box` in the middle, never larger than life. */
export declare function fitted(box: Box | undefined, screen: Size, margin?: number): Camera
export declare function centred(box: Box, screen: Size, zoom: number): Camera
/** The smallest pan that shows `box`; the same camera where it is in view already. */
export declare function revealing(camera: Camera, box: Box, screen: Size, margin?: number): Camera
/** `point` was here and is there now: the camera with which it stays on its place of the screen. */
export declare function anchored(camera: Camera, before: Point, after: Point): Camera
/** `part` from 0 to 1 of the way, slower at its ends. */
export declare function between(from: Camera, to: Camera, part: number): Camera
/** What the screen shows, in graph units. */
export declare function viewBox({ x, y, zoom }: Camera, { width, height }: Size): Box
