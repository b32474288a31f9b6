/** The SQL that asks a database for the rows of a table or query. */
import type { IngestOf } from '../source.ts'
import type { DatabaseColumn, Since } from './database.ts'

type SqlIngest = IngestOf<'sql'>

export type Quote = (name: string) => string

export function quoteWith(mark: string): Quote {
  return name => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
}

/** Returns the parts of `schema.table`; a part in quotes may have dots. */
export function tableParts(resource: string): readonly string[] {
  const parts = resource.match(/"(?:[^"]|"")+"|`(?:[^`]|``)+`|[^.]+/g) ?? []
  return parts.map(part => {
    const [mark = ''] = part
    return mark === '"' || mark === '`' ? part.slice(1, -1).replaceAll(mark + mark, mark) : part.trim()
  })
}

/** Writes `schema.table` so that it is read back as these parts. */
export function resourceOf(parts: readonly string[]): string {
  return parts.map(part => (/^[^."`]+$/.test(part) ? part : quoteWith('"')(part))).join('.')
}

/** Returns what stands behind FROM. A query stands on lines of its own, so that its last comment ends with it. */
export function relationIn({ resource, query }: SqlIngest, quote: Quote): string {
  if (query !== undefined) return `(\n${query.replace(/[\s;]+$/, '')}\n) AS source`
  return `${tableParts(resource ?? '')
    .map(quote)
    .join('.')} AS source`
}

/** Returns the condition in SQL; the database takes the text for a value of the column's type. */
export function sinceIn(since: Since | undefined, quote: Quote): string | undefined {
  if (since === undefined) return undefined
  const column = quote(since.column)
  return `(${column} >= '${since.value.replaceAll("'", "''")}' OR ${column} IS NULL)`
}

export function selectOf(
  columns: readonly Pick<DatabaseColumn, 'select'>[],
  relation: string,
  {
    where,
    range,
    since,
    split,
    limits,
  }: Pick<SqlIngest, 'where' | 'split' | 'limits'> & {
    readonly range: string | undefined
    readonly since: string | undefined
  },
): string {
  const conditions = [where === undefined ? undefined : `(\n${where}\n)`, range, since].filter(
    each => each !== undefined,
  )
  const filter = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  // Parts have no common end: what is too many is left out when they are loaded.
  const most = split === undefined && limits.maxRows !== undefined ? ` LIMIT ${limits.maxRows}` : ''
  return `SELECT ${columns.map(({ select }) => select).join(', ')} FROM ${relation}${filter}${most}`
}
