/** Sizes and shapes in graph units (CSS pixels at zoom 1). */
export declare const cardWidth = 176
export declare const cardHeight = 52
export declare const rowGap = 24
export declare const columnGap = 72
/** Of one column of an asset on an open card. */
export declare const columnHeight = 20
export interface Point {
  readonly x: number
  readonly y: number
}
export interface Box extends Point {
  readonly width: number
  readonly height: number
}
/** Round all boxes; undefined where there are none. */
export declare function boundsOf(boxes: Iterable<Box>): Box | undefined
export declare function overlaps(a: Box, b: Box): boolean
/** How far the handles of the curve between two points stick out: more for an edge that runs back. */
export declare function reachOf(fromX: number, toX: number): number
