/**
 * One test as SQL, for any dialect. A test becomes one or two numbers that a scan of the asset can take on the way
 * (so that all tests of an asset are one scan), a reading of those numbers as a count of failures, and a query of the
 * rows that fail. NULL is the business of `not_null` alone: every other kind lets it pass, as a SQL CHECK does.
 */
import type { DataTest, JsonScalar, SqlTemplate } from '@svc/server/language'
import type { Dialect } from '../warehouse/dialect.ts'

export interface MeasureContext {
  readonly dialect: Dialect
  /** What `{{ this }}` is in a FROM clause. */
  readonly relation: string
  /** A column in SQL, by the name that a test has for it; of the asset itself unless another one is named. */
  readonly column: (name: string, asset?: string) => string
  /** What another asset is in a FROM clause; throws SvcError when it has no build. */
  readonly relationOf: (asset: string) => string
  /** The version that is live now, for `row_count: {change}`; undefined: none. */
  readonly baseline: { readonly relation: string; readonly rows: number | undefined } | undefined
  /** The compiled query of a `sql` test. */
  readonly compile: (template: SqlTemplate) => string
  readonly template: SqlTemplate | undefined
  readonly nowMs: number
}

export interface Measure {
  /** Aggregates over the rows of the asset, usable side by side in one SELECT list. */
  readonly aggregates: readonly string[]
  /** Scalar subqueries of their own: what one pass cannot count (groups, other relations). */
  readonly subqueries: readonly string[]
  /** From the numbers, aggregates first, to failures; a message where the count alone does not say it. */
  readonly read: (numbers: readonly (number | null)[]) => Reading
  /** The failing rows; undefined where a count is all there is to show. */
  readonly rows: string | undefined
}

export interface Reading {
  readonly failures: number
  readonly message: string
}

export function measureOf(test: DataTest, context: MeasureContext): Measure {
  switch (test.kind) {
    case 'unique':
      return uniqueMeasure(test, context)
    case 'relationships':
      return relationshipMeasure(test, context)
    case 'row_count':
      return rowCountMeasure(test, context)
    case 'fresh':
      return freshMeasure(test, context)
    case 'sql':
      return sqlMeasure(test, context)
    default:
      return rowMeasure(test, context)
  }
}

type Of<Kind extends DataTest['kind']> = Extract<DataTest, { kind: Kind }>

// ---------------------------------------------------------------- a condition on each row

type RowTest = Of<'not_null' | 'accepted_values' | 'range' | 'matches' | 'expression'>

function rowMeasure(test: RowTest, context: MeasureContext): Measure {
  const { relation } = context
  const failing = both(failingCondition(test, context), test.where)
  return {
    aggregates: [`count(*) FILTER (WHERE ${failing})`],
    subqueries: [],
    read: counted(count => `${rows(count)} ${rowMessage(test)}`),
    rows: `SELECT * FROM ${relation} WHERE ${failing}`,
  }
}

function failingCondition(test: RowTest, { dialect, column: columnOf }: MeasureContext): string {
  if (test.kind === 'expression') return `NOT ${enclosed(test.expression)}`
  const column = columnOf(test.column)
  switch (test.kind) {
    case 'not_null':
      return `${column} IS NULL`
    case 'accepted_values':
      return notAccepted(column, test.values, dialect)
    case 'range':
      return outside(column, test, dialect)
    case 'matches':
      return `${column} IS NOT NULL AND NOT ${dialect.matches(dialect.toText(column), test.pattern)}`
  }
}

function notAccepted(column: string, values: readonly JsonScalar[], dialect: Dialect): string {
  const wanted = values.filter(value => value !== null)
  if (wanted.length === 0) return `${column} IS NOT NULL`
  const oneKind = new Set(wanted.map(value => typeof value)).size === 1
  const list = wanted.map(value => dialect.literal(oneKind ? value : String(value))).join(', ')
  return `${oneKind ? column : dialect.toText(column)} NOT IN (${list})`
}

function outside(column: string, test: Of<'range'>, dialect: Dialect): string {
  const equal = test.strict ? '=' : ''
  const bounds: string[] = []
  if (given(test.min)) bounds.push(`${column} <${equal} ${dialect.literal(test.min)}`)
  if (given(test.max)) bounds.push(`${column} >${equal} ${dialect.literal(test.max)}`)
  return bounds.length === 0 ? 'FALSE' : `(${bounds.join(' OR ')})`
}

function rowMessage(test: RowTest): string {
  switch (test.kind) {
    case 'not_null':
      return `without ${test.column}`
    case 'accepted_values':
      return `with a ${test.column} that is not one of ${test.values.map(String).join(', ')}`
    case 'range':
      return `with ${test.column} outside ${rangeText(test)}`
    case 'matches':
      return `with a ${test.column} that does not match ${test.pattern}`
    case 'expression':
      return `where ${test.expression.trim()} does not hold`
  }
}

function rangeText(test: Of<'range'>): string {
  const edges = [
    ...(given(test.min) ? [`${test.strict ? 'above' : 'at least'} ${test.min}`] : []),
    ...(given(test.max) ? [`${test.strict ? 'below' : 'at most'} ${test.max}`] : []),
  ]
  return edges.join(' and ')
}

// ---------------------------------------------------------------- groups and other relations

