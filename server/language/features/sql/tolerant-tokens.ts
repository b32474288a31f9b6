/**
 * Tokens of SQL that somebody is typing: a quote or tag that is not closed yet ends with its line, so that the lines
 * below it are read as what they are. Where everything is closed these are the tokens of `sqlTokens`.
 */
import { type SqlToken, sqlTokens } from '../../syntax/sql-tokens.ts'
import { rememberTexts } from './remember-texts.ts'

/** More than a few mistakes of this kind in one text are not mended; what follows is then one long string. */
const rounds = 8

/** All tokens in order, comments included. */
export const tolerantTokens = rememberTexts(readTokens)

function readTokens(text: string): readonly SqlToken[] {
  let tokens: readonly SqlToken[] = sqlTokens(text)
  for (let round = 0; round < rounds; round++) {
    const index = tokenToCut(text, tokens)
    const cut = tokens[index]
    if (cut === undefined) break
    const end = cutEnd(text, cut)
    const rest = sqlTokens(text.slice(end)).map(token => shifted(token, end))
    tokens = [...tokens.slice(0, index), { ...cut, end, closed: false }, ...rest]
  }
  return tokens
}

function shifted(token: SqlToken, by: number): SqlToken {
  return { ...token, start: token.start + by, end: token.end + by }
}

/** -1: none. A string that is open at the end may have been closed by the quote that should have opened it. */
function tokenToCut(text: string, tokens: readonly SqlToken[]): number {
  const broken = tokens.findIndex(token => isBroken(text, token))
  if (broken >= 0) return broken
  const last = tokens.at(-1)
  if (last?.closed !== false) return -1
  if (last.kind === 'quoted') return /\s/.test(text.slice(last.start, last.end)) ? tokens.length - 1 : -1
  if (last.kind !== 'string') return -1
  return tokens.findIndex(
    token => token.kind === 'string' && text[token.start] !== '$' && hasLineBreak(text, token),
  )
}

function isBroken(text: string, token: SqlToken): boolean {
  if (token.kind === 'tag') return isBrokenTag(text, token)
  if (token.kind === 'string') return swallowsTag(text, token)
  // No name has a tag or a line break in it.
  return token.kind === 'quoted' && /[\r\n]|\{\{/.test(text.slice(token.start, token.end))
}

function isBrokenTag(text: string, token: SqlToken): boolean {
  const inner = text.slice(token.start + 2, token.end)
  return inner.includes('{{') || (!token.closed && /[\r\n]/.test(inner))
}

/** `' FROM {{ ref('`: a quote that nobody closed ends at the quote of a tag. */
function swallowsTag(text: string, token: SqlToken): boolean {
  return /\{\{\s*(?:ref|source)\s*\(\s*'$/.test(text.slice(token.start, token.end))
}

function hasLineBreak(text: string, token: SqlToken): boolean {
  return /[\r\n]/.test(text.slice(token.start, token.end))
}

function cutEnd(text: string, token: SqlToken): number {
  const from = token.start + (token.kind === 'tag' ? 2 : 1)
  const end = text.slice(from, token.end).search(token.kind === 'quoted' ? /\s|\{\{/ : /[\r\n]|\{\{/)
  return end < 0 ? token.end : from + end
}
