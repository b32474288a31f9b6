/**
 * Finds the SQL in an asset file: the transform, the queries and conditions of tests. Offsets map in both
 * directions.
 */
import { glossaryPath } from '../../glossary/glossary.ts'
import { isWholeQuery } from '../../glossary/metric-query.ts'
import { asWritten } from '../../macros/expand-asset.ts'
import { callsIn } from '../../macros/macro.ts'
import { oncePer } from '../../once.ts'
import { nodeAt } from '../../project/locate.ts'
import type { Asset } from '../../project/project.ts'
import { sqlKeysOfTests } from '../../schema/test-schema.ts'
import type { Node, NodePath, ScalarNode } from '../../syntax/node.ts'
import { scalarPositions } from '../../syntax/scalar-positions.ts'
import type { Tag } from '../../syntax/template.ts'
import { columnOf } from '../../text/lines.ts'
import type { PositionMap, Range } from '../../text/range.ts'

export interface SqlBlock {
  /**
   * `query`: may have tags and starts with SELECT or WITH; `expression`: a condition on rows of the asset.
   */
  readonly kind: 'query' | 'expression'
  readonly path: NodePath
  readonly text: string
  /** The text as it is read: without the braces of macro calls, so that arguments are values and a call is one of a function. */
  readonly code: string
  readonly toFile: PositionMap
  /** The range in the file. */
  readonly range: Range
  readonly node: ScalarNode
  /** The asset whose rows an expression is about, if that is not the asset of the file. */
  readonly over?: string
}

/** Returns the blocks in text order, including empty ones, in which a user is about to write. */
export const sqlBlocks = oncePer((asset: Asset): readonly SqlBlock[] => {
  const { tree } = asset
  if (tree?.kind !== 'map') return []
  if (asset.path === glossaryPath) return metricBlocks(asset, nodeAt(tree, ['metrics']))
  return tree.entries.flatMap(({ key, value }) => {
    if (key.value === 'transform') return sqlValue(asset, value, ['transform'], 'query')
    if (key.value !== 'tests' || value?.kind !== 'sequence') return []
    return value.items.flatMap((item, index) => testBlocks(asset, item, index))
  })
})

function metricBlocks(asset: Asset, metrics: Node | undefined): readonly SqlBlock[] {
  if (metrics?.kind !== 'sequence') return []
  return metrics.items.flatMap((metric, index) => {
    const sql = nodeAt(metric, ['sql_definition'])
    const path = ['metrics', index, 'sql_definition']
    return sqlValue(asset, sql, path, 'query').map((block): SqlBlock => {
      const over = onlyItem(nodeAt(metric, ['source_assets']))
      const isQuery = isWholeQuery(block.text) || (over === '' && block.text.trim() === '')
      return isQuery ? block : { ...block, kind: 'expression', over }
    })
  })
}

/** Returns '' for none and for several. */
function onlyItem(list: Node | undefined): string {
  const only = list?.kind === 'sequence' && list.items.length === 1 ? list.items[0] : list
  return only?.kind === 'scalar' && typeof only.value === 'string' ? only.value : ''
}

function testBlocks(asset: Asset, test: Node, index: number): readonly SqlBlock[] {
  if (test.kind !== 'map') return []
  return test.entries.flatMap(({ key, value }) => {
    const name = String(key.value)
    const path = ['tests', index, name]
    const holds = sqlKeysOfTests.get(name)
    if (holds === undefined) return []
    return sqlValue(asset, value, path, holds === 'query' ? 'query' : 'expression')
  })
}

function sqlValue(
  asset: Asset,
  value: Node | undefined,
  path: NodePath,
  kind: SqlBlock['kind'],
): readonly SqlBlock[] {
  if (value?.kind === 'map') {
    const inner = value.entries.find(entry => entry.key.value === 'sql')
    return inner === undefined ? [] : sqlValue(asset, inner.value, [...path, 'sql'], kind)
  }
  if (value?.kind !== 'scalar') return []
  const text = value.value === null ? '' : String(value.value)
  const toFile = scalarPositions(asset.text, value)
  const code = withoutBraces(text, tagsOf(asset, path, text))
  return [{ kind, path, text, code, toFile, range: value.bodyRange, node: value }]
}

