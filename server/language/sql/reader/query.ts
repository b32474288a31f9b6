/** Reads queries: WITH, a body, and the clauses of the whole. */
import { cannotBe, wordSet } from '../grammar.ts'
import type { Body, Cte, Expression, NestedBody, OrderItem, Query, Span } from '../tree.ts'
import { correctClause, passJunk } from './clause-slips.ts'
import {
  closeClause,
  endClauses,
  type OpenClause,
  openClause,
  readFetch,
  readLimit,
  readLock,
  readOffset,
} from './clauses.ts'
import { readCtes } from './ctes.ts'
import { deepest, skipTooDeep } from './depth.ts'
import { readOrderBy } from './order.ts'
import { advance, peek, type Reader, take } from './reader.ts'
import { readLateClause, type SelectBuilding } from './select.ts'
import { readBody, readSetOperations } from './set-operations.ts'
import { correctStart } from './statement.ts'

const queryWords = wordSet(
  'select with from values table pivot pivot_wider unpivot pivot_longer describe desc summarize show',
)

/** Returns whether a query comes next, ignoring brackets around it. */
export function beginsQuery(reader: Reader, by = 0): boolean {
  const { word, bits } = peek(reader, by)
  if (!queryWords.has(word)) return false
  // Where such a word can be a name it begins no query, but for VALUES.
  if (word !== 'values') return (bits & cannotBe.name) !== 0
  return peek(reader, by + 1).word === '('
}

const onward = new Set(['union', 'except', 'intersect', 'order', 'limit', 'offset', 'fetch'])

/** Returns whether the brackets were one side of a set operation, or a query that is ordered or limited. */
export function goesOnAsQuery(reader: Reader): boolean {
  return onward.has(reader.token.word)
}

interface Tail {
  readonly orderBy: OrderItem[]
  orderByAll: Span | undefined
  limit: Expression | undefined
  offset: Expression | undefined
}

/** Reads a query. `reachStart` is where the place for it starts, after a bracket or a semicolon. */
export function readQuery(reader: Reader, reachStart: number): Query {
  return nested(reader, () => {
    const { start } = reader.token
    if (!beginsQuery(reader) && reader.token.word !== '(') correctStart(reader)
    const withWord = reader.token.word === 'with' ? advance(reader) : undefined
    const recursive = withWord !== undefined && take(reader, 'recursive')
    const ctes = withWord === undefined ? [] : readCtes(reader)
    const body = readBody(reader)
    return finish(reader, start, reachStart, body, ctes, recursive)
  })
}

/** Continues a query whose first part, in brackets, has been read. */
export function continueQuery(reader: Reader, reachStart: number, first: NestedBody): Query {
  return nested(reader, () => {
    const body = readSetOperations(reader, first, 0)
    return finish(reader, first.start, reachStart, body, [], false)
  })
}

/** Queries need more of the stack than expressions. */
const queryDepth = 2

function nested(reader: Reader, read: () => Query): Query {
  if (reader.depth >= deepest) {
    const { start } = skipTooDeep(reader)
    return emptyQuery(start, start)
  }
  reader.depth += queryDepth
  const { isTop } = reader
  reader.isTop = reader.depth === queryDepth
  const query = read()
  reader.isTop = isTop
  reader.depth -= queryDepth
  return query
}

/**
 * Reads the clauses after the body, which belong to the whole query; those after a plain SELECT are also
 * added to its clauses.
 */
function finish(
  reader: Reader,
  start: number,
  reachStart: number,
  body: Body | SelectBuilding,
  ctes: readonly Cte[],
  recursive: boolean,
): Query {
  const select = body.kind === 'select' ? (body as SelectBuilding) : undefined
  const clauses: OpenClause[] = select?.clauses ?? []
  const tail: Tail = { orderBy: [], orderByAll: undefined, limit: undefined, offset: undefined }
  readTail(reader, select, clauses, tail)
  endClauses(clauses, reader.token.start)
  if (select !== undefined) select.end = Math.max(select.end, reader.end)
  return {
    kind: 'query',
    start: Math.min(start, body.start),
    end: Math.max(body.end, reader.end),
    reach: { start: reachStart, end: Math.max(reachStart, reader.token.start) },
    ctes,
    recursive,
    body,
    orderBy: tail.orderBy,
    orderByAll: tail.orderByAll,
    limit: tail.limit,
    offset: tail.offset,
    clauses: select === undefined ? clauses : [],
  }
}

function readTail(
  reader: Reader,
  select: SelectBuilding | undefined,
  clauses: OpenClause[],
  tail: Tail,
): void {
  for (;;) {
    switch (reader.token.word) {
      case 'order':
        readQueryOrder(reader, clauses, tail)
        break
      case 'limit':
        readLimit(reader, clauses, tail)
        break
      case 'offset':
        readOffset(reader, clauses, tail)
        break
      case 'fetch':
        readFetch(reader, clauses, tail)
        break
      default:
        if (readLock(reader, clauses)) break
        if (select === undefined || !readLate(reader, select)) return
    }
  }
}

/** Reads misspelt and misplaced clauses after a SELECT, and junk at the end of a statement. */
function readLate(reader: Reader, select: SelectBuilding): boolean {
  return correctClause(reader, select) || readLateClause(reader, select) || passJunk(reader)
}

function readQueryOrder(reader: Reader, clauses: OpenClause[], tail: Tail): void {
  const { start } = reader.token
  const clause = openClause(reader, clauses, 'order', start)
  const { items, all, bodyStart } = readOrderBy(reader)
  clause.bodyStart = bodyStart
  for (const item of items) tail.orderBy.push(item)
  tail.orderByAll = all ?? tail.orderByAll
  closeClause(reader, clause)
}

export function emptyQuery(reachStart: number, at: number): Query {
  const body: Body = { kind: 'no-body', start: at, end: at }
  return {
    kind: 'query',
    start: at,
    end: at,
    reach: { start: Math.min(reachStart, at), end: at },
    ctes: [],
    recursive: false,
    body,
    orderBy: [],
    orderByAll: undefined,
    limit: undefined,
    offset: undefined,
    clauses: [],
  }
}
