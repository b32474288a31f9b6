/**
 * Finds the CTEs of a query by name, and the query that returns the rows of one of them. It works on tokens,
 * so any text will do.
 */
import type { Engine } from '../engines/engine.ts'
import type { SqlToken } from '../engines/sql-token.ts'
import type { SqlTemplate } from '../syntax/template.ts'
import type { PositionMap, Range } from '../text/range.ts'

export interface Cte {
  /** The name without quotes. */
  readonly name: string
  readonly nameRange: Range
  /** The range from its name to the closing bracket of its query. */
  readonly range: Range
}

/** Returns the CTEs of the leading WITH, in order; nested ones are not addressable. */
export function ctesOf(sql: string, engine: Engine): Cte[] {
  const tokens = engine.tokens(sql).filter(({ kind }) => kind !== 'comment')
  const wordAt = (index: number) => wordOf(sql, tokens[index])
  if (wordAt(0) !== 'with') return []
  const ctes: Cte[] = []
  let index = wordAt(1) === 'recursive' ? 2 : 1
  for (;;) {
    const name = tokens[index]
    if (name === undefined || (name.kind !== 'word' && name.kind !== 'quoted')) return ctes
    index = afterBrackets(sql, tokens, index + 1)
    if (wordAt(index) === 'using' && wordAt(index + 1) === 'key')
      index = afterBrackets(sql, tokens, index + 2)
    if (wordAt(index) !== 'as') return ctes
    index++
    if (wordAt(index) === 'not') index++
    if (wordAt(index) === 'materialized') index++
    const end = afterBrackets(sql, tokens, index)
    const last = tokens[end - 1]
    if (end === index || last === undefined) return ctes
    const nameRange = { start: name.start, end: name.end }
    ctes.push({ name: nameOf(sql, name), nameRange, range: { start: name.start, end: last.end } })
    const next = tokens[end]
    if (next === undefined || sql.slice(next.start, next.end) !== ',') return ctes
    index = end + 1
  }
}

/** Returns the query of a CTE for SQL with template tags; tags after the CTE are dropped. */
export function cteTemplate(template: SqlTemplate, name: string, engine: Engine): SqlTemplate | undefined {
  const text = cteQuery(template.text, name, engine)
  const cte = ctesOf(template.text, engine).find(each => engine.sameName(each.name, name))
  const end = cte?.range.end ?? 0
  if (text === undefined) return undefined
  return { text, tags: template.tags.filter(tag => tag.range.end <= end), toFile: withinFile(template, end) }
}

/** Maps positions after the CTE, which are not in the file, to its last character. */
function withinFile({ toFile }: SqlTemplate, end: number): PositionMap {
  const inside = (offset: number): number => Math.min(offset, end)
  return {
    toOriginal: offset => toFile.toOriginal(inside(offset)),
    rangeToOriginal: range =>
      toFile.rangeToOriginal({ start: Math.min(range.start, Math.max(0, end - 1)), end: inside(range.end) }),
  }
}

/**
 * Returns a query for the rows of a CTE; offsets up to its end are those of `sql`. Returns undefined if there
 * is no CTE of that name.
 */
export function cteQuery(sql: string, name: string, engine: Engine): string | undefined {
  const cte = ctesOf(sql, engine).find(each => engine.sameName(each.name, name))
  if (cte === undefined) return undefined
  return `${sql.slice(0, cte.range.end)}\nSELECT * FROM ${engine.quote(cte.name)}`
}

function wordOf(sql: string, token: SqlToken | undefined): string | undefined {
  return token?.kind === 'word' ? sql.slice(token.start, token.end).toLowerCase() : undefined
}

function nameOf(sql: string, { kind, start, end }: SqlToken): string {
  const written = sql.slice(start, end)
  return kind === 'quoted' ? written.slice(1, -1).replaceAll('""', '"') : written
}

/**
 * Returns the position after a pair of round brackets that starts at `index`, or `index` itself if there is
 * none.
 */
function afterBrackets(sql: string, tokens: readonly SqlToken[], index: number): number {
  const at = (position: number) => {
    const token = tokens[position]
    return token?.kind === 'punctuation' ? sql.slice(token.start, token.end) : ''
  }
  if (at(index) !== '(') return index
  let depth = 0
  for (let position = index; position < tokens.length; position++) {
    if (at(position) === '(') depth++
    else if (at(position) === ')' && --depth === 0) return position + 1
  }
  return index
}
