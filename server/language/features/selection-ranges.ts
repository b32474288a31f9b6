/** Selection ranges from the cursor outwards: name, expression, item, clause, query, value, entry, block. */
import type { Asset } from '../project/project.ts'
import { type SqlNode, walk } from '../sql/walk.ts'
import type { Node } from '../syntax/node.ts'
import { isWithin, type Range } from '../text/range.ts'
import { fileText } from './file-text.ts'
import type { Knowledge } from './knowledge.ts'
import { boundOf } from './sql/bound-sql.ts'
import { offsetInSql, type SqlBlock, sqlBlockAt } from './sql/sql-blocks.ts'
import { bracketsIn } from './sql/sql-brackets.ts'
import { blockTokens } from './sql/sql-tokens.ts'

/** Returns the ranges, narrowest first; each contains the one before it. */
export function selectionRanges(knowledge: Knowledge, path: string, offset: number): readonly Range[] {
  const asset = knowledge.project.assets.get(path)
  const file = fileText(knowledge, path)
  if (file === undefined) return []
  const block = asset && sqlBlockAt(asset, offset)
  const ranges = [
    ...(asset === undefined || block === undefined ? [] : sqlRanges(knowledge, asset, block, offset)),
    ...yamlRanges(file.tree, offset),
    { start: 0, end: file.text.length },
  ]
  return nested(ranges.filter(range => isWithin(range, offset)))
}

function nested(ranges: readonly Range[]): readonly Range[] {
  const sorted = [...ranges].sort((a, b) => a.end - a.start - (b.end - b.start))
  const widening: Range[] = []
  for (const range of sorted) {
    const last = widening.at(-1)
    const isWider =
      last === undefined ||
      (range.start <= last.start && range.end >= last.end && range.end - range.start > last.end - last.start)
    if (isWider && range.end > range.start) widening.push(range)
  }
  return widening
}

function yamlRanges(node: Node | undefined, offset: number): readonly Range[] {
  if (node === undefined || !isWithin(node.range, offset)) return []
  if (node.kind === 'scalar') return [node.bodyRange, node.range]
  if (node.kind === 'sequence') return [node.range, ...node.items.flatMap(item => yamlRanges(item, offset))]
  return [
    node.range,
    ...node.entries.flatMap(({ key, value }) => {
      const whole = { start: key.range.start, end: Math.max(key.range.end, value?.range.end ?? 0) }
      return isWithin(whole, offset) ? [whole, key.range, ...yamlRanges(value, offset)] : []
    }),
  ]
}

function sqlRanges(knowledge: Knowledge, asset: Asset, block: SqlBlock, offset: number): readonly Range[] {
  const at = offsetInSql(block, offset)
  const tokens = blockTokens(block, knowledge.project.engine.grammar)
  const { root } = boundOf(knowledge, asset, block)
  const ranges = [
    ...tokens.map(({ start, end }) => ({ start, end })),
    ...bracketsIn(block.text, tokens).flatMap(({ start, end, closed }) => [
      { start: start + 1, end: closed ? end - 1 : end },
      { start, end },
    ]),
    ...(root === undefined ? [] : nodeRanges(root, at)),
  ]
  return ranges
    .filter(range => isWithin(range, at))
    .map(range => block.toFile.rangeToOriginal(trimmed(block.text, range)))
}

const wholes: ReadonlySet<SqlNode['kind']> = new Set([
  'query',
  'cte',
  'select',
  'item',
  'tag-table',
  'named-table',
  'subquery-table',
  'function-table',
  'values-table',
  'pivot',
  'unpivot',
])

/** Returns the ranges of queries, clauses, items and tables around an offset; brackets give the others. */
function nodeRanges(root: SqlNode, at: number): readonly Range[] {
  const ranges: Range[] = []
  walk(root, {
    enter: node => {
      const { start, end } = node.kind === 'query' ? node.reach : node
      if (at < start || end < at) return false
      if (wholes.has(node.kind)) ranges.push({ start, end })
      if (node.kind === 'query') ranges.push({ start: node.start, end: node.end })
      if (node.kind === 'query' || node.kind === 'select')
        for (const clause of node.clauses) ranges.push({ start: clause.start, end: clause.end })
      return true
    },
  })
  return ranges
}

function trimmed(text: string, { start, end }: Range): Range {
  const part = text.slice(start, end)
  const from = start + part.length - part.trimStart().length
  return { start: from, end: Math.max(from, start + part.trimEnd().length) }
}
