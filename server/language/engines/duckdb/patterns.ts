/**
 * Compiles regular expressions as DuckDB does (RE2), for the column names that `COLUMNS('…')` selects. The
 * library loads slowly, so it is loaded only for texts that need it; until then the result is "unknown".
 */
import type { RE2JS } from 're2js'

let library: typeof RE2JS | undefined

/** Matches a text that may select columns by a pattern. */
const needsPatterns = /columns\s*\(\s*'|similar\s+to|regexp_matches/i

export async function loadPatterns(texts: Iterable<string>): Promise<void> {
  if (library !== undefined) return
  for (const text of texts) {
    if (!needsPatterns.test(text)) continue
    library = (await import('re2js')).RE2JS
    return
  }
}

/** Returns undefined if the library is not loaded. A pattern that DuckDB rejects selects nothing. */
export function columnsMatching(pattern: string): ((name: string) => boolean) | undefined {
  if (library === undefined) return undefined
  try {
    const compiled = library.compile(pattern)
    return name => compiled.matcher(name).find()
  } catch {
    return undefined
  }
}
