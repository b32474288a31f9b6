/**
 * Finds the node behind an error that names no place: an expression is put out of the way and the rest bound again; where
 * the error goes with it, the search goes on inside.
 */
import type { BindError } from './bind-error.ts'
import type { Treatment } from './diagnose.ts'
import { nullConstant } from './mend.ts'
import { isTreeNode, type PlacedNode, replaceAt, type TreePath } from './tree-paths.ts'

const maxTrials = 80

export async function blame(treatment: Treatment, error: BindError): Promise<PlacedNode | undefined> {
  let trials = 0
  const goesWith = async (placed: PlacedNode): Promise<boolean> => {
    trials++
    return trials <= maxTrials && !(await remains(treatment, error, placed))
  }
  let found: PlacedNode | undefined
  let candidates = expressionsBelow(treatment.tree, [])
  while (candidates.length > 0) {
    const next = await firstThat(candidates, goesWith)
    if (!next) break
    found = next
    candidates = expressionsBelow(next.node, next.path)
  }
  return found
}

async function firstThat(
  candidates: readonly PlacedNode[],
  holds: (placed: PlacedNode) => Promise<boolean>,
): Promise<PlacedNode | undefined> {
  for (const candidate of candidates) if (await holds(candidate)) return candidate
  return undefined
}

/** Whether the same error comes although the node is out of the way. */
async function remains(treatment: Treatment, error: BindError, { path, node }: PlacedNode): Promise<boolean> {
  replaceAt(treatment.tree, path, nullConstant(node))
  const text = await treatment.binder.textOf(treatment.tree)
  replaceAt(treatment.tree, path, node)
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
