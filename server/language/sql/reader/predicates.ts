/** IN and BETWEEN. */

import type { Expression } from '../tree.ts'
import { reportBetweenComma } from './between-slips.ts'
import { readSubqueryOrItems } from './brackets.ts'
import { readExpression, readTight, type Side } from './expression.ts'
import { readOperand } from './operand.ts'
import { missingAt } from './problems.ts'
import { advance, type Reader, take } from './reader.ts'

/** Behind IN. */
export function readIn(reader: Reader, { left, start }: Side, not: boolean): Expression {
  if (reader.token.word === '(') {
    const { query, items } = readSubqueryOrItems(reader)
    const { end } = reader
    if (query !== undefined) return { kind: 'subquery', start, end, form: 'in', not, operand: left, query }
    return { kind: 'in', start, end, not, operand: left, items, bare: false }
  }
  const item = readOperand(reader)
  return { kind: 'in', start, end: reader.end, not, operand: left, items: [item], bare: true }
}

/** Behind BETWEEN. */
export function readBetween(reader: Reader, { left, start, power }: Side, not: boolean): Expression {
  if (!take(reader, 'symmetric')) take(reader, 'asymmetric')
  const low = readLow(reader)
  const hasHigh = take(reader, 'and') || reportBetweenComma(reader)
  const high = hasHigh ? readExpression(reader, power.right) : missingAt(reader.end)
  return { kind: 'between', start, end: reader.end, not, operand: left, low, high }
}

const comparisons = new Set(['<', '>', '=', '<=', '>=', '<>', '!=', '=='])

/** The low end may compare, but has no AND, IN or LIKE. */
export function readLow(reader: Reader): Expression {
  const { start } = reader.token
  const left = readTight(reader)
  const { token } = reader
  if (!comparisons.has(token.word)) return left
  advance(reader)
  const right = readTight(reader)
  const operatorSpan = { start: token.start, end: token.end }
  const { end } = reader
  return { kind: 'binary', start, end, operator: token.word, operatorSpan, left, right, escape: undefined }
}
