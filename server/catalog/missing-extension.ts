/**
 * Finds names that belong to an extension which is not loaded: the engine reports them only in a text,
 * without name and kind.
 */
import type { Engine } from '../language/index.ts'
import type { Call, Cast } from '../language/sql/tree.ts'
import type { BindError } from './bind-error.ts'
import type { Treatment } from './diagnose/treatment.ts'
import type { PlacedNode } from './diagnose/tree-nodes.ts'

/** Returns the error as for an unknown name, with the node that names it. */
export async function missingName(treatment: Treatment, error: BindError) {
  if (error.kind !== 'catalog' || error.missing !== undefined) return undefined
  const { engine, functions } = treatment.names
  const known = new Set<string>((await functions()).all)
  for (const culprit of treatment.nodes) {
    if (treatment.repaired.has(culprit.node)) continue
    const found = missingIn(culprit, engine, known)
    if (found !== undefined) return { error: { ...error, ...found }, culprit }
  }
  return undefined
}

function missingIn(
  { node, parent }: PlacedNode,
  { extensions }: Engine,
  known: ReadonlySet<string>,
): Pick<BindError, 'missing' | 'name'> | undefined {
  if (node.kind === 'call') {
    const name = ((node as Call).path.at(-1)?.text ?? '').toLowerCase()
    if (extensions?.ofFunction(name) === undefined || known.has(name)) return undefined
    return { missing: parent?.node.kind === 'function-table' ? 'Table Function' : 'Scalar Function', name }
  }
  if (node.kind !== 'cast') return undefined
  const type = (node as Cast).type.names.find(({ text }) => extensions?.ofType(text) !== undefined)
  return type === undefined ? undefined : { missing: 'Type', name: type.text }
}
