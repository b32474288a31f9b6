/**
 * Reads conditions after WHERE, HAVING, QUALIFY and ON, also where the operator between two of them is
 * missing.
 */
import type { Expression, Span } from '../tree.ts'
import { isSlipOfClause } from './clause-words.ts'
import { readExpression } from './expression.ts'
import { beginsJoin } from './joins.ts'
import { binaryNode } from './nodes.ts'
import { beginsOperand } from './operand.ts'
import { deletion, insertion, report, shown } from './problems.ts'
import { advance, type Reader } from './reader.ts'

/**
 * Reads a condition. Two without an operator between them are both read; `before` is one that was read
 * already.
 */
export function readCondition(
  reader: Reader,
  before: Expression | undefined,
  ends = isClauseEnd,
): Expression {
  const { end } = reader
  const first = readExpression(reader)
  return readConditionsBehind(reader, before === undefined ? first : both(before, first, end), ends)
}

function isClauseEnd(reader: Reader): boolean {
  return beginsJoin(reader) || isSlipOfClause(reader)
}

export function readConditionsBehind(reader: Reader, first: Expression, ends = isClauseEnd): Expression {
  let condition = first
  while (beginsOperand(reader) && !ends(reader)) {
    const { end } = reader
    if (passLoneNot(reader)) continue
    reportNoOperator(reader, reader.token, end)
    condition = both(condition, readExpression(reader), end)
  }
  return condition
}

/** Skips a NOT after a value that belongs to no NOT IN or the like. */
function passLoneNot(reader: Reader): boolean {
  if (reader.token.word !== 'not' || beginsOperand(reader, 1)) return false
  const not = advance(reader)
  report(reader, not, 'an operator is missing after NOT', {
    hint: 'Write NOT IN, NOT LIKE or NOT BETWEEN.',
    repair: [deletion(not)],
  })
  return true
}

export function reportNoOperator(reader: Reader, at: Span, end: number): void {
  report(reader, at, `an operator is missing before "${shown(reader, at)}"`, {
    hint: 'Join two conditions with AND or OR.',
    repair: [insertion(end, ' AND ')],
  })
}

export function both(left: Expression, right: Expression, at: number): Expression {
  const span = { start: left.start, end: Math.max(left.end, right.end) }
  return binaryNode(span, 'and', { start: at, end: at }, left, right)
}

const predicates = new Set(['=', '<', '>', '<=', '>=', '<>', '!=', '==', 'and', 'or', 'like', 'ilike'])

/** Returns whether the expression is a boolean, so that no further list item can follow it. */
export function isPredicate(expression: Expression): boolean {
  const { kind } = expression
  if (kind === 'test' || kind === 'in' || kind === 'between') return true
  return kind === 'binary' && predicates.has(expression.operator)
}
