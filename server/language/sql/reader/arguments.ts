/** Reads the arguments of a call. */
import type { Argument, Expression, Name, OrderItem } from '../tree.ts'
import { endsArgument, isNormalForm, passArgumentStart, passClauseWord } from './argument-clauses.ts'
import { readExpression } from './expression.ts'
import { isPlainLambda, lambdaOf } from './lambdas.ts'
import { reportExtraComma, reportMissingComma } from './lists.ts'
import { missingOperand, readBareQuery } from './missing.ts'
import { nameOf } from './names.ts'
import { beginsOperand } from './operand.ts'
import { readOrderBy } from './order.ts'
import { readLow } from './predicates.ts'
import { beginsQuery } from './query.ts'
import { advance, is, peek, type Reader, take } from './reader.ts'

export interface CallInside {
  readonly arguments: Argument[]
  distinct: boolean
  orderBy: readonly OrderItem[]
}

interface Rules {
  /** Words that separate arguments in place of commas. */
  readonly words: ReadonlySet<string>
  /** Whether an arrow is that of a lambda. */
  readonly lambda: boolean
  /** Whether a trailing comma is allowed. */
  readonly trailing: boolean
  /** Whether arguments have clauses of SQL/JSON or SQL/XML. */
  readonly isClaused?: boolean
}

const noWords: ReadonlySet<string> = new Set()
const extractWords: ReadonlySet<string> = new Set(['from'])

/** NORMALIZE (a, NFC) has no words between its arguments, and one that is no value. */
const formWords: ReadonlySet<string> = new Set(['normalize'])

const argumentWords: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['extract', extractWords],
  ['normalize', formWords],
  ['substring', new Set(['from', 'for'])],
  ['trim', new Set(['from'])],
  ['overlay', new Set(['placing', 'from', 'for'])],
  ['position', new Set(['in'])],
])

const trailing = new Set(['row', 'coalesce', 'grouping', 'grouping_id', 'trim'])

const trimSides = new Set(['both', 'leading', 'trailing'])

/** Reads the arguments after the opening bracket, without the closing one. */
export function readArguments(reader: Reader, path: readonly Name[]): CallInside {
  const inside: CallInside = { arguments: [], distinct: false, orderBy: [] }
  const name = path.at(-1)?.text.toLowerCase() ?? ''
  const rules: Rules = {
    words: (path.length === 1 ? argumentWords.get(name) : undefined) ?? noWords,
    lambda: reader.grammar.lambdaFunctions.has(name),
    trailing: trailing.has(name) && reader.grammar.features.trailingCommas,
  }
  if (name === 'trim') readTrimSide(reader)
  const isClaused = path.length === 1 && reader.grammar.clausedFunctions.has(name)
  if (isClaused) passArgumentStart(reader)
  if (take(reader, 'distinct')) inside.distinct = true
  else if (is(reader, 'all') && beginsOperand(reader, 1)) advance(reader)
  const isEmpty = is(reader, ')') || is(reader, 'order')
  if (!isEmpty) readList(reader, inside, isClaused ? { ...rules, isClaused } : rules)
  else if (inside.distinct) missingOperand(reader)
  if (is(reader, 'order')) inside.orderBy = readOrderBy(reader).items
  if (isClaused) readClauses(reader, inside, rules)
  readNullsRule(reader)
  return inside
}

/** Reads `BOTH FROM`, `LEADING` or `FROM` in TRIM. */
function readTrimSide(reader: Reader): void {
  if (trimSides.has(reader.token.word)) advance(reader)
  take(reader, 'from')
}

function readList(reader: Reader, inside: CallInside, rules: Rules): void {
  for (;;) {
    const { at } = reader
    inside.arguments.push(readArgument(reader, rules))
    if (rules.isClaused) readClauses(reader, inside, rules)
    if (rules.words.has(reader.token.word)) advance(reader)
    else if (is(reader, ',')) {
      const comma = advance(reader)
      if (is(reader, ')')) {
        if (!rules.trailing) reportExtraComma(reader, comma)
        return
      }
    } else if (reader.at > at && beginsOperand(reader) && !isNullsRule(reader)) reportMissingComma(reader)
    else return
  }
}

/** Reads what follows an argument of SQL/JSON or SQL/XML; the values in it are arguments too. */
function readClauses(reader: Reader, inside: CallInside, rules: Rules): void {
  while (!endsArgument(reader)) {
    if (passClauseWord(reader)) continue
    if (!beginsOperand(reader)) return
    inside.arguments.push(readArgument(reader, rules))
  }
}

function readArgument(reader: Reader, rules: Rules): Argument {
  const { token } = reader
  const next = peek(reader)
  const isUnit = rules.words === extractWords && next.word === 'from' && token.kind === 'word'
  if (isUnit || (rules.words === formWords && isNormalForm(token.word))) return unitArgument(reader)
  if (beginsQuery(reader)) return queryArgument(reader)
  take(reader, 'variadic')
  const isNamed =
    (next.word === ':=' || next.word === '=>') && (token.kind === 'word' || token.kind === 'quoted')
  const name = isNamed ? nameOf(reader, advance(reader)) : undefined
  if (isNamed) advance(reader)
  // IN of POSITION (a IN b) is no operator.
  const value = rules.words.has('in') ? readLow(reader) : readExpression(reader)
  return argumentOf(reader, Math.min(token.start, value.start), name, asLambda(value, rules))
}

function asLambda(value: Expression, rules: Rules): Expression {
  return rules.lambda || isPlainLambda(value) ? lambdaOf(value) : value
}

function argumentOf(reader: Reader, start: number, name: Name | undefined, value: Expression): Argument {
  return { start, end: reader.end, name, value }
}

/** Reads the date part in EXTRACT (year FROM …) and the form in NORMALIZE, which are texts for the engine. */
function unitArgument(reader: Reader): Argument {
  const { start, end } = advance(reader)
  const value: Expression = { kind: 'literal', start, end, type: 'string', typeName: undefined }
  return argumentOf(reader, start, undefined, value)
}

/** Reads `f(SELECT …)`. */
function queryArgument(reader: Reader): Argument {
  const { start } = reader.token
  const message = 'a query as an argument stands in brackets of its own'
  return argumentOf(reader, start, undefined, readBareQuery(reader, message, 'Write f((SELECT …)).'))
}

// ---------------------------------------------------------------- IGNORE NULLS

function isNullsRule(reader: Reader): boolean {
  const { word } = reader.token
  return (word === 'ignore' || word === 'respect') && peek(reader).word === 'nulls'
}

export function readNullsRule(reader: Reader): void {
  if (!isNullsRule(reader)) return
  advance(reader)
  advance(reader)
}
