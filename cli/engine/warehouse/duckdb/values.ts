/**
 * Converts values from DuckDB to JSON-safe values (warehouse.ts, `JsonRow`). Values that a JavaScript number cannot hold exactly become text.
 */
import {
  DuckDBArrayValue,
  DuckDBDateValue,
  DuckDBListValue,
  DuckDBMapValue,
  type DuckDBMaterializedResult,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  DuckDBUnionValue,
  type DuckDBValue,
  DuckDBVariantValue,
} from '@duckdb/node-api'
import { setColumn } from '../json-row.ts'
import type { JsonRow } from '../warehouse.ts'

/**
 * Returns JSON-safe rows: integers are numbers up to 2^53 and text beyond; decimals are text; dates and
 * timestamps are ISO 8601 text (with `Z` for those with a zone); NaN and the infinities are text; lists are
 * arrays; structs and maps are objects; everything else is DuckDB's own text.
 */
export async function rowsOf<Row extends JsonRow>(result: DuckDBMaterializedResult): Promise<Row[]> {
  const names = result.deduplicatedColumnNames()
  const floats = names.map((_, index) => result.columnTypeId(index) === DuckDBTypeId.FLOAT)
  const rows = await result.getRows()
  return rows.map(values => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) {
      const value = values[index] ?? null
      setColumn(
        row,
        name,
        floats[index] && typeof value === 'number' ? shortestFloat(value) : jsonSafe(value),
      )
    }
    return row as Row
  })
}

export function jsonSafe(value: DuckDBValue): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return integer(value)
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(jsonSafe)
  if (value instanceof DuckDBStructValue) return struct(value.entries)
  if (value instanceof DuckDBMapValue) return map(value)
  if (value instanceof DuckDBUnionValue) return jsonSafe(value.value)
  if (value instanceof DuckDBVariantValue) return jsonSafe(value.value)
  return temporal(value) ?? String(value)
}

function temporal(value: object): string | undefined {
  if (value instanceof DuckDBDateValue) {
    if (value.isFinite) return String(value)
    return value.days > 0 ? 'infinity' : '-infinity'
  }
  if (value instanceof DuckDBTimestampTZValue) {
    // The library's own text would be in the time zone of this machine.
    const text = iso(new DuckDBTimestampValue(value.micros))
    return value.isFinite ? `${text}Z` : text
  }
  const isTimestamp =
    value instanceof DuckDBTimestampValue ||
    value instanceof DuckDBTimestampSecondsValue ||
    value instanceof DuckDBTimestampMillisecondsValue ||
    value instanceof DuckDBTimestampNanosecondsValue
  return isTimestamp ? iso(value) : undefined
}

function iso(value: object): string {
  return String(value).replace(' ', 'T')
}

function integer(value: bigint): number | string {
  const isSafe = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
  return isSafe ? Number(value) : String(value)
}

function struct(entries: Readonly<Record<string, DuckDBValue>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, jsonSafe(value)]))
}

/** Converts keys of any type to text, as DuckDB's `to_json` does. */
function map(value: DuckDBMapValue): Record<string, unknown> {
  return Object.fromEntries(value.entries.map(entry => [String(jsonSafe(entry.key)), jsonSafe(entry.value)]))
}

/** Returns a 32-bit float as the shortest decimal that denotes it: 0.1, not 0.10000000149011612. */
function shortestFloat(value: number): number | string {
  if (!Number.isFinite(value)) return String(value)
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}
