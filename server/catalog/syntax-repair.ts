/**
 * The parser stops at the first thing that it does not understand. Here the likeliest slip is put right, a misspelt
 * keyword, a comma or a bracket, so that the rest of the statement can be looked at. Only a repair after which the
 * whole statement parses counts.
 */
import { type SqlToken, sqlTokens } from '../language/syntax/sql-tokens.ts'
import { nearestNames } from '../language/text/nearest-names.ts'
import type { Range } from '../language/text/range.ts'
import { inCaseOf, type SqlEdit } from './fixes.ts'

export interface Repair {
  readonly sql: string
  /** What was replaced in the original, empty for an insertion. */
  readonly range: Range
  readonly replacement: string
  /** Names here are not to be trusted: they stand where the repair was made. */
  readonly around: Range
  readonly message: string
  readonly hint: string
  readonly suggestions: readonly string[]
  /** Undefined where only the user knows the place. */
  readonly edit: SqlEdit | undefined
}

/** Likeliest first. `at`: where the parser stopped. */
export function repairsOf(sql: string, at: number): Repair[] {
  const tokens = sqlTokens(sql).filter(token => token.kind !== 'comment')
  const found = tokens.findIndex(token => token.end > at)
  const index = found < 0 ? tokens.length : found
  const here = tokens[index]
  const before = tokens[index - 1]
  return [
    ...(before ? keyword(sql, before) : []),
    ...(here ? keyword(sql, here) : []),
    ...(here && before ? commas(sql, before, here) : []),
    ...brackets(sql, tokens, here),
  ]
}

const keywords =
  'SELECT FROM WHERE GROUP ORDER HAVING LIMIT OFFSET JOIN LEFT RIGHT INNER OUTER FULL CROSS USING UNION EXCEPT INTERSECT DISTINCT CASE WHEN THEN ELSE END AND BETWEEN LIKE ILIKE WITH RECURSIVE OVER PARTITION QUALIFY WINDOW NULL DESC'.split(
    ' ',
  )

function keyword(sql: string, token: SqlToken): Repair[] {
  const word = sql.slice(token.start, token.end)
  if (token.kind !== 'word' || word.length < 3 || keywords.includes(word.toUpperCase())) return []
  const range = { start: token.start, end: token.end }
  const message = `"${word}" is no keyword`
  return nearestNames(word, keywords).map(meant => {
    const edit = { range, text: inCaseOf(meant, word), title: `Change to ${meant}` }
    return repair(sql, range, meant, range, message, `did you mean ${meant}?`, [meant], edit)
  })
}

function commas(sql: string, before: SqlToken, here: SqlToken): Repair[] {
  const around = { start: before.start, end: here.end }
  const name = sql.slice(here.start, here.end)
  const message = `syntax error at or near "${name}"`
  if (sql[before.start] === ',') {
    const range = { start: before.start, end: before.end }
    const edit = { range, text: '', title: 'Remove the comma' }
    return [repair(sql, range, ' ', around, message, 'The comma before it is one too many.', [], edit)]
  }
  const gap = { start: before.end, end: before.end }
  const edit = { range: gap, text: ',', title: 'Insert a comma' }
  return [repair(sql, gap, ',', around, message, `Is a comma missing before "${name}"?`, [], edit)]
}

/** An open bracket is closed before the place, or else at the end. */
function brackets(sql: string, tokens: readonly SqlToken[], here: SqlToken | undefined): Repair[] {
  const texts = tokens.map(token => sql.slice(token.start, token.end))
  const missing = texts.filter(text => text === '(').length - texts.filter(text => text === ')').length
  if (missing <= 0) return []
  const ends = here ? [here.start, sql.length] : [sql.length]
  return ends.map(end => {
    const last = tokens.findLast(token => token.end <= end)?.end ?? end
    const edit = {
      range: { start: last, end: last },
      text: ')'.repeat(missing),
      title: missing === 1 ? 'Close the bracket' : `Close ${missing} brackets`,
    }
    const gap = { start: end, end }
    const around = here ? { start: here.start, end: here.end } : gap
    return repair(
      sql,
      gap,
      `${')'.repeat(missing)} `,
      around,
      'a bracket is not closed',
      'Write ) where it ends.',
      [],
      edit,
    )
  })
}

function repair(
  sql: string,
  range: Range,
  replacement: string,
  around: Range,
  message: string,
  hint: string,
  suggestions: readonly string[],
  edit?: SqlEdit,
): Repair {
  const text = sql.slice(0, range.start) + replacement + sql.slice(range.end)
  return { sql: text, range, replacement, around, message, hint, suggestions, edit }
}

/** A range of the repaired text in the original; undefined where the repair itself is. */
export function unrepaired(repaired: Repair, range: Range): Range | undefined {
  const { start, end } = repaired.range
  const shift = repaired.replacement.length - (end - start)
  const moved = (offset: number): number =>
    offset >= start + repaired.replacement.length ? offset - shift : offset
  const original = { start: moved(range.start), end: moved(range.end) }
  const isApart = original.end <= repaired.around.start || original.start >= repaired.around.end
  return isApart ? original : undefined
}
