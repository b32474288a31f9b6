/**
 * Converts values from PostgreSQL to JSON-safe values (warehouse.ts, `JsonRow`), and to typed parameters for it. Values
 * that a JavaScript number cannot hold exactly stay text.
 */
import pg from 'pg'
import type { JsonRow, Value } from '../warehouse.ts'

type Parse = (text: string) => unknown

const oid = { bool: 16, int8: 20, float8: 701, numeric: 1700, unspecified: 0 } as const

const parsers: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [oid.bool, text => text === 't'],
  [oid.int8, integer],
  [21, integer],
  [23, integer],
  [26, integer],
  [700, float],
  [oid.float8, float],
  [1114, timestamp],
  [1184, timestampWithZone],
])

/** The types of elements, by the types of their arrays. */
const elements: ReadonlyMap<number, number> = new Map([
  [1000, 16],
  [1005, 21],
  [1007, 23],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1231, 1700],
  [1009, 25],
  [1015, 1043],
  [1014, 1042],
  [1182, 1082],
  [1115, 1114],
  [1185, 1184],
  [1183, 1083],
  [2951, 2950],
  [199, 114],
  [3807, 3802],
  [1001, 17],
])

const asIs: Parse = text => text

function parserOf(type: number): Parse {
  const element = elements.get(type)
  if (element === undefined) return parsers.get(type) ?? asIs
  const parse = parserOf(element)
  return text => eachValue(textsOf(text), parse)
}

type Texts = string | null | readonly Texts[]

/** An array of texts is read as one, nested arrays and NULL too. */
const textsOf = pg.types.getTypeParser(1009 as never, 'text') as (text: string) => Texts

function eachValue(texts: Texts, parse: Parse): unknown {
  if (typeof texts === 'string') return parse(texts)
  return texts === null ? null : texts.map(each => eachValue(each, parse))
}

function integer(text: string): number | string {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

function float(text: string): number | string {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

function timestamp(text: string): string {
  return text.replace(' ', 'T')
}

/** Sessions are in UTC. */
function timestampWithZone(text: string): string {
  return timestamp(text).replace(/\+00$/, 'Z')
}

const types = { getTypeParser: parserOf } as unknown as pg.CustomTypesConfig

/**
 * A query whose answer is arrays of JSON-safe values. It is sent so that the server takes one statement and no second one
 * behind it.
 */
export function rowsQuery(sql: string, parameters: readonly Value[] = []): pg.QueryArrayConfig {
  const query = parameters.length === 0 ? { text: sql, types } : boundQuery(sql, parameters)
  return { ...query, rowMode: 'array', queryMode: 'extended' } as pg.QueryArrayConfig
}

/**
 * A query with parameters and their types, because a bare `$1` would be a text. The library sends the list `types` as
 * the types of parameters, and asks the same object for parsers of values.
 */
export function boundQuery(sql: string, parameters: readonly Value[]): pg.QueryConfig {
  const ids = parameters.map(typeOf)
  return {
    text: sql,
    values: parameters.map(textOf),
    types: Object.assign(ids, types) as unknown as pg.CustomTypesConfig,
  }
}

const maxBigint = 2n ** 63n - 1n

function typeOf(value: Value): number {
  if (typeof value === 'boolean') return oid.bool
  if (typeof value === 'bigint') return value > maxBigint || value < -maxBigint ? oid.numeric : oid.int8
  if (typeof value === 'number') return Number.isSafeInteger(value) ? oid.int8 : oid.float8
  return oid.unspecified
}

function textOf(value: Value): string | null {
  return value === null ? null : String(value)
}

/** Columns of one name are told apart: `a`, `a:1`. */
export function rowsOf<Row extends JsonRow>({ fields, rows }: pg.QueryArrayResult): Row[] {
  const names = uniqueNames(fields.map(({ name }) => name))
  return rows.map(values => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) define(row, name, values[index] ?? null)
    return row as Row
  })
}

function uniqueNames(names: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return names.map(name => {
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count === 0 ? name : `${name}:${count}`
  })
}

/** A column may be called `__proto__`, which an assignment would lose. */
function define(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') row[name] = value
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true })
}
