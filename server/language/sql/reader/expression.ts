/**
 * Reads expressions by operator precedence. Chains of operators are read in a loop, so they may be of any
 * length.
 */
import type { OperatorPower } from '../grammar.ts'
import type { Expression, Span } from '../tree.ts'
import { isNormalForm } from './argument-clauses.ts'
import { deepest, skipTooDeep } from './depth.ts'
import { readNameThere, readPath } from './names.ts'
import { binaryNode } from './nodes.ts'
import { beginsOperand, readOperand } from './operand.ts'
import { readLike } from './patterns.ts'
import { readBetween, readIn } from './predicates.ts'
import { insertion, report } from './problems.ts'
import { quantified } from './quantified.ts'
import {
  advance,
  isAtEnd,
  peek,
  type Reader,
  spanFrom,
  type Token,
  take,
  takeBoth,
  textOf,
} from './reader.ts'
import { correctOperatorWord } from './slips.ts'

export function readExpression(reader: Reader, power = 0): Expression {
  if (reader.depth >= deepest) return skipTooDeep(reader)
  reader.depth++
  const { start } = reader.token
  const operand = readOperand(reader)
  // A missing operand is placed after the previous token.
  const expression = readOperators(reader, operand, Math.min(start, operand.start), power)
  reader.depth--
  return expression
}

/**
 * Reads an expression without operators looser than `power`: the lower bound of BETWEEN must leave its AND
 * alone.
 */
export function readTight(reader: Reader): Expression {
  return readExpression(reader, tightPower)
}

const tightPower = 71

/** Reads operators. `start` is that of the first operand with the brackets around it. */
function readOperators(reader: Reader, first: Expression, start: number, power: number): Expression {
  let left = first
  /** The power of the last operator that does not chain; 0 for none. */
  let unchained = 0
  for (;;) {
    const operator = operatorAt(reader) ?? correctOperatorWord(reader)
    if (operator === undefined || operator.left < power) return left
    if (unchained === operator.left) reportChain(reader, start)
    unchained = operator.chains ? 0 : operator.left
    const next = readOperator(reader, { left, start, power: operator })
    if (next === undefined) return left
    left = next
  }
}

function operatorAt(reader: Reader): OperatorPower | undefined {
  const { token, grammar } = reader
  if (token.word === '') return undefined
  if (token.word === 'not') return isNotOperator(reader) ? grammar.operators.get('like') : undefined
  const known = grammar.operators.get(token.word)
  if (known !== undefined || token.kind !== 'symbol') return known
  return isOperatorSymbol(reader, token) ? grammar.otherOperator : undefined
}

/** Returns whether NOT LIKE or the like follows; another NOT starts an operand. */
function isNotOperator(reader: Reader): boolean {
  return notOperators.has(peek(reader).word)
}

const notOperators = new Set(['like', 'ilike', 'glob', 'similar', 'in', 'between', 'null'])

const noOperators = new Set(['(', ')', '[', ']', '{', '}', ',', ';', '.', ':', '::', ':=', '=>', '..', '$'])

function isOperatorSymbol(reader: Reader, token: Token): boolean {
  if (noOperators.has(token.word) || (token.word === '#' && reader.grammar.features.positions)) return false
  const code = token.word.charCodeAt(0)
  return (
    code < 128 && code > 32 && code !== 92 && !(code === 96 && reader.grammar.otherOperator === undefined)
  )
}

function reportChain(reader: Reader, start: number): void {
  const { token } = reader
  report(reader, token, `"${reader.text.slice(token.start, token.end)}" cannot follow another comparison`, {
    hint: 'Put the first comparison in brackets, or join the two with AND.',
    repair: [insertion(start, '('), insertion(reader.end, ')')],
  })
}

/** The left side of an operator, and the operator's power. */
export interface Side {
  readonly left: Expression
  readonly start: number
  readonly power: OperatorPower
}

/** Returns undefined if no operator comes next. */
function readOperator(reader: Reader, side: Side): Expression | undefined {
  const { token } = reader
  if (token.kind === 'symbol') return readSymbol(reader, side)
  switch (token.word) {
    case 'is':
      return readIs(reader, side)
    case 'isnull':
    case 'notnull':
      advance(reader)
      return testOf(reader, side, 'null', token.word === 'notnull')
    case 'at':
      return readAtTimeZone(reader, side)
    case 'collate':
      return readCollate(reader, side)
    case 'operator':
      return readNamedOperator(reader, side)
    case 'and':
    case 'or':
    case 'overlaps':
      advance(reader)
      return binary(reader, side, token.word, token)
    default:
      return readPredicate(reader, side)
  }
}

