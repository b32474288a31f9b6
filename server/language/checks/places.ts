/** Where in the file the things that checks talk about stand. Falls back to the nearest place that exists. */

import type { Asset } from '../project/project.ts'
import type { TestDefinition } from '../schema/definition.ts'
import type { MapEntry, Node, NodePath, ScalarNode } from '../syntax/node.ts'
import type { Range } from '../text/range.ts'

/** The node at `path`, or undefined where the file has none. */
export function nodeAt(root: Node | undefined, path: NodePath): Node | undefined {
  let node = root
  for (const step of path) node = node === undefined ? undefined : childOf(node, step)
  return node
}

function childOf(node: Node, step: string | number): Node | undefined {
  if (node.kind === 'map') return node.entries.find(entry => String(entry.key.value) === String(step))?.value
  return node.kind === 'sequence' && typeof step === 'number' ? node.items[step] : undefined
}

/** The text of the scalar at `path` as it is meant; undefined where there is none. */
export function textAt(asset: Asset, path: NodePath): string | undefined {
  const node = nodeAt(asset.tree, path)
  return node?.kind === 'scalar' && node.value !== null ? String(node.value) : undefined
}

/** Where a test names `column`: an item, a key or the whole value, whichever form the test has. */
export function testColumnRange(asset: Asset, test: TestDefinition, column: string): Range {
  const path = ['tests', test.index, test.kind]
  const node = nodeAt(asset.tree, path)
  if (node?.kind === 'map') return locate(asset, [...path, column], 'key')
  if (node?.kind === 'sequence') return namedItem(node.items, column)?.bodyRange ?? node.range
  return node?.kind === 'scalar' ? node.bodyRange : locate(asset, ['tests', test.index])
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

/** The place of the value (or key) at `path`; of its nearest ancestor where it is missing. */
export function locate(asset: Asset, path: NodePath, part: 'key' | 'value' = 'value'): Range {
  for (let length = path.length; length > 0; length--) {
    const steps = path.slice(0, length)
    const entry = entryAt(asset.tree, steps)
    if (entry !== undefined && (part === 'key' || entry.value === undefined)) return entry.key.bodyRange
    const node = nodeAt(asset.tree, steps)
    if (node !== undefined) return node.kind === 'scalar' ? node.bodyRange : node.range
  }
  const end = asset.text.search(/[\r\n]/)
  return { start: 0, end: end < 0 ? asset.text.length : end }
}

function entryAt(root: Node | undefined, path: NodePath): MapEntry | undefined {
  const parent = nodeAt(root, path.slice(0, -1))
  const key = String(path.at(-1))
  return parent?.kind === 'map' ? parent.entries.find(entry => String(entry.key.value) === key) : undefined
}
