/** Finds the SQL, conditions and Python in a `.svc` file: the texts that have formatters of their own. */
import { sqlKeysOfTests } from '../schema/test-schema.ts'
import type { MapNode, Node, NodePath, ScalarNode } from '../syntax/node.ts'
import { columnOf } from '../text/lines.ts'

export type CodeKind = 'sql' | 'expression' | 'python'

export interface CodeBlock {
  readonly kind: CodeKind
  readonly path: NodePath
  readonly node: ScalarNode
  /** The 0-based column of the block's key; its lines are indented by two more. */
  readonly keyColumn: number
  /** The scalar is in a flow collection, which cannot hold a block scalar. */
  readonly isInFlow: boolean
}

export function codeBlocks(text: string, root: Node | undefined): CodeBlock[] {
  if (root?.kind !== 'map') return []
  const blocks: CodeBlock[] = []
  const look = (map: MapNode, key: string, path: NodePath, kind: CodeKind) => {
    const entry = map.entries.find(each => each.key.value === key)
    if (entry?.value?.kind !== 'scalar' || typeof entry.value.value !== 'string') return
    const { start } = entry.value.range
    if (text[start] === '*') return
    blocks.push({
      kind,
      path: [...path, key],
      node: entry.value,
      keyColumn: columnOf(text, entry.key.range.start),
      isInFlow: text[map.range.start] === '{',
    })
  }
  look(root, 'transform', [], 'sql')
  const transform = valueAt(root, 'transform')
  if (transform?.kind === 'map') {
    look(transform, 'sql', ['transform'], 'sql')
    look(transform, 'python', ['transform'], 'python')
  }
  const tests = valueAt(root, 'tests')
  if (tests?.kind === 'sequence') {
    for (const [index, test] of tests.items.entries()) {
      if (test.kind !== 'map') continue
      for (const [key, holds] of sqlKeysOfTests)
        look(test, key, ['tests', index], holds === 'query' ? 'sql' : 'expression')
    }
  }
  blocks.push(...hookBlocks(text, valueAt(root, 'deploy')))
  return blocks.sort((a, b) => a.node.range.start - b.node.range.start)
}

/** The statements around a build: a list below a key, or one alone. */
function hookBlocks(text: string, deploy: Node | undefined): CodeBlock[] {
  if (deploy?.kind !== 'map') return []
  return ['before', 'after'].flatMap(key => {
    const entry = deploy.entries.find(each => each.key.value === key)
    const list = entry?.value
    const isList = list?.kind === 'sequence'
    const items = isList ? list.items : list === undefined ? [] : [list]
    return items.flatMap((node, index): CodeBlock[] => {
      if (node.kind !== 'scalar' || typeof node.value !== 'string' || text[node.range.start] === '*')
        return []
      const path = isList ? ['deploy', key, index] : ['deploy', key]
      const isInFlow = text[deploy.range.start] === '{' || (isList && text[list.range.start] === '[')
      // The dash of an item stands where a key would.
      const start = isList ? node.range.start - 2 : (entry?.key.range.start ?? node.range.start)
      return [{ kind: 'sql', path, node, keyColumn: columnOf(text, start), isInFlow }]
    })
  })
}

function valueAt(map: MapNode, key: string): Node | undefined {
  return map.entries.find(entry => entry.key.value === key)?.value
}