function readSymbol(reader: Reader, side: Side): Expression | undefined {
  const { token } = reader
  const isPostfix = !beginsOperand(reader, 1)
  if (isPostfix && token.word === '%') return undefined
  advance(reader)
  if (isPostfix && token.word === '!')
    return { kind: 'unary', start: side.start, end: token.end, operator: '!', operand: side.left }
  return quantified(reader, side, token.word, token) ?? binary(reader, side, token.word, token)
}

function binary(reader: Reader, { left, start, power }: Side, operator: string, span: Span): Expression {
  const right = readExpression(reader, power.right)
  return binaryNode({ start, end: reader.end }, operator, { start: span.start, end: span.end }, left, right)
}

function testOf(reader: Reader, { left, start }: Side, what: string, not: boolean): Expression {
  return { kind: 'test', start, end: reader.end, what, not, operand: left }
}

// ---------------------------------------------------------------- IS, AT TIME ZONE, COLLATE

const tests = new Set(['null', 'true', 'false', 'unknown', 'json', 'document', 'normalized'])
const jsonKinds = new Set(['value', 'array', 'object', 'scalar'])

function readIs(reader: Reader, side: Side): Expression {
  const { start } = advance(reader)
  const not = take(reader, 'not')
  const { word } = reader.token
  if (takeBoth(reader, 'distinct', 'from')) {
    const operator = not ? 'is not distinct from' : 'is distinct from'
    return binary(reader, side, operator, spanFrom(reader, start))
  }
  if (tests.has(word)) {
    advance(reader)
    if (word === 'json') passJsonKind(reader)
    return testOf(reader, side, word, not)
  }
  if (isNormalForm(word) && peek(reader).word === 'normalized') {
    advance(reader)
    advance(reader)
    return testOf(reader, side, 'normalized', not)
  }
  return binary(reader, side, not ? 'is not' : 'is', spanFrom(reader, start))
}

/** Passes `OBJECT WITH UNIQUE KEYS` behind IS JSON. */
function passJsonKind(reader: Reader): void {
  if (jsonKinds.has(reader.token.word)) advance(reader)
  if (peek(reader).word !== 'unique') return
  if (!take(reader, 'with') && !take(reader, 'without')) return
  advance(reader)
  take(reader, 'keys')
}

function readAtTimeZone(reader: Reader, side: Side): Expression | undefined {
  if (takeBoth(reader, 'at', 'local'))
    return { kind: 'unary', start: side.start, end: reader.end, operator: 'at local', operand: side.left }
  if (peek(reader).word !== 'time' || peek(reader, 2).word !== 'zone') return undefined
  const { start } = advance(reader)
  advance(reader)
  advance(reader)
  return binary(reader, side, 'at time zone', spanFrom(reader, start))
}

function readCollate(reader: Reader, { left, start }: Side): Expression {
  advance(reader)
  const collation = readPath(reader, readNameThere(reader))
  return { kind: 'collate', start, end: reader.end, operand: left, collation }
}

/** Reads `OPERATOR(schema.+)`. */
function readNamedOperator(reader: Reader, side: Side): Expression | undefined {
  if (peek(reader).word !== '(') return undefined
  const { start } = advance(reader)
  while (reader.token.word !== ')' && !isAtEnd(reader)) advance(reader)
  take(reader, ')')
  const span = spanFrom(reader, start)
  return binary(reader, side, textOf(reader, span).toLowerCase(), span)
}

// ---------------------------------------------------------------- LIKE, IN, BETWEEN

function readPredicate(reader: Reader, side: Side): Expression | undefined {
  const { start } = reader.token
  const not = take(reader, 'not')
  const { word } = advance(reader)
  if (word === 'null') return testOf(reader, side, 'null', true)
  if (word === 'in') return readIn(reader, side, not)
  if (word === 'between') return readBetween(reader, side, not)
  if (word === 'similar') take(reader, 'to')
  const plain = word === 'similar' ? 'similar to' : word
  const span = spanFrom(reader, start)
  return readLike(reader, side, not ? `not ${plain}` : plain, span)
}
