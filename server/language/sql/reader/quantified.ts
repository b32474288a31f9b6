/** Reads `x = ANY (…)` and `x > ALL (…)`. */
import type { Expression, Span } from '../tree.ts'
import { readSubqueryOrItems } from './brackets.ts'
import type { Side } from './expression.ts'
import { binaryNode } from './nodes.ts'
import { missingAt } from './problems.ts'
import { advance, peek, type Reader } from './reader.ts'

/** Reads ANY, SOME or ALL after an operator; returns undefined if none follows. */
export function quantified(reader: Reader, side: Side, operator: string, span: Span): Expression | undefined {
  const { word } = reader.token
  if (word !== 'any' && word !== 'some' && word !== 'all') return undefined
  if (peek(reader).word !== '(') return undefined
  const { end: wordEnd } = advance(reader)
  const { query, items } = readSubqueryOrItems(reader)
  const { left, start } = side
  const { end } = reader
  const form = word === 'all' ? 'all' : 'any'
  if (query !== undefined) return { kind: 'subquery', start, end, form, not: false, operand: left, query }
  const right = items[0] ?? missingAt(end)
  return binaryNode({ start, end }, `${operator} ${form}`, { start: span.start, end: wordEnd }, left, right)
}
