/** Finds keywords that start clauses, also misspelt ones. */

import { wordSet } from '../grammar.ts'
import { beginsOperand } from './operand.ts'
import { peek, type Reader } from './reader.ts'
import { keywordMeant } from './slips.ts'

const clauseKeywords = [
  'from',
  'where',
  'group by',
  'having',
  'qualify',
  'window',
  'order by',
  'limit',
  'offset',
  'union',
  'except',
  'intersect',
  'select',
]

export const joinKeywords = ['join', 'left', 'right', 'inner', 'full', 'cross', 'natural', 'on', 'using']

export const joinStarts = wordSet('join inner left right full cross natural asof positional semi anti')

const tableKeywords = [...joinKeywords, ...clauseKeywords]

const halves = ['group', 'order']

const fromHere: ReadonlySet<string> = wordSet('by all distinct select join outer from values')

/** Returns the keyword that the next word was meant to be, if the text after it cannot follow an alias. */
export function clauseMeant(
  reader: Reader,
  keywords: readonly string[] = clauseKeywords,
): string | undefined {
  const { token } = reader
  if (token.kind !== 'word' || token.word !== '') return undefined
  const next = peek(reader)
  // A name directly before a bracket is a call.
  if (next.word === '(' && next.start === token.end) return undefined
  if (next.word === 'by') return keywordMeant(reader, token, halves)
  if (!beginsOperand(reader, 1) && !fromHere.has(next.word)) return undefined
  return keywordMeant(reader, token, keywords)
}

/** Returns the intended keyword at the end of a table; the word may be its alias. */
export function tableWordMeant(reader: Reader, isAlias = false): string | undefined {
  if (isAlias && joinStarts.has(peek(reader).word)) return undefined
  return clauseMeant(reader, tableKeywords)
}

export function isSlipOfClause(reader: Reader): boolean {
  return tableWordMeant(reader) !== undefined
}
