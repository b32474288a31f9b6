/** Reads IN and BETWEEN. */

import type { Expression } from '../tree.ts'
import { reportBetweenComma } from './between-slips.ts'
import { readSubqueryOrItems } from './brackets.ts'
import { readExpression, readTight, type Side } from './expression.ts'
import { binaryNode } from './nodes.ts'
import { readOperand } from './operand.ts'
import { missingAt, reportNoBrackets } from './problems.ts'
import { advance, peek, type Reader, take } from './reader.ts'

/** Reads the right side of IN. */
export function readIn(reader: Reader, { left, start }: Side, not: boolean): Expression {
  if (reader.token.word === '(') {
    const { query, items } = readSubqueryOrItems(reader)
    const { end } = reader
    if (query !== undefined) return { kind: 'subquery', start, end, form: 'in', not, operand: left, query }
    return { kind: 'in', start, end, not, operand: left, items, bare: false }
  }
  if (isBareValue(reader)) return readBareValues(reader, left, start, not)
  const item = readOperand(reader)
  return { kind: 'in', start, end: reader.end, not, operand: left, items: [item], bare: true }
}

function isBareValue(reader: Reader, by = 0): boolean {
  const token = peek(reader, by)
  return token.kind === 'string' || token.kind === 'number'
}

/** Reads `IN 1, 2`, whose values need brackets. */
function readBareValues(reader: Reader, operand: Expression, start: number, not: boolean): Expression {
  const first = reader.token
  const items = [readOperand(reader)]
  while (reader.token.word === ',' && isBareValue(reader, 1)) {
    advance(reader)
    items.push(readOperand(reader))
  }
  const { end } = reader
  const values = { start: first.start, end }
  reportNoBrackets(reader, values, values, 'the values of IN stand in brackets', 'Write IN (…).', 'them')
  return { kind: 'in', start, end, not, operand, items, bare: false }
}

/** Reads the bounds after BETWEEN. */
export function readBetween(reader: Reader, { left, start, power }: Side, not: boolean): Expression {
  if (!take(reader, 'symmetric')) take(reader, 'asymmetric')
  const low = readLow(reader)
  const hasHigh = take(reader, 'and') || reportBetweenComma(reader)
  const high = hasHigh ? readExpression(reader, power.right) : missingAt(reader.end)
  return { kind: 'between', start, end: reader.end, not, operand: left, low, high }
}

const comparisons = new Set(['<', '>', '=', '<=', '>=', '<>', '!=', '=='])

/** Reads the lower bound, which may compare, but has no AND, IN or LIKE. */
export function readLow(reader: Reader): Expression {
  const { start } = reader.token
  const left = readTight(reader)
  const { token } = reader
  if (!comparisons.has(token.word)) return left
  advance(reader)
  const right = readTight(reader)
  const operatorSpan = { start: token.start, end: token.end }
  return binaryNode({ start, end: reader.end }, token.word, operatorSpan, left, right)
}
