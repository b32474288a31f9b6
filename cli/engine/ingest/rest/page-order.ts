/**
 * Judges whether the records of pages come in the order of the cursor, as `incremental.order` says. Under `desc` it finds the
 * page that reaches the end of the load before: all behind it is loaded already. A source that is not in order would lose
 * records that way, so that the first one out of order is an error.
 */
import {
  type FoundRecord,
  findColumn,
  isNumeric,
  isPointInTime,
  type JsonShape,
  type RawColumn,
  rawTables,
  recordType,
} from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { columnType } from '../conversion.ts'
import { timeOf } from '../incremental/cursor-value.ts'
import type { FetchContext, IngestOf } from '../source.ts'
import { parsedJson } from './parsed-json.ts'

export type PageOrder = NonNullable<ReturnType<typeof createPageOrder>>

type Value = number | string

/** Returns undefined where the source says nothing about its order. */
export function createPageOrder(ingest: IngestOf<'rest_api'>, context: FetchContext) {
  const { incremental } = ingest
  if (incremental?.order === undefined) return undefined
  const { cursor, order, start } = incremental
  const since = context.base?.since ?? start ?? undefined
  let records: Buffer[] = []
  let last: Value | undefined
  return {
    /** Called before the first page of a list of pages. */
    begin(): void {
      last = undefined
    },
    see({ bytes, start: from, end }: FoundRecord): void {
      records.push(Buffer.from(bytes.subarray(from, end)))
    },
    /**
     * Judges the records seen since the page before. Returns whether one is behind the end of the load before.
     * `page`: what an error calls it. Throws `source-shape`.
     */
    reachesEnd(shape: JsonShape, page: string): boolean {
      const seen = records
      records = []
      const { tables } = rawTables(
        ingest,
        context.asset.definition.contract,
        recordType(shape),
        context.engine,
      )
      const column = findColumn(tables[0]?.columns ?? [], cursor, context.engine)
      // A cursor that no record has is an error of the load.
      if (column === undefined) return false
      const read = readerOf(column, context)
      const end = since === undefined ? undefined : read(since)
      let isEnd = false
      for (const [index, record] of seen.entries()) {
        const value = read(valueIn(parsedJson(record), column.path))
        if (value === undefined) continue
        if (last !== undefined && isWrong(last, value, order))
          throw outOfOrder(cursor, order, page, index + 1)
        last = value
        isEnd ||= order === 'desc' && end !== undefined && isBefore(value, end)
      }
      return isEnd
    },
  }
}

/** Returns how a value is compared: as the column would be in the warehouse. */
function readerOf(column: RawColumn, { engine }: FetchContext): (value: unknown) => Value | undefined {
  const family = engine.types.family(engine.types.parse(columnType(column)))
  if (isNumeric(family)) return value => finite(Number(value ?? Number.NaN))
  if (isPointInTime(family)) return value => timeOf(String(value))
  return value => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}

function valueIn(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined,
    record,
  )
}

/** Both are numbers or both texts, unless a page has made the column another one: then nothing can be told. */
function isBefore(a: Value, b: Value): boolean {
  return typeof a === typeof b && a < b
}

function isWrong(before: Value, value: Value, order: 'asc' | 'desc'): boolean {
  return order === 'asc' ? isBefore(value, before) : isBefore(before, value)
}

function outOfOrder(cursor: string, order: 'asc' | 'desc', page: string, record: number): SvcError {
  const words =
    order === 'asc' ? 'before the record that came before it' : 'behind the record that came before it'
  return new SvcError(
    'source-shape',
    `${page}, record ${record}: "${cursor}" is ${words}, and incremental.order says ${order}`,
    {
      hint: 'Ask the service for that order, such as with params: {sort: …}, or take incremental.order out: then all pages are read.',
    },
  )
}
