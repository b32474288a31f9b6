/**
 * Compares the meaning of two YAML texts: the same keys in the same order with the same values, and code that
 * differs only in layout. The formatter's result is used only if this holds.
 */
import type { Engine } from '../engines/engine.ts'
import { canonicalSql } from '../project/canonical-sql.ts'
import type { PythonTools } from '../python/python-tools.ts'
import type { Node, ScalarNode } from '../syntax/node.ts'
import { scanTemplate } from '../syntax/scan-template.ts'
import type { CodeBlock, CodeKind } from './code-blocks.ts'

/** The tools for comparing code. */
export interface CodeReaders {
  readonly engine: Engine
  /** Absent: Python must be equal as a text. */
  readonly python?: PythonTools | undefined
}

export function sameMeaning(
  before: Node | undefined,
  after: Node | undefined,
  blocks: readonly CodeBlock[],
  readers: CodeReaders,
): boolean {
  const kinds = new Map<ScalarNode, CodeKind>(blocks.map(block => [block.node, block.kind]))
  return sameNode(before, after, kinds, readers)
}

function sameNode(
  a: Node | undefined,
  b: Node | undefined,
  kinds: ReadonlyMap<ScalarNode, CodeKind>,
  readers: CodeReaders,
): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.kind === 'scalar') return b.kind === 'scalar' && sameScalar(a, b, kinds.get(a), readers)
  if (a.kind === 'sequence') {
    return (
      b.kind === 'sequence' &&
      a.items.length === b.items.length &&
      a.items.every((item, index) => sameNode(item, b.items[index], kinds, readers))
    )
  }
  return (
    b.kind === 'map' &&
    a.entries.length === b.entries.length &&
    a.entries.every((entry, index) => {
      const other = b.entries[index]
      return entry.key.value === other?.key.value && sameNode(entry.value, other?.value, kinds, readers)
    })
  )
}

function sameScalar(
  a: ScalarNode,
  b: ScalarNode,
  kind: CodeKind | undefined,
  { engine, python }: CodeReaders,
): boolean {
  if (a.value === b.value) return true
  if (kind === undefined || typeof a.value !== 'string' || typeof b.value !== 'string') return false
  if (kind === 'python') return python !== undefined && python.format(a.value) === python.format(b.value)
  return canonicalOf(a.value, engine) === canonicalOf(b.value, engine)
}

function canonicalOf(sql: string, engine: Engine): string {
  return canonicalSql(sql, engine, scanTemplate(sql, engine).tags)
}
