/** The words of CASE, also where they are missing or misspelt. */
import type { Span } from '../tree.ts'
import { beginsOperand } from './operand.ts'
import { insertion, report } from './problems.ts'
import { advance, previous, type Reader } from './reader.ts'
import { correctWord, keywordMeant } from './slips.ts'

const caseWords = ['when', 'then', 'else', 'end']

const hint = 'A CASE is written CASE WHEN … THEN … ELSE … END.'

/** Passes the word, also a misspelt one. False: there is none; THEN and END are then missed. */
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

/** A word of CASE comes next, or one that is nearly one with an operand behind it. */
export function isCaseWord(reader: Reader): boolean {
  if (caseWords.includes(reader.token.word)) return true
  return beginsOperand(reader, 1) && keywordMeant(reader, reader.token, caseWords) !== undefined
}

/** Behind a complete value: no name can stand here, so that the word may well be a misspelt one. */
export function endsCasePart(reader: Reader): boolean {
  return caseWords.includes(reader.token.word) || keywordMeant(reader, reader.token, caseWords) !== undefined
}

/** THEN is missing before what is read already, or before nothing at all. */
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
