/** Conditions: behind WHERE, HAVING, QUALIFY and ON. */
import type { Binary, Expression } from '../tree.ts'
import { isSlipOfClause } from './clause-words.ts'
import { readExpression } from './expression.ts'
import { beginsJoin } from './joins.ts'
import { beginsOperand } from './operand.ts'
import { insertion, report, shown } from './problems.ts'
import type { Reader } from './reader.ts'

/** Two conditions without anything between them are both meant; `before` is one that was read already. */
export function readCondition(reader: Reader, before: Expression | undefined): Expression {
  let condition = both(before, readExpression(reader), reader.end)
  while (beginsOperand(reader) && !beginsJoin(reader) && !isSlipOfClause(reader)) {
    const { token } = reader
    const { end } = reader
    report(reader, token, `an operator is missing before "${shown(reader, token)}"`, {
      hint: 'Join two conditions with AND or OR.',
      repair: [insertion(end, ' AND ')],
    })
    condition = both(condition, readExpression(reader), end)
  }
  return condition
}

function both(left: Expression | undefined, right: Expression, at: number): Expression {
  if (left === undefined) return right
  const operatorSpan = { start: at, end: at }
  const { start } = left
  const end = Math.max(left.end, right.end)
  const binary: Binary = {
    kind: 'binary',
    start,
    end,
    operator: 'and',
    operatorSpan,
    left,
    right,
    escape: undefined,
  }
  return binary
}
