/** What is nested too deeply for the reader's stack is passed over. */
import type { Expression } from '../tree.ts'
import { missingAt, report } from './problems.ts'
import { advance, isAtEnd, type Reader } from './reader.ts'

/** How deep brackets and operators may be nested; DuckDB itself takes 1,000 levels. */
export const deepest = 1000

/** Everything up to where the brackets that are open now would close. */
export function skipTooDeep(reader: Reader): Expression {
  const { start, end } = reader.token
  report(reader, { start, end }, 'this is nested too deeply', {
    hint: `At most ${deepest} levels can be read: move a part of it to a CTE.`,
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
