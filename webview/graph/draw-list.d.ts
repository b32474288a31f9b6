/**
 * One frame as data: what is in view, in graph units, with as much detail as the zoom leaves room for. Tests compare it;
 * `paint.ts` puts it on the canvas. Pure.
 */
import { type Camera, type Size } from './camera.ts'
import { type Box } from './geometry.ts'
import type { ColourRole } from './lens.ts'
import type { Card, Scene } from './scene.ts'
/** `blocks`: coloured boxes; `cards`: outlines and names; `full`: everything. */
export type Detail = 'blocks' | 'cards' | 'full'
export interface Curves {
  readonly style: 'plain' | 'dim' | 'lit' | 'column'
  /** x and y of the start and of the end of each. */
  readonly ends: readonly number[]
}
export interface Blocks {
  readonly role: ColourRole
  readonly dim: boolean
  /** x, y, width, height of each. */
  readonly boxes: readonly number[]
}
export interface DrawnCard {
  readonly card: Card
  readonly dim: boolean
  readonly selected: boolean
  readonly hovered: boolean
}
export interface DrawList {
  readonly camera: Camera
  readonly detail: Detail
  /** Far away a curve is a line. */
  readonly straight: boolean
  readonly curves: readonly Curves[]
  readonly blocks: readonly Blocks[]
  readonly cards: readonly DrawnCard[]
}
export declare function detailOf(zoom: number): Detail
export declare function makeDrawList(scene: Scene, camera: Camera, screen: Size): DrawList
export declare function rowMiddle(card: Box, row: number): number
