/** Prepares the lexer's tokens for the reader: without comments, and each word looked up once. */
import type { SqlToken } from '../../engines/sql-token.ts'
import type { SqlGrammar } from '../grammar.ts'
import type { Token } from './reader.ts'

export function readerTokens(text: string, all: readonly SqlToken[], grammar: SqlGrammar): Token[] {
  const tokens: Token[] = []
  for (const token of all) {
    if (token.kind === 'comment') continue
    tokens.push(readerToken(text, token, grammar))
  }
  return tokens
}

function readerToken(text: string, { kind, start, end }: SqlToken, grammar: SqlGrammar): Token {
  if (kind === 'word') {
    const known = grammar.words.get(text.slice(start, end).toLowerCase())
    return { kind, start, end, word: known?.word ?? '', bits: known?.bits ?? 0 }
  }
  if (kind === 'punctuation' || kind === 'operator')
    return { kind: 'symbol', start, end, word: text.slice(start, end), bits: 0 }
  return { kind: kind === 'comment' ? 'string' : kind, start, end, word: '', bits: 0 }
}
