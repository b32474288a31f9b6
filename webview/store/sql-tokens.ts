/**
 * Splits SQL with template tags into coloured pieces, for display only: it never fails, and the pieces
 * together are the text. The real lexer is in `server/language`; loading it would double the size of the
 * page.
 */

export interface SqlToken {
  /** `plain`, `keyword`, `function`, or the name of a group of `shapes`. */
  readonly kind: string
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
  /(?<template>\{\{[\s\S]*?(?:\}\}|$)|\{%[\s\S]*?(?:%\}|$))|(?<comment>--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\{#[\s\S]*?(?:#\}|$))|(?<string>'(?:[^']|'')*(?:'|$))|(?<name>"(?:[^"]|"")*(?:"|$))|(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<word>[A-Za-z_][\w$]*)/giu

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

function kindOf({ 0: text, groups = {} }: RegExpExecArray, next: string | undefined): string {
  const [kind = 'plain'] = Object.keys(groups).filter(name => groups[name] !== undefined)
  if (kind !== 'word') return kind
  if (keywords.has(text.toLowerCase())) return 'keyword'
  return next === '(' ? 'function' : 'plain'
}
