/** The words of CASE, also where they are missing or misspelt. */

import { beginsOperand } from './operand.ts'
import { insertion, report } from './problems.ts'
import { advance, previous, type Reader } from './reader.ts'
import { correctWord } from './slips.ts'

const caseWords = ['when', 'then', 'else', 'end']

/** Passes the word. False: there is none; THEN and END are missed, WHEN and ELSE only where nothing else comes. */
export function readCaseWord(reader: Reader, word: 'when' | 'then' | 'else' | 'end'): boolean {
  if (reader.token.word !== word && !caseWords.includes(reader.token.word)) correctWord(reader, caseWords)
  if (reader.token.word === word) {
    advance(reader)
    return true
  }
  if (word === 'then') reportNoThen(reader)
  if (word === 'end') reportNoEnd(reader)
  return word === 'then' && beginsOperand(reader)
}

function reportNoThen(reader: Reader): void {
  const follows = beginsOperand(reader)
  const at = previous(reader) ?? reader.token
  report(reader, follows ? reader.token : at, 'THEN is missing', {
    hint: 'A CASE is written CASE WHEN … THEN … END.',
    repair: [insertion(reader.end, follows ? ' THEN ' : ' THEN NULL ')],
  })
}

function reportNoEnd(reader: Reader): void {
  report(reader, previous(reader) ?? reader.token, 'END is missing', {
    hint: 'A CASE is closed with END.',
    repair: [insertion(reader.end, ' END')],
    fix: 'Insert END',
  })
}
