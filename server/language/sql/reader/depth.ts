/** Skips text that is nested too deeply for the reader's stack. */
import type { Expression } from '../tree.ts'
import { missingAt, report } from './problems.ts'
import { advance, isAtEnd, type Reader } from './reader.ts'

/**
 * The maximum depth of brackets and operators: it needs at most half of the usual stack. One level of a query
 * or a call needs more of it than a plain bracket.
 */
export const deepest = 500

/** Skips everything up to where the open brackets would close. */
export function skipTooDeep(reader: Reader): Expression {
  const { start, end } = reader.token
  report(reader, { start, end }, 'this is nested too deeply', {
    hint: 'Move a part of it to a query in WITH.',
    isCut: true,
    repair: [],
  })
  let depth = 0
  while (!isAtEnd(reader)) {
    const { word } = reader.token
    if (word === '(' || word === '[' || word === '{') depth++
    else if (word === ')' || word === ']' || word === '}') depth--
    if (depth < 0) break
    advance(reader)
  }
  return missingAt(Math.max(start, reader.end))
}
