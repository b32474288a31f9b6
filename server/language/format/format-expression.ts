/** Keywords of a condition in upper case; the user's spacing stays, a condition is too short to need a layout. */
import { duckdb } from 'sql-formatter'
import { sqlTokens } from '../syntax/sql-tokens.ts'
import { type Word, wordCase } from './keyword-case.ts'

const reserved = new Set(duckdb.tokenizerOptions.reservedKeywords)

export function formatExpression(sql: string): string {
  const tokens = sqlTokens(sql)
  const words: Word[] = tokens.map(({ kind, start, end }) => ({ kind, text: sql.slice(start, end) }))
  let text = ''
  let end = 0
  for (const [index, token] of tokens.entries()) {
    const written = words[index]?.text ?? ''
    const proposed = reserved.has(written.toUpperCase()) ? written.toUpperCase() : written
    text += sql.slice(end, token.start) + (token.kind === 'word' ? wordCase(words, index, proposed) : written)
    end = token.end
  }
  return text + sql.slice(end)
}
