/** What is nested too deeply for the reader's stack is passed over. */
import type { Expression } from '../tree.ts'
import { missingAt, report } from './problems.ts'
import { advance, isAtEnd, type Reader } from './reader.ts'

/**
 * How deep brackets and operators may be nested: with that many the reader needs no more than half of the stack that
 * a program has, and what it calls for one level of a query or a call takes more of it than a plain bracket.
 */
export const deepest = 500

/** Everything up to where the brackets that are open now would close. */
export function skipTooDeep(reader: Reader): Expression {
  const { start, end } = reader.token
  report(reader, { start, end }, 'this is nested too deeply', {
    hint: 'Move a part of it to a query in WITH.',
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
