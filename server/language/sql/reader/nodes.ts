/** Makes nodes that are read in several places. */
import type { Binary, Expression, Query, Span, Subquery } from '../tree.ts'

export function binaryNode(
  { start, end }: Span,
  operator: string,
  operatorSpan: Span,
  left: Expression,
  right: Expression,
  escaped?: Expression,
): Binary {
  return { kind: 'binary', start, end, operator, operatorSpan, left, right, escape: escaped }
}

export function queryAsValue({ start, end }: Span, form: Subquery['form'], query: Query): Subquery {
  return { kind: 'subquery', start, end, form, not: false, operand: undefined, query }
}
