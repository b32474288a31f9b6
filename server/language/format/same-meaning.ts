/**
 * Whether two YAML texts say the same: the same keys in the same order with the same values, and code that is the same
 * but for its layout. What the formatter makes is used only if this says so.
 */
import { onlyEngine } from '../engines/only-engine.ts'
import { canonicalSql } from '../project/canonical-sql.ts'
import type { PythonTools } from '../python/python-tools.ts'
import type { Node, ScalarNode } from '../syntax/node.ts'
import { scanTemplate } from '../syntax/scan-template.ts'
import type { CodeBlock, CodeKind } from './code-blocks.ts'

export function sameMeaning(
  before: Node | undefined,
  after: Node | undefined,
  blocks: readonly CodeBlock[],
  python: PythonTools | undefined,
): boolean {
  const kinds = new Map<ScalarNode, CodeKind>(blocks.map(block => [block.node, block.kind]))
  return sameNode(before, after, kinds, python)
}

function sameNode(
  a: Node | undefined,
  b: Node | undefined,
  kinds: ReadonlyMap<ScalarNode, CodeKind>,
  python: PythonTools | undefined,
): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.kind === 'scalar') return b.kind === 'scalar' && sameScalar(a, b, kinds.get(a), python)
  if (a.kind === 'sequence') {
    return (
      b.kind === 'sequence' &&
      a.items.length === b.items.length &&
      a.items.every((item, index) => sameNode(item, b.items[index], kinds, python))
    )
  }
  return (
    b.kind === 'map' &&
    a.entries.length === b.entries.length &&
    a.entries.every((entry, index) => {
      const other = b.entries[index]
      return entry.key.value === other?.key.value && sameNode(entry.value, other?.value, kinds, python)
    })
  )
}

function sameScalar(
  a: ScalarNode,
  b: ScalarNode,
  kind: CodeKind | undefined,
  python: PythonTools | undefined,
): boolean {
  if (a.value === b.value) return true
  if (kind === undefined || typeof a.value !== 'string' || typeof b.value !== 'string') return false
  if (kind === 'python') return python !== undefined && python.format(a.value) === python.format(b.value)
  return canonicalOf(a.value) === canonicalOf(b.value)
}

function canonicalOf(sql: string): string {
  return canonicalSql(sql, onlyEngine, scanTemplate(sql).tags)
}
