/** The words of SQL text, so that texts can be compared however an engine writes them. */
import type { Engine, SqlToken } from '@svc/server/language'

export interface SqlWord extends Pick<SqlToken, 'kind'> {
  readonly text: string
}

/** Returns words, names without their quotes, and signs, in order; words and names are folded. */
export function sqlWords(sql: string, { tokens, fold }: Pick<Engine, 'tokens' | 'fold'>): SqlWord[] {
  return tokens(sql).map(({ kind, start, end }) => {
    const text = sql.slice(start, end)
    if (kind === 'quoted') return { kind, text: fold(text.slice(1, -1).replaceAll('""', '"')) }
    return { kind, text: kind === 'word' ? fold(text) : text }
  })
}
