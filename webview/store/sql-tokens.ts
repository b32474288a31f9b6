/**
 * Splits SQL with template tags into coloured pieces, for display only: it never fails, and the pieces
 * together are the text. The real lexer is in `server/language`; loading it would double the size of the
 * page.
 */

export type SqlTokenKind =
  | 'keyword'
  | 'function'
  | 'string'
  | 'number'
  | 'comment'
  | 'template'
  | 'name'
  | 'plain'

export interface SqlToken {
  readonly kind: SqlTokenKind
  readonly text: string
}

const keywords = new Set(
  `all and anti any array as asc asof between by case cast create cross cube current day desc distinct else end escape
  except exclude exists extract false fetch filter first following for from full glob group grouping having ilike in inner
  intersect interval into is join last lateral left like limit natural not null nulls offset on or order outer over
  partition pivot positional preceding qualify range recursive replace right rollup row rows select semi sets similar
  struct table tablesample then to trailing true try_cast unbounded union unique unnest unpivot using values when where
  window with within`.split(/\s+/),
)

const shapes =
  /(\{\{[\s\S]*?(?:\}\}|$)|\{%[\s\S]*?(?:%\}|$))|(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\{#[\s\S]*?(?:#\}|$))|('(?:[^']|'')*(?:'|$))|("(?:[^"]|"")*(?:"|$))|(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|([A-Za-z_][\w$]*)/giu

export function sqlTokens(text: string): readonly SqlToken[] {
  const tokens: SqlToken[] = []
  let at = 0
  for (const match of text.matchAll(shapes)) {
    if (match.index > at) tokens.push({ kind: 'plain', text: text.slice(at, match.index) })
    at = match.index + match[0].length
    tokens.push({ kind: kindOf(match, text[at]), text: match[0] })
  }
  if (at < text.length) tokens.push({ kind: 'plain', text: text.slice(at) })
  return tokens
}

function kindOf(match: RegExpExecArray, next: string | undefined): SqlTokenKind {
  if (match[1] !== undefined) return 'template'
  if (match[2] !== undefined) return 'comment'
  if (match[3] !== undefined) return 'string'
  if (match[4] !== undefined) return 'name'
  if (match[5] !== undefined) return 'number'
  if (keywords.has(match[0].toLowerCase())) return 'keyword'
  return next === '(' ? 'function' : 'plain'
}
