/** Records where clauses are, and reads the small ones: LIMIT, OFFSET, FETCH, samples, FOR UPDATE. */
import type { Clause, ClauseKind, Expression } from '../tree.ts'
import { readExpression } from './expression.ts'
import { readClose } from './lists.ts'
import { readName } from './names.ts'
import { beginsOperand, readOperand } from './operand.ts'
import { reportLimitComma } from './query-slips.ts'
import { advance, isAtEnd, peek, type Reader, take, takeBoth } from './reader.ts'

export type OpenClause = { -readonly [K in keyof Clause]: Clause[K] }

/** Opens a clause whose keywords have been read; the previous one ends here. */
export function openClause(
  reader: Reader,
  clauses: OpenClause[],
  kind: ClauseKind,
  start: number,
): OpenClause {
  endClauses(clauses, start)
  const clause = { kind, start, end: reader.end, bodyStart: reader.end, reach: reader.end }
  clauses.push(clause)
  return clause
}

export function closeClause(reader: Reader, clause: OpenClause): void {
  clause.end = reader.end
  clause.reach = reader.token.start
}

/** Closes the clauses at the start of something else. */
export function endClauses(clauses: OpenClause[], at: number): void {
  const last = clauses.at(-1)
  if (last !== undefined) last.reach = Math.max(last.end, at)
}

// ---------------------------------------------------------------- LIMIT, OFFSET, FETCH

export interface Limits {
  limit: Expression | undefined
  offset: Expression | undefined
}

/** Reads from the word LIMIT. */
export function readLimit(reader: Reader, clauses: OpenClause[], limits: Limits): void {
  const { start } = advance(reader)
  const clause = openClause(reader, clauses, 'limit', start)
  if (!take(reader, 'all')) limits.limit = readExpression(reader)
  if (!take(reader, '%')) take(reader, 'percent')
  if (reader.token.word === ',') {
    const first = limits.limit
    reportLimitComma(reader, start, first)
    limits.limit = readExpression(reader)
    limits.offset = first
  }
  closeClause(reader, clause)
}

/** Reads from the word OFFSET. */
export function readOffset(reader: Reader, clauses: OpenClause[], limits: Limits): void {
  const { start } = advance(reader)
  const clause = openClause(reader, clauses, 'offset', start)
  limits.offset = readExpression(reader)
  if (!take(reader, 'rows')) take(reader, 'row')
  closeClause(reader, clause)
}

/** Reads `FETCH FIRST 3 ROWS ONLY`. */
export function readFetch(reader: Reader, clauses: OpenClause[], limits: Limits): void {
  const { start } = advance(reader)
  if (!take(reader, 'first')) take(reader, 'next')
  const clause = openClause(reader, clauses, 'limit', start)
  const isCount = reader.token.word !== 'row' && reader.token.word !== 'rows'
  if (isCount) limits.limit = readOperand(reader)
  if (!take(reader, 'rows')) take(reader, 'row')
  if (!take(reader, 'only')) takeBoth(reader, 'with', 'ties')
  closeClause(reader, clause)
}

const locks = new Set(['update', 'share', 'no', 'key', 'read'])

/** Reads `FOR UPDATE OF t SKIP LOCKED`, which does not affect the columns. Returns false if there is none. */
export function readLock(reader: Reader, clauses: OpenClause[]): boolean {
  if (reader.token.word !== 'for' || !locks.has(peek(reader).word)) return false
  const { start } = advance(reader)
  const clause = openClause(reader, clauses, 'other', start)
  while (lockWords.has(reader.token.word)) advance(reader)
  if (take(reader, 'of')) {
    do {
      do readName(reader)
      while (take(reader, '.'))
    } while (take(reader, ','))
  }
  while (lockWords.has(reader.token.word)) advance(reader)
  closeClause(reader, clause)
  return true
}

const lockWords = new Set(['update', 'share', 'no', 'key', 'read', 'only', 'nowait', 'skip', 'locked'])

// ---------------------------------------------------------------- samples

/**
 * Reads the sample after USING SAMPLE and TABLESAMPLE: `10%`, `5 ROWS (bernoulli, 3)`, `reservoir(20 PERCENT)
 * REPEATABLE (1)`.
 */
export function readSample(reader: Reader): void {
  if (reader.token.kind === 'word' && peek(reader).word === '(') advance(reader)
  if (take(reader, '(')) {
    readSampleCount(reader)
    readClose(reader, ')')
  } else readSampleCount(reader)
  const seeded = reader.token.word === '(' && passBracket(reader) > 1
  if (takeBoth(reader, 'repeatable', '(')) {
    while (!isAtEnd(reader) && beginsOperand(reader)) readExpression(reader)
    readClose(reader, ')')
  } else if (!seeded) reader.hasChance = true
}

function readSampleCount(reader: Reader): void {
  readOperand(reader)
  if (!take(reader, '%') && !take(reader, 'percent')) take(reader, 'rows')
}

/** Returns how many items the bracket has: the method, and after it the seed. */
function passBracket(reader: Reader): number {
  let items = 0
  advance(reader)
  do {
    advance(reader)
    items++
  } while (take(reader, ','))
  readClose(reader, ')')
  return items
}
