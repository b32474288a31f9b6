/** Finds the places in a file where its SQL mentions names. */
import type { Asset } from '../../project/project.ts'
import type { Mention } from '../../sql/binder/model.ts'
import { isWithin, type Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { type BoundBlock, boundBlocks } from '../sql/bound-sql.ts'
import { offsetInSql } from '../sql/sql-blocks.ts'

export function isTransform({ block }: BoundBlock): boolean {
  return block.path[0] === 'transform'
}

export function transformOf(knowledge: Knowledge, asset: Asset): BoundBlock | undefined {
  return boundBlocks(knowledge, asset).find(isTransform)
}

/** Returns the range in the file. */
export function fileRange({ block }: BoundBlock, { start, end }: Range): Range {
  return block.toFile.rangeToOriginal({ start, end })
}

export function textIn({ block }: BoundBlock, { start, end }: Range): string {
  return block.text.slice(start, end)
}

/** Returns the first mention that touches an offset of the file. `range`: the range in the file. */
export function mentionAt(knowledge: Knowledge, asset: Asset, offset: number) {
  for (const named of boundBlocks(knowledge, asset)) {
    if (!isWithin(named.block.range, offset)) continue
    const { mentions } = named.bound
    const last = mentions[firstFrom(mentions, offsetInSql(named.block, offset) + 1) - 1]
    const mention = last && mentions[firstFrom(mentions, last.span.start)]
    if (mention === undefined) continue
    const range = fileRange(named, mention.span)
    if (isWithin(range, offset)) return { named, mention, range }
  }
  return undefined
}

/** Returns the mentions in a part of the text by binary search; they are in text order. */
export function mentionsIn(mentions: readonly Mention[], { start, end }: Range): readonly Mention[] {
  const first = firstFrom(mentions, start)
  const inside: Mention[] = []
  for (let index = first; index < mentions.length; index++) {
    const mention = mentions[index]
    if (mention === undefined || mention.span.start > end) break
    if (mention.span.end <= end) inside.push(mention)
  }
  return inside
}

/** Returns the index of the first mention at or after an offset. */
function firstFrom(mentions: readonly Mention[], offset: number): number {
  let low = 0
  let high = mentions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((mentions[middle]?.span.start ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}
