/** Where in the file the things that checks talk about stand. Falls back to the nearest place that exists. */

import { locate, nodeAt } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { TestDefinition } from '../schema/definition.ts'
import type { Node, NodePath, ScalarNode } from '../syntax/node.ts'
import { testKindOf } from '../tests/index.ts'
import { testTarget } from '../tests/target.ts'
import type { Range } from '../text/range.ts'

/** The text of the scalar at `path` as it is meant; undefined where there is none. */
export function textAt(asset: Asset, path: NodePath): string | undefined {
  const node = nodeAt(asset.tree, path)
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : undefined
}

/** Where a test names `column`: an item, a key, the value of `column` or the whole value, whichever form the test has. */
export function testColumnRange(asset: Asset, test: TestDefinition, column: string): Range {
  const path = ['tests', test.index, test.kind]
  const { columnKey } = testKindOf(test)
  if (columnKey !== undefined) return locate(asset, [...path, columnKey])
  const node = nodeAt(asset.tree, path)
  if (node?.kind === 'map') return locate(asset, [...path, column], 'key')
  if (node?.kind === 'sequence') return namedItem(node.items, column)?.bodyRange ?? node.range
  return node?.kind === 'scalar' ? node.bodyRange : locate(asset, ['tests', test.index])
}

/** Where a test names the column of another asset; undefined: it names none. */
export function targetColumnRange(asset: Asset, test: TestDefinition): Range | undefined {
  const target = testTarget(asset.tree, test)
  if (target === undefined) return undefined
  const { node, column } = target
  return rangeWithin(asset, node, String(node.value).length - column.length, column.length)
}

/** Where `name` stands in the list (or as the only value) at `path`. */
export function itemRange(asset: Asset, path: NodePath, name: string): Range {
  const node = nodeAt(asset.tree, path)
  return (node?.kind === 'sequence' && namedItem(node.items, name)?.bodyRange) || locate(asset, path)
}

function namedItem(items: readonly Node[], name: string): ScalarNode | undefined {
  for (const item of items) if (item.kind === 'scalar' && String(item.value) === name) return item
  return undefined
}

/** The part of a scalar's text that `part` covers, where the text is written plainly; else the whole scalar. */
export function rangeWithin(asset: Asset, node: ScalarNode, start: number, length: number): Range {
  const written = asset.text.slice(node.bodyRange.start, node.bodyRange.end)
  if (written !== String(node.value)) return node.bodyRange
  return { start: node.bodyRange.start + start, end: node.bodyRange.start + start + length }
}
