/** Conditions: behind WHERE, HAVING, QUALIFY and ON, and wherever an operator between two of them may be missing. */
import type { Expression, Span } from '../tree.ts'
import { isSlipOfClause } from './clause-words.ts'
import { readExpression } from './expression.ts'
import { beginsJoin } from './joins.ts'
import { beginsOperand } from './operand.ts'
import { insertion, report, shown } from './problems.ts'
import type { Reader } from './reader.ts'

/** Two conditions without anything between them are both meant; `before` is one that was read already. */
export function readCondition(reader: Reader, before: Expression | undefined): Expression {
  const { end } = reader
  const first = readExpression(reader)
  return readConditionsBehind(reader, before === undefined ? first : both(before, first, end))
}

export function readConditionsBehind(reader: Reader, first: Expression): Expression {
  let condition = first
  while (beginsOperand(reader) && !beginsJoin(reader) && !isSlipOfClause(reader)) {
    const { end } = reader
    reportNoOperator(reader, reader.token, end)
    condition = both(condition, readExpression(reader), end)
  }
  return condition
}

export function reportNoOperator(reader: Reader, at: Span, end: number): void {
  report(reader, at, `an operator is missing before "${shown(reader, at)}"`, {
    hint: 'Join two conditions with AND or OR.',
    repair: [insertion(end, ' AND ')],
  })
}

export function both(left: Expression, right: Expression, at: number): Expression {
  return {
    kind: 'binary',
    start: left.start,
    end: Math.max(left.end, right.end),
    operator: 'and',
    operatorSpan: { start: at, end: at },
    left,
    right,
    escape: undefined,
  }
}

const predicates = new Set(['=', '<', '>', '<=', '>=', '<>', '!=', '==', 'and', 'or', 'like', 'ilike'])

/** The expression is true or false, so that what stands behind it is no other item of a list. */
export function isPredicate(expression: Expression): boolean {
  const { kind } = expression
  if (kind === 'test' || kind === 'in' || kind === 'between') return true
  return kind === 'binary' && predicates.has(expression.operator)
}
