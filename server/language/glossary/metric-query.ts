/** The query that computes a metric: as it is written, or broken down by time and columns. */
import type { Engine } from '../engines/engine.ts'
import { readSql } from '../sql/reader/read-sql.ts'
import type { Query, Select } from '../sql/tree.ts'
import type { Metric } from './glossary.ts'

export interface MetricBreakdown {
  /** Column with the time; one row a period of `time_grain`. */
  readonly time: string | undefined
  /** Whether that column holds days without a time of day, whose months, for example, are days too. */
  readonly isDate?: boolean
  readonly by: readonly string[]
  /** A condition in SQL on the rows that are computed with. */
  readonly where: string | undefined
}

export type MetricQuery =
  | { readonly sql: string }
  /** Why there is none, and what to do. */
  | { readonly problem: string; readonly hint: string }

/** An expression is computed over its one source asset; a SELECT is a query of its own. */
const beginsQuery = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()*(?:SELECT|WITH|FROM|VALUES|PIVOT|UNPIVOT)\b/i

export function isWholeQuery(sql: string): boolean {
  return beginsQuery.test(sql)
}

export function metricQuery(metric: Metric, breakdown: MetricBreakdown, engine: Engine): MetricQuery {
  const text = metric.expression?.trim() ?? ''
  if (text === '')
    return { problem: 'it has no sql_definition', hint: 'svc glossary edit --set sql_definition=… adds it.' }
  if (breakdown.time !== undefined && metric.timeGrain === undefined)
    return {
      problem: 'it has no time_grain',
      hint: 'It says how long the periods of --time are: day, month, …',
    }
  const parts = isWholeQuery(text) ? partsOfQuery(text, engine) : partsOfExpression(text, metric, engine)
  const isPlain = breakdown.time === undefined && breakdown.by.length === 0 && breakdown.where === undefined
  if ('problem' in parts) return isPlain && isWholeQuery(text) ? { sql: text } : parts
  return isPlain && isWholeQuery(text) ? { sql: text } : { sql: brokenDown(metric, parts, breakdown, engine) }
}

interface Parts {
  readonly items: string
  /** With its FROM. */
  readonly from: string
  readonly where: string | undefined
}

type PartsOrProblem = Parts | { readonly problem: string; readonly hint: string }

function partsOfExpression(text: string, metric: Metric, { quote }: Engine): PartsOrProblem {
  const [asset, ...others] = metric.sourceAssets
  if (asset === undefined || others.length > 0)
    return {
      problem: `its sql_definition is an expression over ${asset === undefined ? 'no asset' : 'several assets'}`,
      hint: "Name one in source_assets, or write a SELECT with {{ ref('asset') }}.",
    }
  const name = metric.id.slice(metric.id.indexOf('.') + 1)
  return { items: `${text}\n AS ${quote(name)}`, from: `FROM {{ ref('${asset}') }}`, where: undefined }
}

/** A SELECT whose groups, order or steps mean something of their own cannot be broken down. */
function partsOfQuery(text: string, engine: Engine): PartsOrProblem {
  const reading = readSql(text, engine.grammar)
  const [query, ...more] = reading.statements
  const select =
    query === undefined || more.length > 0 || reading.problems.length > 0 ? undefined : simple(query)
  const [first, last] = [select?.items[0], select?.items.at(-1)]
  const from = select?.clauses.find(({ kind }) => kind === 'from')
  if (select === undefined || first === undefined || last === undefined || from === undefined)
    return {
      problem: 'its sql_definition cannot be broken down',
      hint: 'That needs an expression, or one SELECT … FROM … WHERE without WITH, DISTINCT, GROUP BY, ORDER BY and LIMIT.',
    }
  const where = select.clauses.find(({ kind }) => kind === 'where')
  return {
    items: text.slice(first.start, last.end),
    from: text.slice(from.start, where?.start ?? select.end),
    where: where === undefined ? undefined : text.slice(where.bodyStart, select.end),
  }
}

const simpleClauses: ReadonlySet<string> = new Set(['select', 'from', 'where'])

function simple({ ctes, body, orderBy, orderByAll, limit, offset, clauses }: Query): Select | undefined {
  const isBare = ctes.length === 0 && orderBy.length === 0 && orderByAll === undefined
  if (!isBare || limit !== undefined || offset !== undefined) return undefined
  if (body.kind !== 'select' || body.distinct || body.selectWord === undefined) return undefined
  const all = [...clauses, ...body.clauses]
  return all.every(({ kind }) => simpleClauses.has(kind)) ? body : undefined
}

function brokenDown(metric: Metric, parts: Parts, breakdown: MetricBreakdown, engine: Engine): string {
  const { by, where } = breakdown
  const groups = [
    ...periodOf(metric.timeGrain ?? '', breakdown, engine),
    ...by.map(name => column(name, engine)),
  ]
  const conditions = [parts.where, where].flatMap(each => (each === undefined ? [] : [`(${each}\n)`]))
  const numbers = groups.map((_, index) => index + 1).join(', ')
  return [
    `SELECT ${[...groups, parts.items].join(', ')}`,
    parts.from,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`]),
    ...(groups.length === 0 ? [] : [`GROUP BY ${numbers}`, `ORDER BY ${numbers}`]),
  ].join('\n')
}

const withinDay: ReadonlySet<string> = new Set(['second', 'minute', 'hour'])

/** Engines differ in what they make of the period of a date: it stays a date where it is not shorter than a day. */
function periodOf(
  grain: string,
  { time, isDate = false }: MetricBreakdown,
  engine: Engine,
): readonly string[] {
  if (time === undefined) return []
  const value = column(time, engine)
  const period = `date_trunc('${grain}', ${isDate ? `CAST(${value} AS timestamp)` : value})`
  const isDay = isDate && !withinDay.has(grain)
  return [`${isDay ? `CAST(${period} AS date)` : period} AS ${engine.quote(grain)}`]
}

/** A name as people write it, also with the table before it; keywords and all else are quoted. */
function column(name: string, { words, fold, quote }: Engine): string {
  if (!/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)?$/u.test(name)) return quote(name)
  return name
    .split('.')
    .map(part => (words.reserved.has(fold(part)) ? quote(fold(part)) : part))
    .join('.')
}
