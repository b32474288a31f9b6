/**
 * Repairs unclosed strings, quoted names and comments. The lexer lets them reach to the end of the text; here
 * they end with their line, so that the text below is read as SQL.
 */
import type { SqlToken } from '../../engines/sql-token.ts'
import type { SqlGrammar } from '../grammar.ts'
import type { SyntaxProblem } from '../tree.ts'
import { insertion, problemAt } from './problems.ts'

/** The maximum number of repairs in one text; after that the rest is one long string. */
const rounds = 8

export interface Repaired {
  readonly tokens: readonly SqlToken[]
  readonly problems: readonly SyntaxProblem[]
}

export function repairStrings(written: string, all: readonly SqlToken[], grammar: SqlGrammar): Repaired {
  let text = written
  let tokens = all
  const problems: SyntaxProblem[] = []
  for (let round = 0; round < rounds; round++) {
    const index = culprit(text, tokens)
    const token = tokens[index]
    if (token === undefined) break
    const apostrophe = isApostrophe(text, token) ? token.end - 1 : -1
    const end = Math.max(token.start + 1, endOf(text, token))
    const from = apostrophe >= 0 ? token.start : end
    problems.push(apostrophe >= 0 ? apostropheProblem(apostrophe) : problemOf(text, token, end))
    if (apostrophe >= 0) text = `${text.slice(0, apostrophe)}_${text.slice(apostrophe + 1)}`
    const rest = grammar.tokens(text.slice(from)).map(each => shifted(each, from))
    const cut = apostrophe >= 0 ? [] : [{ ...token, end, closed: false }]
    tokens = [...tokens.slice(0, index), ...cut, ...rest]
    if (rest.at(-1)?.closed !== false) break
  }
  return { tokens, problems }
}

function shifted({ kind, start, end, closed }: SqlToken, by: number): SqlToken {
  return { kind, start: start + by, end: end + by, closed }
}

/**
 * Returns the token to cut, or -1. A string that is open at the end may have been closed by the quote that
 * should have opened it: then the first string across a line break or a tag is the unclosed one.
 */
function culprit(text: string, tokens: readonly SqlToken[]): number {
  const last = tokens.at(-1)
  if (last === undefined || last.closed || last.kind === 'tag') return -1
  if (last.kind === 'comment') return tokens.length - 1
  const quote = text[last.start]
  const first = tokens.findIndex(
    token =>
      token.kind === last.kind &&
      (token.closed || token === last) &&
      text[token.start] === quote &&
      (reachesFar(text, token) || isWord(text, token.end)),
  )
  return first < 0 ? tokens.length - 1 : first
}

function reachesFar(text: string, token: SqlToken): boolean {
  return /[\r\n]|\{\{/.test(text.slice(token.start, token.end))
}

/** Returns whether a letter or a digit is at the offset: neither can directly follow a string. */
function isWord(text: string, at: number): boolean {
  return /[A-Za-z0-9_\u00c0-\u024f]/.test(text.charAt(at))
}

/** Returns whether the quote is an apostrophe: `'it's'`. */
function isApostrophe(text: string, token: SqlToken): boolean {
  return token.kind === 'string' && token.closed && isWord(text, token.end - 2) && isWord(text, token.end)
}

function apostropheProblem(at: number): SyntaxProblem {
  return problemAt({ start: at, end: at + 1 }, 'this quote ends the string', {
    hint: "A quote inside of a string is written twice: ''.",
    repair: [insertion(at, "'")],
    fix: 'Write it twice',
  })
}

const sqlBehind =
  /[\r\n]|\{\{|[\t ]+(?:as|from|where|then|else|end|and|or|join|on|using|group|order|limit)(?![\w'])/i
const nameEnd = /[\s,()]|\{\{/
const lineEnd = /[\r\n]/

function endOf(text: string, token: SqlToken): number {
  const from = token.start + openingOf(text, token).length
  const inner = text.slice(from, token.end)
  const pattern = token.kind === 'string' ? sqlBehind : token.kind === 'quoted' ? nameEnd : lineEnd
  const cutAt = inner.search(pattern)
  const body = cutAt < 0 ? inner : inner.slice(0, cutAt)
  // The punctuation before the end of the line belongs to the list or the bracket around it.
  return from + (token.kind === 'comment' ? body.length : ownLength(body))
}

/**
 * Returns the length without trailing commas, white space and closing brackets, unless the bracket is opened
 * in it.
 */
function ownLength(body: string): number {
  let { length } = body
  let open = body.split('(').length - body.split(')').length
  for (; length > 0 && /[\s,;)]/.test(body.charAt(length - 1)); length--) {
    if (body.charAt(length - 1) !== ')') continue
    if (open >= 0) break
    open++
  }
  return length
}

function openingOf(text: string, token: SqlToken): string {
  const written = text.slice(token.start, token.end)
  return /^(?:\/\*|\$\w*\$|[a-z]?['"])/i.exec(written)?.[0] ?? written.slice(0, 1)
}

function problemOf(text: string, token: SqlToken, end: number): SyntaxProblem {
  const opening = openingOf(text, token)
  const close = opening === '/*' ? '*/' : opening.startsWith('$') ? opening : opening.slice(-1)
  const what = token.kind === 'comment' ? 'a comment' : token.kind === 'quoted' ? 'a quoted name' : 'a string'
  return problemAt({ start: token.start, end }, `${what} is not closed`, {
    hint: `Write ${close} where it ends.`,
    repair: [insertion(end, close)],
    fix: `Close it with ${close}`,
  })
}
