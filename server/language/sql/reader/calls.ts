/** Reads function calls and the clauses after them. */
import type { Call, Expression, Name, OrderItem, Span } from '../tree.ts'
import { readArguments, readNullsRule } from './arguments.ts'
import { readExpression } from './expression.ts'
import { readClose } from './lists.ts'
import { typedLiteral } from './literals.ts'
import { readOrderBy } from './order.ts'
import { advance, is, peek, type Reader, take, takeBoth } from './reader.ts'
import { readOver } from './windows.ts'

export interface CallHead {
  readonly start: number
  readonly path: readonly Name[]
  readonly receiver: Expression | undefined
  readonly tag: Span | undefined
}

/** Reads a call from its opening bracket. A table function has no FILTER and no OVER. */
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

/** Reads a call from its opening bracket to the closing one. */
export function readPlainCall(reader: Reader, head: CallHead): Call {
  reader.depth++
  const call = readBrackets(reader, head)
  reader.depth--
  return call
}

function readBrackets(reader: Reader, head: CallHead): Call {
  const { start, path, receiver, tag } = head
  const open = advance(reader)
  const inside = readArguments(reader, path)
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
