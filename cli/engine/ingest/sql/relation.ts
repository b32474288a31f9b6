/** The SQL that asks a database for the rows of a table or query. */
import { internalNames } from '@svc/server/language'
import type { IngestOf } from '../source.ts'
import type { Bounds, DatabaseColumn, ReadRows, Span } from './database.ts'

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

const own = internalNames('source', 'least', 'greatest')

/** Returns what stands behind FROM. A query stands on lines of its own, so that its last comment ends with it. */
export function relationIn(
  { resource, query }: SqlIngest,
  { quote, named }: Pick<Dialect, 'quote' | 'named'>,
): string {
  if (query !== undefined) return `(\n${query.replace(/[\s;]+$/, '')}\n) AS ${own.source}`
  const parts = tableParts(resource ?? '')
  return `${named?.(parts) ?? parts.map(quote).join('.')} AS ${own.source}`
}

/** How a database writes what it is asked for. */
export interface Dialect {
  readonly quote: Quote
  /** Returns the name of a table in full; absent where its parts alone can mean nothing else. */
  readonly named?: (parts: readonly string[]) => string
  /** Returns SQL of a value of the cursor; absent where the database takes its text for one of the column's type. */
  readonly written?: (text: string) => string
  /** Returns SQL of a value as a text. */
  readonly textOf: (value: string) => string
}

function boundsIn(bounds: Bounds | undefined, { quote, written = literal }: Dialect): string | undefined {
  if (bounds === undefined) return undefined
  const { from, below, to, withNulls } = bounds
  const column = quote(bounds.column)
  const ends = [
    ...(from === undefined ? [] : [`${column} >= ${written(from)}`]),
    ...(below === undefined ? [] : [`${column} < ${written(below)}`]),
    ...(to === undefined ? [] : [`${column} <= ${written(to)}`]),
  ]
  if (ends.length === 0) return undefined
  return withNulls ? `(${ends.join(' AND ')} OR ${column} IS NULL)` : `(${ends.join(' AND ')})`
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Returns the question for rows. `range`: the condition of a part of them. */
export function selectOf(
  columns: readonly Pick<DatabaseColumn, 'select'>[],
  ingest: SqlIngest,
  { bounds, order, range }: Pick<ReadRows, 'bounds' | 'order'> & { readonly range?: string | undefined },
  dialect: Dialect,
): string {
  const { split, limits } = ingest
  // Parts have no common end: what is too many is left out when they are loaded.
  const most = split === undefined && limits.maxRows !== undefined ? ` LIMIT ${limits.maxRows}` : ''
  // A column of the result may have the same name, and a text for a value.
  const sorted = order === undefined ? '' : ` ORDER BY ${own.source}.${dialect.quote(order)}`
  const from = relationIn(ingest, dialect) + filterOf(ingest, range, boundsIn(bounds, dialect))
  return `SELECT ${columns.map(({ select }) => select).join(', ')} FROM ${from}${sorted}${most}`
}

function filterOf({ where }: SqlIngest, ...others: readonly (string | undefined)[]): string {
  const own = where === undefined ? undefined : `(\n${where}\n)`
  const conditions = [own, ...others].filter(each => each !== undefined)
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
}

/** Returns the question for the span of a column. */
export function spanSql(ingest: SqlIngest, bounds: Bounds, dialect: Dialect): string {
  const { quote, textOf } = dialect
  const column = quote(bounds.column)
  const [least, greatest] = [textOf(`min(${column})`), textOf(`max(${column})`)]
  const from = relationIn(ingest, dialect) + filterOf(ingest, boundsIn(bounds, dialect))
  return `SELECT ${least} AS ${own.least}, ${greatest} AS ${own.greatest} FROM ${from}`
}

export function spanOf(row: Readonly<Record<string, unknown>> | undefined): Span | undefined {
  return endsOf(row?.[own.least], row?.[own.greatest])
}

export function endsOf(least: unknown, greatest: unknown): Span | undefined {
  if (least === null || greatest === null || least === undefined || greatest === undefined) return undefined
  return { least: String(least), greatest: String(greatest) }
}
