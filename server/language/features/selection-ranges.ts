/** What is selected step by step from the cursor outwards: name, expression, item, clause, query, value, entry, block. */
import { glossaryPath } from '../glossary/glossary.ts'
import { settingsPath } from '../project/parse-settings.ts'
import type { Node } from '../syntax/node.ts'
import { sqlTokens } from '../syntax/sql-tokens.ts'
import type { Range } from '../text/range.ts'
import type { Knowledge } from './knowledge.ts'
import type { Core, Query } from './sql/query-tree.ts'
import { readStatements } from './sql/read-query.ts'
import { offsetInSql, type SqlBlock, sqlBlockAt } from './sql/sql-blocks.ts'
import { type Piece, tokenTree } from './sql/token-tree.ts'

/** Narrowest first; each holds the one before it. */
export function selectionRanges(knowledge: Knowledge, path: string, offset: number): readonly Range[] {
  const { settings, glossary, assets } = knowledge.project
  const asset = assets.get(path)
  const file = path === settingsPath ? settings.file : path === glossaryPath ? glossary.file : asset
  if (file === undefined) return []
  const block = asset && sqlBlockAt(asset, offset)
  const ranges = [
    ...(block === undefined ? [] : sqlRanges(block, offset)),
    ...yamlRanges(file.tree, offset),
    { start: 0, end: file.text.length },
  ]
  return nested(ranges.filter(range => range.start <= offset && offset <= range.end))
}

function nested(ranges: readonly Range[]): readonly Range[] {
  const sorted = [...ranges].sort((a, b) => a.end - a.start - (b.end - b.start))
  const found: Range[] = []
  for (const range of sorted) {
    const last = found.at(-1)
    const isWider =
      last === undefined ||
      (range.start <= last.start && range.end >= last.end && range.end - range.start > last.end - last.start)
    if (isWider && range.end > range.start) found.push(range)
  }
  return found
}

function yamlRanges(node: Node | undefined, offset: number): readonly Range[] {
  if (node === undefined || offset < node.range.start || offset > node.range.end) return []
  if (node.kind === 'scalar') return [node.bodyRange, node.range]
  if (node.kind === 'sequence') return [node.range, ...node.items.flatMap(item => yamlRanges(item, offset))]
  return [
    node.range,
    ...node.entries.flatMap(({ key, value }) => {
      const whole = { start: key.range.start, end: Math.max(key.range.end, value?.range.end ?? 0) }
      if (offset < whole.start || offset > whole.end) return []
      return [whole, key.range, ...yamlRanges(value, offset)]
    }),
  ]
}

function sqlRanges(block: SqlBlock, offset: number): readonly Range[] {
  const at = offsetInSql(block, offset)
  const text = block.kind === 'query' ? readStatements(block.text) : []
  const tokens = sqlTokens(block.text)
  const ranges = [
    ...tokens.map(({ start, end }) => ({ start, end })),
    ...bracketRanges(tokenTree(block.text, tokens)),
    ...text.flatMap(query => queryRanges(query)),
  ]
  return ranges
    .filter(range => range.start <= at && at <= range.end)
    .map(range => block.toFile.rangeToOriginal(trimmed(block.text, range)))
}

function bracketRanges(pieces: readonly Piece[]): readonly Range[] {
  return pieces.flatMap(piece =>
    piece.kind === 'group'
      ? [piece.inner, { start: piece.start, end: piece.end }, ...bracketRanges(piece.pieces)]
      : [],
  )
}

function queryRanges(query: Query): readonly Range[] {
  return [
    query.range,
    ...query.ctes.flatMap(cte => [cte.range, ...(cte.query === undefined ? [] : queryRanges(cte.query))]),
    ...query.cores.flatMap(coreRanges),
    ...query.tail.map(clause => clause.range),
  ]
}

function coreRanges(core: Core): readonly Range[] {
  return [
    core.range,
    ...core.items.map(item => item.range),
    ...core.tables.map(table => table.range),
    ...core.clauses.flatMap(clause => [clause.range, ...clause.queries.flatMap(queryRanges)]),
  ]
}

function trimmed(text: string, { start, end }: Range): Range {
  const part = text.slice(start, end)
  const from = start + part.length - part.trimStart().length
  return { start: from, end: Math.max(from, start + part.trimEnd().length) }
}