function uniqueMeasure(test: Of<'unique'>, { column, relation }: MeasureContext): Measure {
  const columns = test.columns.map(name => column(name))
  const list = columns.join(', ')
  // As in a UNIQUE constraint, a row without one of its values repeats nothing.
  const looked = both(columns.map(column => `${column} IS NOT NULL`).join(' AND '), test.where)
  const groups = `FROM ${relation} WHERE ${looked} GROUP BY ${list} HAVING count(*) > 1`
  const what = columns.length === 1 ? 'value' : 'combination'
  return {
    aggregates: [],
    subqueries: [`SELECT count(*) FROM (SELECT ${list} ${groups}) AS repeated`],
    read: counted(
      count => `${count} ${what}${count === 1 ? '' : 's'} of ${test.columns.join(', ')} more than once`,
    ),
    rows: `SELECT ${list}, count(*) AS times ${groups} ORDER BY times DESC, ${list}`,
  }
}

function relationshipMeasure(test: Of<'relationships'>, context: MeasureContext): Measure {
  const column = context.column(test.column)
  const where = both(`${column} IS NOT NULL`, test.where)
  const orphans = `(SELECT * FROM ${context.relation} WHERE ${where}) AS child
    WHERE NOT EXISTS (SELECT 1 FROM ${context.relationOf(test.toAsset)} AS parent
      WHERE parent.${context.column(test.toColumn, test.toAsset)} = child.${column})`
  return {
    aggregates: [],
    subqueries: [`SELECT count(*) FROM ${orphans}`],
    read: counted(
      count => `${rows(count)} with a ${test.column} that is not in ${test.toAsset}.${test.toColumn}`,
    ),
    rows: `SELECT child.* FROM ${orphans}`,
  }
}

function sqlMeasure(test: Of<'sql'>, context: MeasureContext): Measure {
  if (context.template === undefined) throw new Error(`the sql test "${test.name}" has no text`)
  const from = `(\n${context.compile(context.template)}\n) AS returned`
  const filter = test.where === undefined ? '' : ` WHERE ${enclosed(test.where)}`
  return {
    aggregates: [],
    subqueries: [`SELECT count(*) FROM ${from}${filter}`],
    read: counted(count => `${rows(count)} returned`),
    rows: `SELECT * FROM ${from}${filter}`,
  }
}

// ---------------------------------------------------------------- the whole relation

function rowCountMeasure(test: Of<'row_count'>, context: MeasureContext): Measure {
  const filter = test.where === undefined ? '' : ` FILTER (WHERE ${enclosed(test.where)})`
  const asked = test.changePercent !== undefined && context.baseline !== undefined
  const known = test.where === undefined ? context.baseline?.rows : undefined
  const counts = asked && known === undefined
  return {
    aggregates: [`count(*)${filter}`],
    subqueries: counts ? [`SELECT count(*)${filter} FROM ${context.baseline?.relation}`] : [],
    read: ([count, before]) =>
      missedBound(test, count ?? 0, asked ? (known ?? before ?? undefined) : undefined),
    rows: undefined,
  }
}

/** `failures` is how many rows lie beyond the bound that is missed most. */
function missedBound(test: Of<'row_count'>, count: number, before: number | undefined): Reading {
  if (test.min !== undefined && count < test.min) {
    return { failures: test.min - count, message: `${rows(count)}, at least ${test.min} expected` }
  }
  if (test.max !== undefined && count > test.max) {
    return { failures: count - test.max, message: `${rows(count)}, at most ${test.max} expected` }
  }
  // From an empty table every growth is infinite: that is a first load, not a change.
  if (test.changePercent === undefined || before === undefined || before === 0) return none
  const allowed = (before * test.changePercent) / 100
  const moved = Math.abs(count - before)
  if (moved <= allowed) return none
  const percent = Math.round((moved / before) * 1000) / 10
  return {
    failures: Math.ceil(moved - allowed),
    message: `${rows(count)} after ${before}: ${percent} % ${count < before ? 'fewer' : 'more'}, ${test.changePercent} % allowed`,
  }
}

function freshMeasure(test: Of<'fresh'>, context: MeasureContext): Measure {
  const { dialect, nowMs } = context
  const column = context.column(test.column)
  const filter = test.where === undefined ? '' : ` FILTER (WHERE ${enclosed(test.where)})`
  return {
    aggregates: [dialect.epochSeconds(`max(${column})${filter}`)],
    subqueries: [],
    read: ([newest]) => freshness(test, newest ?? undefined, nowMs),
    rows: undefined,
  }
}

function freshness(test: Of<'fresh'>, newestSeconds: number | undefined, nowMs: number): Reading {
  if (newestSeconds === undefined) return { failures: 1, message: `no row has a ${test.column}` }
  const ageMs = nowMs - newestSeconds * 1000
  if (ageMs <= test.withinMs) return none
  return {
    failures: 1,
    message: `the newest ${test.column} is ${duration(ageMs)} old, ${duration(test.withinMs)} allowed`,
  }
}

// ---------------------------------------------------------------- words

const none: Reading = { failures: 0, message: '' }

function counted(message: (count: number) => string): Measure['read'] {
  return ([count]) => ({ failures: count ?? 0, message: message(count ?? 0) })
}

function rows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`
}

/** A number of milliseconds in the largest unit that leaves it readable: `26 h`, `3 d`. */
export function duration(ms: number): string {
  const minutes = ms / 60_000
  if (minutes < 2) return `${Math.round(ms / 1000)} s`
  if (minutes < 120) return `${Math.round(minutes)} min`
  if (minutes < 60 * 48) return `${Math.round(minutes / 60)} h`
  return `${Math.round(minutes / 60 / 24)} d`
}

function given(value: JsonScalar | undefined): value is string | number | boolean {
  return value !== undefined && value !== null
}

function both(condition: string, where: string | undefined): string {
  return where === undefined ? condition : `(${condition}) AND ${enclosed(where)}`
}

/** The user's own words, safe from a comment at their end. */
function enclosed(expression: string): string {
  return `(${expression}\n)`
}
