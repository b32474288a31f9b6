/** Slips of single words: misspelt keywords, and words such as BY and AS that are missing. */
import { nearestNames } from '../../text/nearest-names.ts'
import { cannotBe, type OperatorPower } from '../grammar.ts'
import type { Name } from '../tree.ts'
import { emptyName } from './names.ts'
import { beginsOperand } from './operand.ts'
import { hereOrBefore, insertion, report } from './problems.ts'
import { peek, previous, type Reader, type Token, take, textOf } from './reader.ts'

/** A word that may be misspelt: no keyword that could only be itself. */
function isPlainWord(token: Token): boolean {
  return token.kind === 'word' && (token.bits & cannotBe.name) === 0
}

/** Which of the keywords the word may have been meant to be; `order by` may be written as one word. */
export function keywordMeant(reader: Reader, token: Token, keywords: readonly string[]): string | undefined {
  if (!isPlainWord(token)) return undefined
  const written = textOf(reader, token).toLowerCase()
  if (written.length < 2 || written.length > 12) return undefined
  const [near] = nearestNames(written, keywords, 1)
  if (near === undefined || near === written) return undefined
  // One name may be a part of another; a keyword's letters are all there, or nearly so.
  return Math.abs(near.length - written.length) <= 2 ? near : undefined
}

/** Reports a misspelt keyword and goes on as if it had been written right. */
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

/** Puts the next word right where nothing else than one of the keywords can stand. */
export function correctWord(reader: Reader, keywords: readonly string[]): boolean {
  if (keywords.includes(reader.token.word)) return false
  const meant = keywordMeant(reader, reader.token, keywords)
  if (meant === undefined) return false
  correct(reader, meant)
  return true
}

const operatorWords = ['and', 'or', 'like', 'ilike', 'in', 'is', 'between', 'similar']

/** `a ADN b`: a word between two operands that is nearly an operator. */
export function correctOperatorWord(reader: Reader): OperatorPower | undefined {
  const { token } = reader
  if (token.kind !== 'word' || token.word !== '' || !beginsOperand(reader, 1)) return undefined
  const meant = keywordMeant(reader, token, operatorWords)
  if (meant === undefined) return undefined
  const power = reader.grammar.operators.get(meant)
  if (power !== undefined) correct(reader, meant)
  return power
}

/** BY behind GROUP, ORDER and PARTITION. */
export function readBy(reader: Reader): void {
  if (take(reader, 'by')) return
  const before = previous(reader)
  // ORDERBY, put right already.
  if (before === undefined || /\wby$/i.test(textOf(reader, before))) return
  if (beginsOperand(reader, 1) && correctWord(reader, ['by'])) {
    take(reader, 'by')
    return
  }
  const word = textOf(reader, before).toUpperCase()
  report(reader, before, `BY is missing behind ${word}`, {
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

/** OVER without a window behind it. */
export function reportNoWindow(reader: Reader, over: Token): Name {
  report(reader, over, 'a window is missing behind OVER', {
    hint: 'Write OVER (), or OVER and the name of a window.',
    repair: [insertion(over.end, ' ()')],
    fix: 'Insert ()',
  })
  return emptyName(reader.end)
}

/** Whether what comes `by` tokens later is one of the words. */
export function comes(reader: Reader, words: ReadonlySet<string>, by = 0): boolean {
  return words.has(peek(reader, by).word)
}
