/** Converts queries of callers (`?` texts, knex builders) to a text and values for one engine. */
import type { Cell, Query } from './storage.ts'

export interface QueryText {
  readonly text: string
  readonly values: readonly Cell[]
}

/** For SQLite: `?` is kept. */
export function plainQuery(query: Query, values: readonly Cell[]): QueryText {
  return typeof query === 'string' ? { text: query, values } : builtQuery(query)
}

/** For PostgreSQL: `?` becomes `$1`, `$2`, … */
export function numberedQuery(query: Query, values: readonly Cell[]): QueryText {
  return typeof query === 'string' ? { text: numbered(query), values } : builtQuery(query)
}

function builtQuery(query: Exclude<Query, string>): QueryText {
  const { sql, bindings } = query.toSQL().toNative()
  return { text: sql, values: bindings as readonly Cell[] }
}

const numberedTexts = new Map<string, string>()

function numbered(text: string): string {
  const known = numberedTexts.get(text)
  if (known !== undefined) return known
  let count = 0
  const result = text.replace(/'(?:[^']|'')*'|\?/g, part => (part === '?' ? `$${++count}` : part))
  if (numberedTexts.size < 1000) numberedTexts.set(text, result)
  return result
}
