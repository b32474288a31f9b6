/**
 * Finds the one bracket whose absence explains all problems of a text. The reader notices a missing bracket where nothing fits any
 * more, and what follows from there on is no mistake: so brackets are tried at the places around, and one counts that leaves
 * no other problem.
 */
import { type SqlGrammar, wordSet } from '../grammar.ts'
import type { Doubt, SyntaxProblem } from '../tree.ts'
import { clauseStarts } from './clause-starts.ts'
import { doubtAround, doubtFrom } from './doubt.ts'
import { insertion, problemAt } from './problems.ts'
import type { Token } from './reader.ts'
import { readerTokens } from './tokens.ts'

export interface MissingBracket {
  /** The tokens with the bracket, which has no text. */
  readonly tokens: Token[]
  readonly problem: SyntaxProblem
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const openers: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** The number of places that are tried, and of tokens that are read for it: nobody waits for a guess. */
const mostPlaces = 60
const mostTokens = 100_000

/** The only bracket without a partner. */
interface Alone {
  readonly index: number
  readonly word: string
}

/** The text and the place of its first problem. */
export interface Around {
  readonly text: string
  readonly grammar: SqlGrammar
  readonly tokens: readonly Token[]
  readonly near: number
}

/** Returns the texts with one bracket more, most sensible first; none if not exactly one bracket lacks its partner. */
export function* withBracket(around: Around): Generator<MissingBracket> {
  const { tokens, near } = around
  const alone = aloneIn(tokens)
  if (alone === undefined) return
  const most = Math.min(mostPlaces, Math.floor(mostTokens / tokens.length))
  const found = tokens.findIndex(({ end }) => end > near)
  const at = found < 0 ? tokens.length : found
  const close = pairs[alone.word]
  if (close !== undefined) {
    yield* closed(tokens, close, alone.index, at, most)
    return
  }
  const word = openers[alone.word] ?? ''
  yield* opened(tokens, word, alone.index, at, most)
  let left = most
  for (const tried of openedInWord(around, word, alone.index, at)) {
    if (left-- <= 0) return
    yield tried
  }
}

function* opened(
  tokens: readonly Token[],
  word: string,
  last: number,
  at: number,
  most: number,
): Generator<MissingBracket> {
  const reach = Math.floor((most * 2) / 3)
  const first = Math.max(0, at - reach)
  const until = Math.min(last, at + most - reach)
  const closing = tokens.findIndex(({ word }, index) => index >= at && word in openers)
  const anchor = closing < 0 ? until : Math.min(closing, until)
  const behind = Array.from({ length: until - anchor }, (_, index) => anchor + 1 + index)
  for (const index of [...nearestItemFirst(tokens, first, anchor), ...behind]) {
    const place = tokens[index] as Token
    if (neverFirst.has(place.word)) continue
    const bracket = bracketAt(place.start, word)
    const whole = [...tokens.slice(0, index), bracket, ...tokens.slice(index)]
    yield { tokens: whole, problem: notOpened(place, bracket, doubtAround(whole, index)) }
  }
}

const itemEnds = new Set([',', 'when', 'then', 'else', ...clauseStarts])

/**
 * Returns places from right to left by items of lists and clauses; within one the first comes first, as a condition in brackets begins
 * where it begins.
 */
function nearestItemFirst(tokens: readonly Token[], first: number, last: number): readonly number[] {
  const places: number[] = []
  let item: number[] = []
  let depth = 0
  for (let index = last; index >= first; index--) {
    const { word } = tokens[index] as Token
    if (index < last && word in openers) depth++
    else if (word in pairs) depth--
    if (depth <= 0 && itemEnds.has(word)) {
      places.push(...item)
      item = []
    }
    item.unshift(index)
  }
  return [...places, ...item]
}

/** The number of tokens before a problem in which a bracket may have been deleted: `CASTid AS DATE)`. */
const mostWords = 12

/** Tries brackets inside of words of which one part is a word of SQL. */
function* openedInWord(
  { text, grammar, tokens }: Around,
  word: string,
  last: number,
  at: number,
): Generator<MissingBracket> {
  for (let index = Math.min(last, at); index >= Math.max(0, at - mostWords); index--) {
    const token = tokens[index] as Token
    for (const cut of cutsOf(text, grammar, token)) {
      const bracket = bracketAt(cut, word)
      const parts = grammar.tokens(`${text.slice(token.start, cut)} ${text.slice(cut, token.end)}`)
      const [before, after, more] = parts
      if (before === undefined || after === undefined || more !== undefined) continue
      const [first, second] = readerTokens(
        text,
        [
          { ...before, start: token.start, end: cut },
          { ...after, start: cut, end: token.end },
        ],
        grammar,
      ) as [Token, Token]
      const whole = [...tokens.slice(0, index), first, bracket, second, ...tokens.slice(index + 1)]
      yield { tokens: whole, problem: notOpened(token, bracket, doubtAround(whole, index + 1)) }
    }
  }
}

function cutsOf(text: string, grammar: SqlGrammar, { kind, word, start, end }: Token): readonly number[] {
  if (kind !== 'word' || word !== '' || end - start > longestWord) return []
  const written = text.slice(start, end).toLowerCase()
  const cuts = [...written].map((_, cut) => cut).slice(1)
  const isWord = (part: string): boolean => part.length > 2 && grammar.words.has(part)
  return cuts
    .filter(cut => isWord(written.slice(0, cut)) || isWord(written.slice(cut)))
    .map(cut => start + cut)
}

const longestWord = 60

function notOpened(place: Token, { start, word }: Token, doubt: Doubt): SyntaxProblem {
  return problemAt(place, 'a bracket is not opened', {
    hint: `Write ${word} where it begins, or remove the ${pairs[word]} that closes nothing.`,
    repair: [insertion(start, word)],
    fix: 'Open the bracket',
    doubt,
  })
}

/** Words and symbols with which nothing in brackets begins, or ends. */
const joining = wordSet(
  'and or as in is like ilike between when then else on using by from join having group = <> != < > <= >= , . :: ||',
)
const neverFirst = new Set([...joining, 'end', 'over', 'filter', '/', ';'])
const neverLast = new Set([...joining, 'select', 'where', 'case', 'not', 'order', 'partition', '+', '-', '/'])

function bracketAt(at: number, word: string): Token {
  return { kind: 'symbol', start: at, end: at, word, bits: 0 }
}

/** The last place comes first: there the bracket must be closed at the latest, as in all other texts. */
function* closed(
  tokens: readonly Token[],
  word: string,
  first: number,
  at: number,
  most: number,
): Generator<MissingBracket> {
  const reach = Math.floor(most / 3)
  for (let index = Math.min(tokens.length, at + most - reach); index > Math.max(first, at - reach); index--) {
    const before = tokens[index - 1] as Token
    if (neverLast.has(before.word)) continue
    yield {
      tokens: [...tokens.slice(0, index), bracketAt(before.end, word), ...tokens.slice(index)],
      problem: problemAt(tokens[index] ?? before, 'a bracket is not closed', {
        hint: `Write ${word} where it ends.`,
        repair: [insertion(before.end, word)],
        fix: 'Close the bracket',
        doubt: doubtFrom(tokens, index),
      }),
    }
  }
}

function aloneIn(tokens: readonly Token[]): Alone | undefined {
  const open: Alone[] = []
  const alone: Alone[] = []
  for (const [index, { kind, word }] of tokens.entries()) {
    if (kind !== 'symbol') continue
    if (word === ';' && index < tokens.length - 1) return undefined
    if (word in pairs) open.push({ index, word })
    const opener = openers[word]
    if (opener === undefined) continue
    const partner = open.findLastIndex(each => each.word === opener)
    if (partner < 0) alone.push({ index, word })
    else alone.push(...open.splice(partner).slice(1))
  }
  const [only, ...more] = [...alone, ...open]
  return more.length === 0 ? only : undefined
}
