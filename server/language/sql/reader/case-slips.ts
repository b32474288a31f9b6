/** Reads the keywords of CASE, also missing or misspelt ones. */
import type { Span } from '../tree.ts'
import { beginsOperand } from './operand.ts'
import { insertion, report } from './problems.ts'
import { advance, previous, type Reader } from './reader.ts'
import { correctWord, keywordMeant } from './slips.ts'

const caseWords = ['when', 'then', 'else', 'end']

const hint = 'A CASE is written CASE WHEN … THEN … ELSE … END.'

/** Reads the keyword, also misspelt. Returns false if it is missing; THEN and END are then reported. */
export function readCaseWord(reader: Reader, word: 'when' | 'then' | 'else' | 'end'): boolean {
  if (!caseWords.includes(reader.token.word)) correctWord(reader, caseWords)
  if (reader.token.word === word) {
    advance(reader)
    return true
  }
  if (word === 'then') reportNoThen(reader, previous(reader) ?? reader.token, reader.end)
  if (word === 'end') reportNoEnd(reader)
  return false
}

/** Returns whether a keyword of CASE comes next, or a similar word with an operand after it. */
export function isCaseWord(reader: Reader): boolean {
  if (caseWords.includes(reader.token.word)) return true
  return beginsOperand(reader, 1) && keywordMeant(reader, reader.token, caseWords) !== undefined
}

/**
 * Returns whether the next word ends a part of CASE: after a complete value no name is possible, so it may be
 * a misspelt keyword.
 */
export function endsCasePart(reader: Reader): boolean {
  return caseWords.includes(reader.token.word) || keywordMeant(reader, reader.token, caseWords) !== undefined
}

/** Reports a missing THEN before what has been read, or before nothing. */
export function reportNoThen(reader: Reader, at: Span, end: number): void {
  const text = at.start < end ? ' THEN NULL ' : ' THEN '
  report(reader, at, 'THEN is missing', { hint, repair: [insertion(end, text)] })
}

export function reportNoWhen(reader: Reader): void {
  const at = previous(reader) ?? reader.token
  report(reader, at, 'WHEN is missing', { hint, repair: [insertion(reader.end, ' WHEN NULL THEN NULL ')] })
}

function reportNoEnd(reader: Reader): void {
  report(reader, previous(reader) ?? reader.token, 'END is missing', {
    hint: 'A CASE is closed with END.',
    repair: [insertion(reader.end, ' END')],
    fix: 'Insert END',
  })
}
