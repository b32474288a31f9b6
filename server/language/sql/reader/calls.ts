/** Calls of functions and what may stand behind them. */
import type { Argument, Call, Expression, Name, OrderItem, Span } from '../tree.ts'
import { readExpression } from './expression.ts'
import { isPlainLambda, lambdaOf } from './lambdas.ts'
import { readClose, reportExtraComma, reportMissingComma } from './lists.ts'
import { typedLiteral } from './literals.ts'
import { nameOf } from './names.ts'
import { beginsOperand } from './operand.ts'
import { readOrderBy } from './order.ts'
import { readLow } from './predicates.ts'
import { advance, is, peek, type Reader, take, takeBoth } from './reader.ts'
import { readOver } from './windows.ts'

export interface CallHead {
  readonly start: number
  readonly path: readonly Name[]
  readonly receiver: Expression | undefined
  readonly tag: Span | undefined
}

interface CallInside {
  readonly arguments: Argument[]
  distinct: boolean
  orderBy: readonly OrderItem[]
}

/** The opening bracket comes next. A table function has no FILTER and no OVER. */
export function readCall(reader: Reader, head: CallHead): Expression {
  const call = readPlainCall(reader, head)
  const { token } = reader
  const name = head.path.at(-1)
  if (
    token.kind === 'string' &&
    name !== undefined &&
    head.receiver === undefined &&
    token.start > reader.end
  )
    return typedLiteral(reader, head.start, name)
  if (token.kind !== 'word' || token.word === '') return call
  return readBehindCall(reader, call)
}

/** The opening bracket comes next; nothing behind the closing one is read. */
export function readPlainCall(reader: Reader, head: CallHead): Call {
  reader.depth++
  const call = readBrackets(reader, head)
  reader.depth--
  return call
}

function readBrackets(reader: Reader, head: CallHead): Call {
  const { start, path, receiver, tag } = head
  const open = advance(reader)
  const name = path.length === 1 ? (path[0]?.text.toLowerCase() ?? '') : ''
  const inside: CallInside = { arguments: [], distinct: false, orderBy: [] }
  const isLambda = reader.grammar.lambdaFunctions.has(path.at(-1)?.text.toLowerCase() ?? '')
  readInside(reader, inside, argumentWords.get(name), isLambda)
  const end = readClose(reader, ')')
  return {
    kind: 'call',
    start,
    end,
    path,
    receiver,
    tag,
    arguments: inside.arguments,
    brackets: { start: open.start, end },
    distinct: inside.distinct,
    orderBy: inside.orderBy,
    filter: undefined,
    over: undefined,
  }
}

const extractWords: ReadonlySet<string> = new Set(['from'])

/** Words that stand between arguments where others have commas. */
const argumentWords: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['extract', extractWords],
  ['substring', new Set(['from', 'for'])],
  ['trim', new Set(['from'])],
  ['overlay', new Set(['placing', 'from', 'for'])],
  ['position', new Set(['in'])],
])

const trimSides = new Set(['both', 'leading', 'trailing'])

function readInside(
  reader: Reader,
  inside: CallInside,
  words: ReadonlySet<string> | undefined,
  isLambda: boolean,
): void {
  if (words !== undefined && trimSides.has(reader.token.word)) advance(reader)
  if (words?.has(reader.token.word) && reader.token.word === 'from') advance(reader)
  if (take(reader, 'distinct')) inside.distinct = true
  else if (reader.token.word === 'all' && beginsOperand(reader, 1)) advance(reader)
  if (reader.token.word !== ')' && reader.token.word !== 'order')
    readArguments(reader, inside, words, isLambda)
  if (reader.token.word === 'order') inside.orderBy = readOrderBy(reader).items
  readNullsRule(reader)
}

function readArguments(
  reader: Reader,
  inside: CallInside,
  words: ReadonlySet<string> | undefined,
  isLambda: boolean,
): void {
  for (;;) {
    inside.arguments.push(readArgument(reader, words, isLambda))
    if (words?.has(reader.token.word)) advance(reader)
    else if (reader.token.word === ',') {
      const comma = advance(reader)
      if (is(reader, ')')) {
        reportExtraComma(reader, comma)
        return
      }
    } else if (beginsOperand(reader) && !isNullsRule(reader)) reportMissingComma(reader)
    else return
  }
}

function readArgument(reader: Reader, words: ReadonlySet<string> | undefined, isLambda: boolean): Argument {
  const { token } = reader
  const next = peek(reader)
  if (words === extractWords && next.word === 'from' && token.kind === 'word') return unitArgument(reader)
  take(reader, 'variadic')
  const isNamed =
    (next.word === ':=' || next.word === '=>') && (token.kind === 'word' || token.kind === 'quoted')
  const name = isNamed ? nameOf(reader, advance(reader)) : undefined
  if (isNamed) advance(reader)
  // POSITION (a IN b)
  const value = words?.has('in') ? readLow(reader) : readExpression(reader)
  const isArrow = isLambda || isPlainLambda(value)
  return { start: token.start, end: reader.end, name, value: isArrow ? lambdaOf(value) : value }
}

/** The part of a date in EXTRACT (year FROM …) is a text for the engine. */
function unitArgument(reader: Reader): Argument {
  const { start, end } = advance(reader)
  return {
    start,
    end,
    name: undefined,
    value: { kind: 'literal', start, end, type: 'string', typeName: undefined },
  }
}

function isNullsRule(reader: Reader): boolean {
  const { word } = reader.token
  return (word === 'ignore' || word === 'respect') && peek(reader).word === 'nulls'
}

function readNullsRule(reader: Reader): void {
  if (!isNullsRule(reader)) return
  advance(reader)
  advance(reader)
}

// ---------------------------------------------------------------- behind the brackets

function readBehindCall(reader: Reader, call: Call): Call {
  const orderBy = readWithinGroup(reader) ?? call.orderBy
  const filter = readFilter(reader)
  take(reader, 'export_state')
  readNullsRule(reader)
  const over = reader.token.word === 'over' ? readOver(reader) : undefined
  return { ...call, end: reader.end, orderBy, filter, over }
}

function readWithinGroup(reader: Reader): readonly OrderItem[] | undefined {
  if (reader.token.word !== 'within' || !takeBoth(reader, 'within', 'group')) return undefined
  if (!take(reader, '(')) return []
  const items = is(reader, 'order') ? readOrderBy(reader).items : []
  readClose(reader, ')')
  return items
}

function readFilter(reader: Reader): Expression | undefined {
  if (reader.token.word !== 'filter' || peek(reader).word !== '(') return undefined
  advance(reader)
  advance(reader)
  take(reader, 'where')
  const filter = readExpression(reader)
  readClose(reader, ')')
  return filter
}
