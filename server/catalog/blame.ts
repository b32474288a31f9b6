/**
 * Finds the node behind an error that names no place: an expression is put out of the way and the rest bound again; where
 * the error goes with it, the search goes on inside.
 */
import type { BindError } from './bind-error.ts'
import type { Treatment } from './diagnose.ts'
import { nullConstant } from './mend.ts'
import { triesFor } from './patience.ts'
import { isTreeNode, type PlacedNode, placedNodes, replaceAt, type TreePath } from './tree-paths.ts'

/** For one error in a statement of ordinary size. */
const maxTrials = 80

export async function blame(treatment: Treatment, error: BindError): Promise<PlacedNode | undefined> {
  const removed: PlacedNode[] = []
  const most = triesFor(treatment.treeSize, maxTrials)
  let trials = 0
  let found: PlacedNode | undefined
  let candidates = [...literalsNamed(treatment, error), ...expressionsBelow(treatment.tree, [])]
  for (let next = candidates.shift(); next && trials < most; next = candidates.shift()) {
    trials++
    replaceAt(treatment.tree, next.path, nullConstant(next.node, next.path))
    if (await remains(treatment, error)) {
      removed.push(next)
      continue
    }
    replaceAt(treatment.tree, next.path, next.node)
    found = next
    candidates = expressionsBelow(next.node, next.path)
  }
  for (const { path, node } of removed.reverse()) replaceAt(treatment.tree, path, node)
  return found
}

/** A conversion that fails names the literal: what that is to be converted for is not to blame. */
function literalsNamed({ tree }: Treatment, { kind, message }: BindError): PlacedNode[] {
  if (kind !== 'conversion') return []
  return placedNodes(tree).filter(({ node }) => {
    const { value } = node['type'] === 'VALUE_CONSTANT' ? (node['value'] as { value?: unknown }) : {}
    return typeof value === 'string' && value !== '' && message.includes(value)
  })
}

/** Whether the same error still comes. What was found guiltless stays away: the same fault may be there twice. */
async function remains(treatment: Treatment, error: BindError): Promise<boolean> {
  const text = await treatment.binder.textOf(treatment.tree)
  if (text === undefined) return true
  const result = await treatment.binder.bind(text)
  return 'error' in result && (result.error.message === error.message || result.error.kind === 'syntax')
}

/** The call in FROM cannot be a constant; its arguments can. */
function isTableFunction(value: object): boolean {
  return 'type' in value && value.type === 'TABLE_FUNCTION'
}

/** The nearest expressions below a node, without those inside them. */
function expressionsBelow(root: unknown, at: TreePath): PlacedNode[] {
  const found: PlacedNode[] = []
  const visit = (value: unknown, path: TreePath): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, child] of Object.entries(value)) {
      const childPath = [...path, Array.isArray(value) ? Number(key) : key]
      if (isTreeNode(child) && 'class' in child && !isTableFunction(value))
        found.push({ path: childPath, node: child })
      else if (key !== 'cast_type') visit(child, childPath)
    }
  }
  visit(root, at)
  return found
}
