/** Reports missing parts: operands, the content of brackets, a colon. */
import type { Expression, Span } from '../tree.ts'
import { queryAsValue } from './nodes.ts'
import { beginsOperand, readOperand } from './operand.ts'
import {
  deletion,
  hereOrBefore,
  insertion,
  missingAt,
  report,
  reportNoBrackets,
  shown,
  tokenName,
} from './problems.ts'
import { readQuery } from './query.ts'
import { advance, peek, previous, type Reader, type Token } from './reader.ts'

/** Reports a missing operand. */
export function missingOperand(reader: Reader): Expression {
  const { token } = reader
  if (isSecondOperator(reader)) {
    advance(reader)
    report(reader, token, `"${shown(reader, token)}" has no value before it`, {
      hint: 'Two operators stand in a row: remove one, or write a value between them.',
      repair: [deletion(token)],
    })
    return readOperand(reader)
  }
  if (isBareQuery(reader))
    return readBareQuery(reader, 'a query as a value stands in brackets', 'Write (SELECT …).')
  reportNothingBehind(reader, previous(reader))
  return missingAt(reader.end)
}

const beforeQuery = new Set(['=', '<', '>', '<=', '>=', '<>', '!=', 'in', 'exists'])

/** Returns whether a query without brackets follows: `x = SELECT …`. */
function isBareQuery(reader: Reader): boolean {
  return reader.token.word === 'select' && beforeQuery.has(previous(reader)?.word ?? '')
}

/** Reads a query whose brackets are missing, and reports that. */
export function readBareQuery(reader: Reader, message: string, hint: string): Expression {
  const word = reader.token
  const query = readQuery(reader, word.start)
  const span = { start: word.start, end: reader.end }
  reportNoBrackets(reader, word, span, message, hint)
  return queryAsValue(span, 'scalar', query)
}

const conjunctions = new Set(['and', 'or'])

function isSecondOperator(reader: Reader): boolean {
  const { token, grammar } = reader
  const isJoining = conjunctions.has(token.word) && conjunctions.has(previous(reader)?.word ?? '')
  if (token.kind !== 'symbol' && !isJoining) return false
  return grammar.operators.has(token.word) && beginsOperand(reader, 1)
}

function reportNothingBehind(reader: Reader, before: Token | undefined): void {
  const at = before ?? reader.token
  const text = before === undefined ? 'here' : `after ${tokenName(before, shown(reader, before))}`
  const what = conditionWords.has(at.word) ? 'a condition' : 'a value'
  report(reader, at, `${what} is missing ${text}`, {
    hint: `Write ${what} there, or remove ${before === undefined ? 'what stands around it' : tokenName(at, shown(reader, at))}.`,
    repair: [insertion(reader.end, ' NULL ')],
  })
}

const conditionWords = new Set(['where', 'having', 'qualify', 'on', 'and', 'or', 'when', 'not'])

export function emptyBrackets(reader: Reader, open: Token): Expression {
  const close = advance(reader)
  report(reader, { start: open.start, end: close.end }, 'nothing stands in the brackets', {
    hint: 'Write an expression between them, or remove them.',
    repair: [insertion(open.end, 'NULL')],
  })
  return missingAt(open.end)
}

export function reportMissingColon(reader: Reader): boolean {
  report(reader, hereOrBefore(reader), 'a colon is missing', {
    hint: 'An entry is written key: value.',
    repair: [insertion(reader.end, beginsOperand(reader) ? ': ' : ': NULL ')],
  })
  return beginsOperand(reader) && peek(reader, 0).kind !== 'end'
}

/** Reports brackets that must contain a query and do not. */
export function reportNoQuery(reader: Reader, span: Span): void {
  report(reader, span, 'a query is missing in the brackets', {
    hint: 'Write (SELECT …) there.',
    repair: [{ start: span.start, end: span.end, text: '(SELECT NULL)' }],
  })
}
