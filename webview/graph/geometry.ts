/** Sizes and shapes in graph units (CSS pixels at zoom 1). */

export const cardWidth = 168
export const cardHeight = 52
export const rowGap = 24
export const columnGap = 60
/** The height of one column on an open card. */
export const columnHeight = 20

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box extends Point {
  readonly width: number
  readonly height: number
}

/** Returns the bounding box; undefined if there are no boxes. */
export function boundsOf(boxes: Iterable<Box>): Box | undefined {
  let [left, top] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let [right, bottom] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  if (left > right) return undefined
  return { x: left, y: top, width: right - left, height: bottom - top }
}

export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Returns the distance of the curve's handles from its ends; larger for an edge that runs backwards. */
export function reachOf(fromX: number, toX: number): number {
  return toX >= fromX ? Math.max(24, (toX - fromX) / 2) : Math.min(220, 60 + (fromX - toX) / 2)
}

/** Interpolates; `part` is from 0 to 1. */
export function mixedPoint(from: Point, to: Point, part: number): Point {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}
