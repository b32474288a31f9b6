/**
 * Words "did you mean" of all checks in the same way: the hint, the names and the fix that inserts the best
 * one.
 */
import { nameIndexOf } from '../text/name-index.ts'
import type { Range } from '../text/range.ts'
import type { Finding } from './check.ts'

type Suggestion = Pick<Finding, 'hint' | 'suggestions' | 'fixes'>

const listedNames = 6

/**
 * Suggests the nearest of `candidates` for `name`; a list of many is made once for all names that are looked for in it.
 * `rest` is a sentence that follows ("flights has: date, delay, …"), or stands alone if no candidate is near. `place` is the
 * text that the fix replaces.
 */
export function suggestName(
  name: string,
  candidates: readonly string[],
  place: { readonly path: string; readonly range: Range },
  rest: string,
): Suggestion {
  return suggestOneOf(nameIndexOf(candidates).nearest(name), place, rest)
}

/** Suggests names that are already known to be the nearest, best first. */
export function suggestOneOf(
  suggestions: readonly string[],
  place: { readonly path: string; readonly range: Range },
  rest: string,
): Suggestion {
  const best = suggestions[0]
  if (best === undefined) return rest === '' ? {} : { hint: rest }
  return {
    hint: `did you mean ${quoteAll(suggestions)}? ${rest}`.trimEnd(),
    suggestions,
    fixes: [{ title: `Change to "${best}"`, edits: [{ ...place, newText: best }] }],
  }
}

/** Reports a column that its owner does not have; `where` follows its name in the message. */
export function unknownColumn(
  column: string,
  place: { readonly path: string; readonly range: Range },
  { owner, columns }: { readonly owner: string; readonly columns: readonly string[] },
  where = `of ${owner}`,
): Finding {
  const message = `unknown column "${column}" ${where}`
  const suggestion = suggestName(column, columns, place, nameList(`${owner} has`, columns))
  return { range: place.range, message, ...suggestion }
}

/** Returns `flights has: date, delay, distance, …`, cut where a longer list does not help. */
export function nameList(owner: string, names: readonly string[]): string {
  if (names.length === 0) return ''
  const shown = names.slice(0, listedNames).join(', ')
  return `${owner}: ${shown}${names.length > listedNames ? ', …' : ''}`
}

function quoteAll(names: readonly string[]): string {
  return names.map(name => `"${name}"`).join(' or ')
}
