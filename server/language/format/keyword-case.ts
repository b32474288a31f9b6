/**
 * Decides which words of a query are keywords. sql-formatter decides by the word alone, but a word after `AS`
 * or beside a dot is a name, whose case is the user's, and some keywords are not reserved words for it.
 */
import { wordSet } from '../sql/grammar.ts'

export interface Word {
  readonly kind: string
  readonly text: string
}

/** Returns the word in upper case if it is a keyword, and otherwise as in the source. */
export function wordCase(source: readonly Word[], index: number, proposed: string): string {
  const written = source[index]?.text ?? proposed
  const upper = written.toUpperCase()
  const before = neighbour(source, index, -1)
  const after = neighbour(source, index, 1)
  if (before?.text === '.' || after?.text === '.') return written
  const isAfterAs = before?.kind === 'word' && before.text.toUpperCase() === 'AS'
  if (isAfterAs) return isMaterialized(upper, after) || startsQuery.has(upper) ? upper : written
  const isKeyword = isKeywordHere(upper, before, after) || isKeywordInClause(upper, source, index)
  return isKeyword ? upper : proposed
}

/** Returns the word at a distance before or after another one, not counting comments. */
function neighbour(source: readonly Word[], index: number, distance: number): Word | undefined {
  const step = Math.sign(distance)
  let left = Math.abs(distance)
  let at = index
  while (left > 0) {
    at += step
    const word = source[at]
    if (word === undefined) return undefined
    if (word.kind !== 'comment') left--
  }
  return source[at]
}

/** Reserved words, which no name can be without quotes: `CREATE TABLE t AS SELECT …`. */
const startsQuery = new Set(['SELECT', 'WITH'])

function isMaterialized(upper: string, after: Word | undefined): boolean {
  const next = after?.text.toUpperCase()
  return (upper === 'MATERIALIZED' && next === '(') || (upper === 'NOT' && next === 'MATERIALIZED')
}

function isKeywordHere(upper: string, before: Word | undefined, after: Word | undefined): boolean {
  const previous = before?.kind === 'quoted' ? undefined : before?.text.toUpperCase()
  const next = after?.kind === 'quoted' ? undefined : after?.text.toUpperCase()
  switch (upper) {
    case 'PRECEDING':
    case 'FOLLOWING':
      return isFrameBound(before)
    case 'ROLLUP':
    case 'CUBE':
      return next === '(' && (previous === 'BY' || previous === ',')
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
    case 'TIMESTAMPTZ':
      return after?.kind === 'string'
    case 'EXCLUDE':
    case 'REPLACE':
    case 'RENAME':
      return (previous === '*' || previous === ')') && isStarList(after)
    case 'MATERIALIZED':
      return previous === 'NOT'
    case 'CAST':
    case 'TRY_CAST':
    case 'EXISTS':
      return next === '('
    // IF is a keyword in `[x FOR x IN list IF x > 1]`, and a function elsewhere.
    case 'IF':
      return isOperand(before) && after !== undefined && ![',', ')', ';'].includes(after.text)
    case 'ESCAPE':
      return after?.kind === 'string' && isOperand(before)
    case 'BETWEEN':
    case 'LIKE':
    case 'ILIKE':
    case 'GLOB':
      return isOperand(before)
    case 'INTERVAL':
      return after?.kind === 'string' || after?.kind === 'number' || next === '('
    default:
      return false
  }
}

/** Returns whether the word is a keyword of a clause; almost everywhere else these words are names. */
function isKeywordInClause(upper: string, source: readonly Word[], index: number): boolean {
  const near = (distance: number) => neighbour(source, index, distance)?.text.toUpperCase() ?? ''
  switch (upper) {
    case 'ROWS':
    case 'RANGE':
    case 'GROUPS':
      return ['BETWEEN', 'CURRENT', 'UNBOUNDED'].includes(near(1)) || near(2) === 'PRECEDING' || isShare()
    case 'PERCENT':
      return isShare()
    case 'REPEATABLE':
      return near(-1) === ')' && near(1) === '('
    case 'NAME':
      return near(-1) === 'INTO'
    case 'VALUE':
      return near(-2) === 'NAME' && near(-3) === 'INTO'
    default:
      return false
  }

  /** Returns whether the word is in `LIMIT 10 PERCENT`, `SAMPLE 10 ROWS` or `reservoir(10 ROWS)`. */
  function isShare(): boolean {
    return neighbour(source, index, -1)?.kind === 'number' && (sizes.has(near(-2)) || near(1) === ')')
  }
}

/** Keywords before the number in front of `%`, `PERCENT` and `ROWS`. */
export const sizes: ReadonlySet<string> = new Set(['LIMIT', 'SAMPLE', 'TABLESAMPLE'])

/**
 * Returns whether a bracket or a name follows `* EXCLUDE`. In a product with a column of that name, the
 * expression ends or continues otherwise.
 */
function isStarList(after: Word | undefined): boolean {
  if (after?.kind === 'quoted' || after?.text === '(') return true
  return after?.kind === 'word' && !['FROM', 'AS'].includes(after.text.toUpperCase())
}

const timeUnit = /^(?:(?:micro|milli)?seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?)$/i

/**
 * Returns whether the word ends a frame bound: `6 PRECEDING`, `INTERVAL '1 day' PRECEDING`, `INTERVAL 1 day
 * PRECEDING`, `(1 + 1) PRECEDING`.
 */
function isFrameBound(before: Word | undefined): boolean {
  if (before === undefined) return false
  return ['number', 'string'].includes(before.kind) || before.text === ')' || timeUnit.test(before.text)
}

/** Returns whether the token may come before an operator that is a word. */
function isOperand(token: Word | undefined): boolean {
  if (token === undefined) return false
  if (token.kind === 'operator') return token.text === '*'
  return !['(', ',', '[', '{', ':'].includes(token.text) && !beforeOperand.has(token.text.toUpperCase())
}

const beforeOperand = wordSet('SELECT DISTINCT BY WHERE AND OR ON HAVING WHEN THEN')
