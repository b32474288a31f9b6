/**
 * Formats a condition: keywords in upper case. The spacing stays, because a condition is too short to need a
 * layout.
 */
import type { Engine } from '../engines/engine.ts'
import { formatterOf } from '../engines/formatters.ts'
import { type Word, wordCase } from './keyword-case.ts'

export function formatExpression(sql: string, engine: Engine): string {
  const { reservedWords } = formatterOf(engine)
  const tokens = engine.tokens(sql)
  const words: Word[] = tokens.map(({ kind, start, end }) => ({ kind, text: sql.slice(start, end) }))
  let text = ''
  let end = 0
  for (const [index, token] of tokens.entries()) {
    const written = words[index]?.text ?? ''
    const proposed = reservedWords.has(written.toUpperCase()) ? written.toUpperCase() : written
    text += sql.slice(end, token.start) + (token.kind === 'word' ? wordCase(words, index, proposed) : written)
    end = token.end
  }
  return text + sql.slice(end)
}
