/** Files of `database/`: CREATE statements of what the database of a project has beyond PostgreSQL itself. */
import type { Declaration, EngineDeclarations } from '../engine.ts'
import { postgresTokens } from './tokens.ts'

/** The file that `svc doctor --write` writes; those of the user come after it and may replace what it says. */
const asked = 'database/server.sql'

export const postgresDeclarations: EngineDeclarations = { folder: 'database/', asked, read }

const allowed = /^create (or replace )?(function|aggregate|type|domain|operator|cast|schema)\b/

function read(text: string): readonly Declaration[] {
  const tokens = postgresTokens(text).filter(({ kind }) => kind !== 'comment')
  const found: Declaration[] = []
  let first = 0
  for (const [index, token] of tokens.entries()) {
    const isEnd = text.slice(token.start, token.end) === ';'
    const last = isEnd ? index : index + 1
    if (!isEnd && index + 1 < tokens.length) continue
    const [start, end] = [tokens[first]?.start, tokens[last - 1]?.end]
    if (first < last && start !== undefined && end !== undefined)
      found.push({
        sql: text.slice(start, end),
        start,
        end,
        problem: problemOf(text, tokens.slice(first, last)),
      })
    first = index + 1
  }
  return found
}

function problemOf(text: string, tokens: readonly { start: number; end: number }[]): string | undefined {
  const words = tokens.map(({ start, end }) => text.slice(start, end).toLowerCase())
  if (!allowed.test(words.slice(0, 4).join(' ')))
    return 'a file of database/ has CREATE FUNCTION, AGGREGATE, TYPE, DOMAIN, OPERATOR, CAST and SCHEMA alone'
  const language = words[words.indexOf('language') + 1]
  const isOfServer = words.includes('language') && (language === 'internal' || language === 'c')
  if (isOfServer && !words.some(word => word === "'textin'" || word === "'textout'"))
    return `a function in the language ${language} is not there to be called: declare it in SQL, its body is not looked at`
  return undefined
}
