/** Names that an extension has which is not loaded: the engine says so in a text alone, without the name and its kind. */
import { extensionOfFunction, extensionOfType } from '../language/extensions/extension-of.ts'
import type { BindError } from './bind-error.ts'
import type { Treatment } from './diagnose.ts'
import { placedNodes, type TreeNode } from './tree-paths.ts'

/** The error as it would be for a name that nobody has. */
export async function withMissingName(treatment: Treatment, error: BindError): Promise<BindError> {
  if (error.kind !== 'catalog' || error.missing !== undefined) return error
  const known = new Set((await treatment.names.functions()).all)
  for (const { node } of placedNodes(treatment.tree)) {
    if (treatment.mended.has(node) || treatment.mendedCalls.has(node)) continue
    const found = missingIn(node, known)
    if (found !== undefined) return { ...error, ...found }
  }
  return error
}

function missingIn(
  node: TreeNode,
  known: ReadonlySet<string>,
): Pick<BindError, 'missing' | 'name'> | undefined {
  const table = node['type'] === 'TABLE_FUNCTION' ? (node['function'] as TreeNode | undefined) : undefined
  const name = String((table ?? node)['function_name'] ?? '').toLowerCase()
  if (extensionOfFunction(name) !== undefined && !known.has(name))
    return { missing: table === undefined ? 'Scalar Function' : 'Table Function', name }
  const type = typeNames(node['cast_type']).find(each => extensionOfType(each) !== undefined)
  return type === undefined ? undefined : { missing: 'Type', name: type }
}

/** All texts of a type's tree: one of them is its name. */
function typeNames(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(typeNames)
}
