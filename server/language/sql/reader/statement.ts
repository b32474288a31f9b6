/** One statement of a text, and what is left over behind it. */
import type { Query } from '../tree.ts'
import { deletion, report, shown } from './problems.ts'
import { emptyQuery, readQuery } from './query.ts'
import { advance, isAtEnd, type Reader } from './reader.ts'

/** Up to its semicolon or the end of the text. */
export function readStatement(reader: Reader, reachStart: number): Query {
  if (isAtEnd(reader)) return emptyQuery(reachStart, reader.token.start)
  const query = readQuery(reader, reachStart)
  if (isAtEnd(reader)) return query
  passRest(reader)
  return { ...query, reach: { start: reachStart, end: reader.token.start } }
}

/** What nobody could read, up to the end of the statement: one problem. */
export function passRest(reader: Reader): void {
  if (isAtEnd(reader)) return
  const first = reader.token
  while (!isAtEnd(reader)) advance(reader)
  const span = { start: first.start, end: reader.end }
  report(reader, first, `"${shown(reader, first)}" does not belong here`, {
    hint: 'Remove it, or write what joins it to what stands before.',
    repair: [deletion(span)],
  })
}
