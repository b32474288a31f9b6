/** Reads one statement of any kind, and skips the text left over after it. */
import { wordSet } from '../grammar.ts'
import type { NoBody, Query } from '../tree.ts'
import { beginsOperand } from './operand.ts'
import { insertion, report, reportStray } from './problems.ts'
import { beginsQuery, emptyQuery, readQuery } from './query.ts'
import { advance, isAtEnd, peek, type Reader, textOf } from './reader.ts'
import { correct, keywordMeant } from './slips.ts'

/** Reads up to the semicolon or the end of the text. */
export function readStatement(reader: Reader, reachStart: number): Query {
  if (isAtEnd(reader)) return emptyQuery(reachStart, reader.token.start)
  if (isOtherStatement(reader)) return readOther(reader, reachStart)
  const query = readQuery(reader, reachStart)
  if (isAtEnd(reader)) return query
  passRest(reader)
  return { ...query, reach: { start: reachStart, end: reader.token.start } }
}

/** Skips the rest of the statement, which cannot be read, as one problem. */
export function passRest(reader: Reader): void {
  if (isAtEnd(reader)) return
  const first = reader.token
  while (!isAtEnd(reader)) advance(reader)
  reportStray(reader, first)
}

const queryStarts = ['select', 'with', 'from', 'values', 'pivot', 'unpivot', 'describe', 'summarize']

/** Corrects the first word of a query, or reports a missing SELECT before a list. */
export function correctStart(reader: Reader): boolean {
  const { token } = reader
  if (token.kind === 'symbol' || isAtEnd(reader)) return false
  const meant = keywordMeant(reader, token, queryStarts)
  if (meant !== undefined && peek(reader).word !== ',' && peek(reader).word !== '.') {
    correct(reader, meant)
    return true
  }
  return false
}

/** Returns whether a list and its FROM come without SELECT: `a, b FROM t`. */
export function isListWithoutSelect(reader: Reader): boolean {
  if (!beginsOperand(reader)) return false
  let depth = 0
  for (let by = 0; by < lookAhead; by++) {
    const { kind, word } = peek(reader, by)
    if (kind === 'end' || word === ';' || depth < 0) return false
    if (depth === 0 && word === 'from') return by > 0
    if (depth === 0 && beginsQuery(reader, by)) return false
    if (word === '(') depth++
    else if (word === ')') depth--
  }
  return false
}

const lookAhead = 200

export function reportNoSelect(reader: Reader): void {
  report(reader, reader.token, 'SELECT is missing', {
    hint: 'Write SELECT before the list.',
    repair: [insertion(reader.token.start, 'SELECT ')],
    fix: 'Insert SELECT',
  })
}

// ---------------------------------------------------------------- statements that are no query

const others = wordSet(
  `abort alter analyze attach begin call checkpoint comment commit copy create deallocate delete detach drop execute
  explain export grant import insert install load merge pragma prepare reset revoke rollback set truncate update use
  vacuum`,
)

function isOtherStatement(reader: Reader): boolean {
  return others.has(reader.token.word) && peek(reader).word !== ',' && peek(reader).word !== '.'
}

/** Skips a statement that is no query, such as `DROP TABLE t`. */
function readOther(reader: Reader, reachStart: number): Query {
  const word = advance(reader)
  report(reader, word, `${textOf(reader, word).toUpperCase()} is not a SELECT`, {
    code: 'sql-not-a-select',
    hint: 'Write one SELECT; what else it takes, such as making a table of it, is done by svc.',
    repair: [],
  })
  while (!isAtEnd(reader)) advance(reader)
  const { end } = reader
  const body: NoBody = { kind: 'no-body', start: word.start, end }
  const reach = { start: reachStart, end: reader.token.start }
  return { ...emptyQuery(reachStart, word.start), end, reach, body }
}
