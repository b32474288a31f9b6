import { type Expression, forEachExpression } from '../language/lineage/sql-tree.ts'
import type { Treatment } from './diagnose.ts'
import type { TreeNode } from './tree-paths.ts'

/** Whether the type of an expression rests on an unknown column or on something mended, with no cast between. */
export function restsOnUnknown(treatment: Treatment, node: Expression | TreeNode): boolean {
  const values = treatment.resolution.trace?.values
  const visit = (expression: Expression): boolean => {
    if (expression.type === 'OPERATOR_CAST') return false
    if (expression.type === 'COLUMN_REF') return values?.get(expression)?.unknown === true
    if (treatment.mended.has(expression)) return true
    let rests = false
    forEachExpression(expression, child => {
      rests ||= visit(child)
    })
    return rests
  }
  return visit(node as Expression)
}
