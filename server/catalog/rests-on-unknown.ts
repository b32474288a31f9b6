import { type Expression, forEachExpression } from '../language/lineage/sql-tree.ts'
import type { Trace } from '../language/lineage/walk.ts'
import type { TreeNode } from './tree-paths.ts'

/** A statement's tree with what is known of it. */
export interface Ground {
  readonly mended: { has(node: object): boolean }
  readonly resolution: { readonly trace: Trace | undefined }
}

/** Whether the type of an expression rests on an unknown column or on something mended, with no cast between. */
export function restsOnUnknown({ mended, resolution }: Ground, node: Expression | TreeNode): boolean {
  const values = resolution.trace?.values
  const visit = (expression: Expression): boolean => {
    if (expression.type === 'OPERATOR_CAST') return false
    if (expression.type === 'COLUMN_REF') return values?.get(expression)?.unknown === true
    if (mended.has(expression)) return true
    let rests = false
    forEachExpression(expression, child => {
      rests ||= visit(child)
    })
    return rests
  }
  return visit(node as Expression)
}
