/** A literal that the binder itself refuses: options of functions, which it looks at before any row. */
import type { Expression, TableNode } from '../../language/lineage/sql-tree.ts'
import type { BindError } from '../bind-error.ts'
import type { Treatment } from '../diagnose.ts'
import type { Finding } from '../findings.ts'
import { tokenRange } from '../node-ranges.ts'
import { sentence } from '../phrases.ts'
import { placedNodes } from '../tree-paths.ts'
import { datePartFinding, literalFinding } from './literal-finding.ts'

export function optionFinding(
  error: BindError,
  node: Expression & TableNode,
  treatment: Treatment,
): Finding | undefined {
  if (node.type !== 'VALUE_CONSTANT' || node.value?.is_null === true || error.kind !== 'conversion')
    return undefined
  const range = tokenRange(treatment, node)
  const part = /^extract specifier "(.*)" not recognized/.exec(error.message)?.[1]
  if (part !== undefined) return datePartFinding(part, range)
  if (isPattern(treatment, node))
    return literalFinding(node, { as: '', kind: 'regular expression' }, error, range)
  return { code: 'sql-bad-literal', message: sentence(error.message), range }
}

function isPattern(treatment: Treatment, literal: Expression): boolean {
  return placedNodes(treatment.tree).some(
    ({ node }) =>
      String(node['function_name']).startsWith('regexp_') &&
      Array.isArray(node['children']) &&
      node['children'][1] === literal,
  )
}
