/** Finds the places in a file that checks report. It falls back to the nearest existing place. */

import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { TestDefinition } from '../schema/definition.ts'
import type { Node, NodePath, ScalarNode } from '../syntax/node.ts'
import { testColumns, testKindOf, testWord } from '../tests/index.ts'
import { testTarget } from '../tests/target.ts'
import type { Range } from '../text/range.ts'

/** Returns the value of the scalar at `path` as text; undefined if there is none. */
export function textAt(asset: Asset, path: NodePath): string | undefined {
  const node = nodeAt(asset.tree, path)
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : undefined
}

/**
 * Returns the range where a test names `column`: an item, a key, the value of `column` or the whole value,
 * depending on the test's form.
 */
export function testColumnRange(asset: Asset, test: TestDefinition, column: string): Range {
  const path = ['tests', test.index, testWord(test)]
  const { columnKey, columnAt } = testKindOf(test)
  if (columnKey !== undefined) return locate(asset, [...path, columnKey])
  const node = nodeAt(asset.tree, path)
  if (node?.kind === 'map' && columnAt !== undefined)
    return locate(asset, [...path, ...columnAt(test, column)])
  if (node?.kind === 'map') return locate(asset, [...path, column], 'key')
  if (node?.kind === 'sequence') return namedItem(node.items, column)?.bodyRange ?? node.range
  return node?.kind === 'scalar' ? node.bodyRange : locate(asset, ['tests', test.index])
}

/** Returns the range where a test names its first column; of a test without columns its whole range. */
export function testRange(asset: Asset, test: TestDefinition): Range {
  const column = testColumns(test)[0]
  return column === undefined ? locate(asset, ['tests', test.index]) : testColumnRange(asset, test, column)
}

/** Returns the range where an index names `column`, in its short form or under `columns`. */
export function indexColumnRange(asset: Asset, index: number, column: string): Range {
  const path = ['deploy', 'indexes', index]
  const columns = nodeAt(asset.tree, path)?.kind === 'map' ? [...path, 'columns'] : path
  return itemRange(asset, columns, column)
}

/** Returns the range where a test names a column of another asset; undefined if it names none. */
export function targetColumnRange(asset: Asset, test: TestDefinition): Range | undefined {
  const target = testTarget(asset.tree, test)
  if (target === undefined) return undefined
  const { node, column } = target
  return rangeWithin(asset, node, String(node.value).length - column.length, column.length)
}

/** Returns the range of `name` in the list (or single value) at `path`. */
export function itemRange(asset: Asset, path: NodePath, name: string): Range {
  const node = nodeAt(asset.tree, path)
  return (node?.kind === 'sequence' && namedItem(node.items, name)?.bodyRange) || locate(asset, path)
}

function namedItem(items: readonly Node[], name: string): ScalarNode | undefined {
  for (const item of items) if (item.kind === 'scalar' && String(item.value) === name) return item
  return undefined
}

/**
 * Returns the range of a part of a scalar's text if the scalar is written plainly, and else the whole scalar.
 */
function rangeWithin(asset: Asset, node: ScalarNode, start: number, length: number): Range {
  const written = asset.text.slice(node.bodyRange.start, node.bodyRange.end)
  if (written !== String(node.value)) return node.bodyRange
  return { start: node.bodyRange.start + start, end: node.bodyRange.start + start + length }
}