function tagsOf(asset: Asset, [key, index]: NodePath, text: string): readonly Tag[] {
  const { sql, testSql } = asWritten(asset)
  const template = key === 'transform' ? sql : typeof index === 'number' ? testSql.get(index) : undefined
  return template?.text === text ? template.tags : []
}

/** Returns the text without the braces of the calls among the tags. */
export function withoutBraces(text: string, tags: readonly Tag[]): string {
  let code = text
  const blank = (start: number, end: number): void => {
    code = code.slice(0, start) + code.slice(start, end).replace(/[{}]/g, ' ') + code.slice(end)
  }
  for (const { range, nameRange } of callsIn(tags)) {
    blank(range.start, nameRange.start)
    blank(range.end - 2, range.end)
  }
  // A call whose arguments are being written is no valid tag, and its range is that of what is wrong in it.
  for (const { kind, range } of tags) {
    const start = text.lastIndexOf('{{', range.start)
    const close = text.indexOf('}}', range.end - 2)
    if (kind !== 'invalid' || start < 0 || close < 0 || !openCall.test(text.slice(start, close))) continue
    blank(start, start + 2)
    blank(close, close + 2)
  }
  return code
}

const openCall = /^\{\{\s*(?!(?:ref|var|source)\b)[A-Za-z_]\w*\s*\(/

/** Returns the block that contains an offset of the file. Indented blank lines after a block belong to it. */
export function sqlBlockAt(asset: Asset, offset: number): SqlBlock | undefined {
  return sqlBlocks(asset).find(block => {
    const { start, end } = block.range
    if (offset < start) return false
    return offset <= end || isBelow(asset.text, block, offset)
  })
}

/** Returns whether the offset is in blank lines below a block, or in spaces after plain text. */
function isBelow(text: string, { node, range }: SqlBlock, offset: number): boolean {
  const between = text.slice(range.end, offset)
  if (node.style === 'plain') return /^[ \t]*$/.test(between)
  if (node.style !== 'literal' && node.style !== 'folded') return false
  if (/\S/.test(between)) return false
  const column = columnOf(text, offset)
  return column >= Math.max(1, indentOf(text, range))
}

function indentOf(text: string, range: Range): number {
  return /^ *(?=\S)/.exec(text.slice(range.start, range.end))?.[0].length ?? 0
}

/** Maps an offset in the file to an offset in the block's SQL. */
export function offsetInSql(block: SqlBlock, offset: number): number {
  let low = 0
  let high = block.text.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (block.toFile.toOriginal(middle) <= offset) low = middle
    else high = middle - 1
  }
  // The indentation that YAML removes belongs to its own line and not to the end of the previous one.
  const isBehindBreak = block.text[low] === '\n' && offset > block.toFile.toOriginal(low)
  return isBehindBreak ? low + 1 : low
}

/**
 * Makes a block from a scalar that exists only in the outline. Its ranges may be one too large if the outline
 * was read with a probe word at `offset`.
 */
export function blockOfScalar(
  text: string,
  scalar: { readonly style: 'plain' | 'single' | 'double' | 'block'; readonly body: Range },
  path: NodePath,
  kind: SqlBlock['kind'],
  offset: number,
): SqlBlock {
  const end = Math.max(offset, Math.min(scalar.body.end, text.length))
  const body = { start: scalar.body.start, end }
  const written = text.slice(body.start, body.end)
  const indent = scalar.style === 'block' ? (/^ *(?=\S)/m.exec(written)?.[0].length ?? 0) : 0
  const value = indent === 0 ? written : written.replace(new RegExp(`^ {0,${indent}}`, 'gm'), '')
  const style = scalar.style === 'block' ? 'literal' : scalar.style
  const node: ScalarNode = { kind: 'scalar', range: body, bodyRange: body, style, value }
  return { kind, path, text: value, code: value, toFile: scalarPositions(text, node), range: body, node }
}
