/**
 * Places the cards of one column near their wanted positions, in order and without overlaps, with the least
 * sum of squared distances (pool adjacent violators). O(length).
 */
import { rowGap } from '../geometry.ts'

interface Block {
  /** The wanted position of the block's first card, averaged over its cards. */
  wish: number
  count: number
}

/** Sets `middles` of the nodes of `column`. */
export function spread(
  column: readonly number[],
  heights: readonly number[],
  middles: Float64Array,
  wishOf: (node: number) => number,
): void {
  const offsets: number[] = []
  let offset = 0
  column.forEach((node, at) => {
    const before = column[at - 1]
    if (before !== undefined) offset += ((heights[before] ?? 0) + (heights[node] ?? 0)) / 2 + rowGap
    offsets.push(offset)
  })
  const blocks: Block[] = []
  column.forEach((node, at) => {
    blocks.push({ wish: wishOf(node) - (offsets[at] ?? 0), count: 1 })
    mergeLast(blocks)
  })
  let at = 0
  for (const { wish, count } of blocks) {
    for (const end = at + count; at < end; at++) middles[column[at] ?? 0] = wish + (offsets[at] ?? 0)
  }
}

function mergeLast(blocks: Block[]): void {
  for (;;) {
    const [before, last] = [blocks.at(-2), blocks.at(-1)]
    if (before === undefined || last === undefined || before.wish <= last.wish) return
    const count = before.count + last.count
    before.wish = (before.wish * before.count + last.wish * last.count) / count
    before.count = count
    blocks.pop()
  }
}
