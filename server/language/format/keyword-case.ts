/**
 * Which words of a query are keywords where they stand. sql-formatter decides by the word alone; a word after `AS` or
 * beside a dot is a name, whose case is the user's, and some keywords are no reserved words to it.
 */

export interface Word {
  readonly kind: string
  readonly text: string
}

/** As the word is to be written: upper-case where it is a keyword, else as in the source. */
export function wordCase(source: readonly Word[], index: number, proposed: string): string {
  const written = source[index]?.text ?? proposed
  const upper = written.toUpperCase()
  const before = source[index - 1]
  const after = source[index + 1]
  if (before?.text === '.' || after?.text === '.') return written
  const isAfterAs = before?.kind === 'word' && before.text.toUpperCase() === 'AS'
  if (isAfterAs) return isMaterialized(upper, after) ? upper : written
  return isKeywordHere(upper, before, after) ? upper : proposed
}

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
      return (previous === '*' || previous === ')') && next === '('
    case 'MATERIALIZED':
      return previous === 'NOT'
    case 'CAST':
    case 'TRY_CAST':
    case 'EXISTS':
      return next === '('
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

const timeUnit = /^(?:(?:micro|milli)?seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?)$/i

/** `6 PRECEDING`, `INTERVAL '1 day' PRECEDING`, `INTERVAL 1 day PRECEDING`, `(1 + 1) PRECEDING`. */
function isFrameBound(before: Word | undefined): boolean {
  if (before === undefined) return false
  return ['number', 'string'].includes(before.kind) || before.text === ')' || timeUnit.test(before.text)
}

/** What may stand before an operator made of letters. */
function isOperand(token: Word | undefined): boolean {
  if (token === undefined) return false
  if (token.kind === 'operator') return token.text === '*'
  return !['(', ',', '[', '{', ':'].includes(token.text) && !beforeOperand.has(token.text.toUpperCase())
}

const beforeOperand = new Set([
  'SELECT',
  'DISTINCT',
  'BY',
  'WHERE',
  'AND',
  'OR',
  'ON',
  'HAVING',
  'WHEN',
  'THEN',
])
