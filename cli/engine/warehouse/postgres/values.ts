/**
 * Converts values from PostgreSQL to JSON-safe values (warehouse.ts, `JsonRow`). Values that a
 * JavaScript number cannot hold exactly stay text.
 */
import pg from 'pg'
import { setColumn } from '../json-row.ts'
import type { JsonRow } from '../warehouse.ts'

type Parse = (text: string) => unknown

const parsers: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [16, text => text === 't'],
  [20, integer],
  [21, integer],
  [23, integer],
  [26, integer],
  [700, float],
  [701, float],
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
export function rowsQuery(sql: string): pg.QueryArrayConfig {
  return { text: sql, types, rowMode: 'array', queryMode: 'extended' } as pg.QueryArrayConfig
}

/** Columns of one name are told apart: `a`, `a:1`. */
export function rowsOf<Row extends JsonRow>({ fields, rows }: pg.QueryArrayResult): Row[] {
  const names = uniqueNames(fields.map(({ name }) => name))
  return rows.map(values => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) setColumn(row, name, values[index] ?? null)
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
