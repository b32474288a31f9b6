/** Corrects single words: misspelt keywords, and missing ones such as BY and AS. */
import { nearestNames } from '../../text/nearest-names.ts'
import { cannotBe, type OperatorPower } from '../grammar.ts'
import type { Name } from '../tree.ts'
import { emptyName } from './names.ts'
import { beginsOperand } from './operand.ts'
import { hereOrBefore, insertion, report } from './problems.ts'
import { previous, type Reader, type Token, take, textOf } from './reader.ts'

/** Returns whether a word may be misspelt, which a keyword is not. */
function isPlainWord(token: Token): boolean {
  return token.kind === 'word' && (token.bits & cannotBe.name) === 0
}

/** Returns the keyword that the word may be meant to be; `order by` may be written as one word. */
export function keywordMeant(reader: Reader, token: Token, keywords: readonly string[]): string | undefined {
  if (!isPlainWord(token)) return undefined
  const written = textOf(reader, token).toLowerCase()
  if (written.length < 2 || written.length > 12) return undefined
  const [near] = nearestNames(written, keywords, 1)
  if (near === undefined || near === written) return undefined
  // A name may be part of a longer one, so the lengths must be nearly equal.
  return Math.abs(near.length - written.length) <= 2 ? near : undefined
}

/** Reports a misspelt keyword and continues as if it were written correctly. */
export function correct(reader: Reader, meant: string): void {
  const { token } = reader
  const written = textOf(reader, token)
  const shown = meant.toUpperCase()
  const text = written === written.toLowerCase() ? meant : shown
  report(reader, token, `"${written}" is no keyword`, {
    hint: `did you mean ${shown}?`,
    suggestions: [shown],
    repair: [{ start: token.start, end: token.end, text }],
    fix: `Change to ${shown}`,
  })
  replaceToken(reader, meant.split(' ')[0] ?? meant)
}

function replaceToken(reader: Reader, word: string): void {
  const known = reader.grammar.words.get(word)
  const corrected: Token = { ...reader.token, word, bits: known?.bits ?? 0 }
  reader.tokens[reader.at] = corrected
  reader.token = corrected
}

/** Corrects the next word where only one of the keywords is possible. */
export function correctWord(reader: Reader, keywords: readonly string[]): boolean {
  if (keywords.includes(reader.token.word)) return false
  const meant = keywordMeant(reader, reader.token, keywords)
  if (meant === undefined) return false
  correct(reader, meant)
  return true
}

const operatorWords = ['and', 'or', 'like', 'ilike', 'in', 'is', 'between', 'similar']

/** Corrects `a ADN b`: a word between two operands that is similar to an operator. */
export function correctOperatorWord(reader: Reader): OperatorPower | undefined {
  const { token } = reader
  if (token.kind !== 'word' || token.word !== '' || !beginsOperand(reader, 1)) return undefined
  const meant = keywordMeant(reader, token, operatorWords)
  if (meant === undefined) return undefined
  const power = reader.grammar.operators.get(meant)
  if (power !== undefined) correct(reader, meant)
  return power
}

/** Reads BY after GROUP, ORDER and PARTITION. */
export function readBy(reader: Reader): void {
  if (take(reader, 'by')) return
  const before = previous(reader)
  // ORDERBY has been corrected already.
  if (before === undefined || /\wby$/i.test(textOf(reader, before))) return
  if (beginsOperand(reader, 1) && correctWord(reader, ['by'])) {
    take(reader, 'by')
    return
  }
  const word = textOf(reader, before).toUpperCase()
  report(reader, before, `BY is missing after ${word}`, {
    hint: `Write ${word} BY.`,
    repair: [insertion(before.end, ' BY')],
    fix: 'Insert BY',
  })
}

export function readMissingAs(reader: Reader): void {
  if (correctWord(reader, ['as']) && take(reader, 'as')) return
  report(reader, hereOrBefore(reader), 'AS is missing', {
    hint: 'Write AS before it.',
    repair: [insertion(reader.end, ' AS ')],
    fix: 'Insert AS',
  })
}

/** Reports OVER without a window. */
export function reportNoWindow(reader: Reader, over: Token): Name {
  report(reader, over, 'a window is missing after OVER', {
    hint: 'Write OVER (), or OVER and the name of a window.',
    repair: [insertion(over.end, ' ()')],
    fix: 'Insert ()',
  })
  return emptyName(reader.end)
}
