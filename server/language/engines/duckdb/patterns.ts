/**
 * Regular expressions as DuckDB reads them (RE2), for the names that `COLUMNS('…')` chooses. The library takes a while
 * to load, so it is loaded where a text needs it; until then the answer is "unknown".
 */
import type { RE2JS } from 're2js'

let library: typeof RE2JS | undefined

/** Of a text in which a pattern chooses columns. */
const needsPatterns = /columns\s*\(\s*'|similar\s+to|regexp_matches/i

export async function loadPatterns(texts: Iterable<string>): Promise<void> {
  if (library !== undefined) return
  for (const text of texts) {
    if (!needsPatterns.test(text)) continue
    library = (await import('re2js')).RE2JS
    return
  }
}

/** Undefined: nobody can say. A pattern that DuckDB refuses chooses nothing that anybody would see. */
export function columnsMatching(pattern: string): ((name: string) => boolean) | undefined {
  if (library === undefined) return undefined
  try {
    const compiled = library.compile(pattern)
    return name => compiled.matcher(name).find()
  } catch {
    return undefined
  }
}
