/**
 * Values that are read and that the warehouse cannot hold, because its types are narrower than those of the reader: they are
 * misfits like those that no type takes.
 */
import { quoteLiteral, repeatsKeys } from '@svc/server/catalog'
import type { Engine, SqlType, ValueGaps } from '@svc/server/language'
import { type Conversion, columnType } from './conversion.ts'
import type { RecordSource } from './record-source.ts'

/** Returns the source with conversions for which a value that the engine cannot hold does not fit. */
export function storableIn({ types }: Engine, source: RecordSource): RecordSource {
  const { gaps } = types.portable
  // What is in the warehouse it holds.
  if (gaps === undefined || source.inPlace === true) return source
  return {
    ...source,
    conversion(column) {
      const how = source.conversion(column)
      const unheld = unheldAt(types.parse(columnType(column)), gaps, source.hasNul !== false)
      return how === undefined || unheld === undefined ? how : narrowed(how, unheld)
    },
  }
}

type Condition = (value: string) => string

function narrowed(how: Conversion, unheld: Condition): Conversion {
  const isUnheld = (raw: string) => `coalesce(${unheld(how.fitting(raw))}, false)`
  return {
    ...how,
    misfit(raw) {
      const other = how.misfit(raw)
      return other === undefined ? isUnheld(raw) : `(${other} OR ${isUnheld(raw)})`
    },
    fitting: raw => `CASE WHEN ${isUnheld(raw)} THEN NULL ELSE ${how.fitting(raw)} END`,
  }
}

/** A document in a list is looked at with the whole list: no lambda has a query in it. */
function unheldAt(type: SqlType, gaps: ValueGaps, hasNul: boolean): Condition | undefined {
  const other = unheldIn(type, gaps, hasNul, 0)
  if (!hasDocuments(type)) return other
  // A list is no text in between, as which DuckDB does not read its own NULL.
  const document = (value: string) => (type.kind === 'list' ? `to_json(${value})` : `CAST(${value} AS JSON)`)
  const repeats: Condition = value => repeatsKeys(document(value))
  return other === undefined ? repeats : value => `(${other(value)} OR ${repeats(value)})`
}

function hasDocuments(type: SqlType): boolean {
  if (type.kind === 'list') return hasDocuments(type.element)
  return type.kind === 'scalar' && type.name === 'JSON'
}

/** Returns the condition that a value of the type has no place there; undefined if all have one. `depth`: of lists. */
function unheldIn(type: SqlType, gaps: ValueGaps, hasNul: boolean, depth: number): Condition | undefined {
  if (type.kind === 'list') {
    const item = `g${depth}`
    const element = unheldIn(type.element, gaps, hasNul, depth + 1)
    return element && (value => `list_bool_or(list_transform(${value}, lambda ${item}: ${element(item)}))`)
  }
  if (type.kind !== 'scalar') return hasNul ? value => escapesNul(`to_json(${value})`) : undefined
  switch (type.name) {
    case 'VARCHAR':
      return hasNul ? value => `contains(${value}, chr(0))` : undefined
    case 'JSON':
      return hasNul ? escapesNul : undefined
    case 'DATE':
    case 'TIMESTAMP':
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP WITH TIME ZONE':
      return value => isOutside(value, type.name, gaps)
    case 'TIMESTAMP_NS':
      return value => `${value} <> CAST(CAST(${value} AS TIMESTAMP) AS TIMESTAMP_NS)`
    case 'TIME_NS':
      return value => `${value} <> CAST(CAST(${value} AS TIME) AS TIME_NS)`
    default:
      return undefined
  }
}

function isOutside(value: string, type: string, { days: [first, last] }: ValueGaps): string {
  const early = `${value} < ${type} ${quoteLiteral(first)} AND ${value} <> ${type} '-infinity'`
  // All later days are dates: other types end before.
  const late = `${value} > DATE ${quoteLiteral(last)} AND ${value} <> DATE 'infinity'`
  return type === 'DATE' ? `((${early}) OR (${late}))` : `(${early})`
}

/** Two backslashes are one of the text, and no escape begins with the second. */
function escapesNul(value: string): string {
  const text = `CAST(${value} AS VARCHAR)`
  return `(contains(${text}, '\\u0000') AND regexp_matches(${text}, '(?:^|[^\\\\])(?:\\\\\\\\)*\\\\u0000'))`
}
