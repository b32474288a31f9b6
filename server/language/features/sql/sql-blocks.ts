/** Where an asset file holds SQL: the transform, the queries and conditions of tests. Offsets go both ways. */
import type { Asset } from '../../project/project.ts'
import { sqlKeysOfTests } from '../../schema/test-schema.ts'
import type { Node, NodePath, ScalarNode } from '../../syntax/node.ts'
import { scalarPositions } from '../../syntax/scalar-positions.ts'
import type { PositionMap, Range } from '../../text/range.ts'
import { lineStart } from '../line-start.ts'

export interface SqlBlock {
  /** `query`: may hold tags and begins with SELECT or WITH; `expression`: a condition on rows of the asset. */
  readonly kind: 'query' | 'expression'
  readonly path: NodePath
  readonly text: string
  readonly toFile: PositionMap
  /** In the file. */
  readonly range: Range
  readonly node: ScalarNode
}

const known = new WeakMap<Asset, readonly SqlBlock[]>()

/** In text order. Blocks whose text is empty are among them: somebody is about to write there. */
export function sqlBlocks(asset: Asset): readonly SqlBlock[] {
  const blocks = known.get(asset) ?? findBlocks(asset)
  known.set(asset, blocks)
  return blocks
}

function findBlocks(asset: Asset): readonly SqlBlock[] {
  const { tree } = asset
  if (tree?.kind !== 'map') return []
  return tree.entries.flatMap(({ key, value }) => {
    if (key.value === 'transform') return sqlValue(asset, value, ['transform'], 'query')
    if (key.value !== 'tests' || value?.kind !== 'sequence') return []
    return value.items.flatMap((item, index) => testBlocks(asset, item, index))
  })
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
  return [{ kind, path, text, toFile, range: value.bodyRange, node: value }]
}

/** The block that an offset of the file is in; blank lines behind a block belong to it where they are indented. */
export function sqlBlockAt(asset: Asset, offset: number): SqlBlock | undefined {
  return sqlBlocks(asset).find(block => {
    const { start, end } = block.range
    if (offset < start) return false
    return offset <= end || isBelow(asset.text, block, offset)
  })
}

/** Blank lines below a block, blanks behind plain text. */
function isBelow(text: string, { node, range }: SqlBlock, offset: number): boolean {
  const between = text.slice(range.end, offset)
  if (node.style === 'plain') return /^[ \t]*$/.test(between)
  if (node.style !== 'literal' && node.style !== 'folded') return false
  if (/\S/.test(between)) return false
  const column = offset - lineStart(text, offset)
  return column >= Math.max(1, indentOf(text, range))
}

function indentOf(text: string, range: Range): number {
  return /^ *(?=\S)/.exec(text.slice(range.start, range.end))?.[0].length ?? 0
}

/** The offset in the block's SQL of an offset in the file. */
export function offsetInSql(block: SqlBlock, offset: number): number {
  let low = 0
  let high = block.text.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (block.toFile.toOriginal(middle) <= offset) low = middle
    else high = middle - 1
  }
  // The indentation of a line, which YAML takes away, belongs to that line and not to the end of the one before.
  const isBehindBreak = block.text[low] === '\n' && offset > block.toFile.toOriginal(low)
  return isBehindBreak ? low + 1 : low
}

/**
 * A block made of a scalar that only the outline knows. Its ranges may lie one behind what is in the text where the
 * outline was read with a word at `offset`.
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
  return { kind, path, text: value, toFile: scalarPositions(text, node), range: body, node }
}
