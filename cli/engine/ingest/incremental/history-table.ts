/** Builds the SELECT of all versions of the records of a source (`write: scd2`): those of the load before, and new ones. */
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import { type Column, internalNames, validFrom, validTo } from '@svc/server/language'
import type { FetchedTable } from '../source.ts'
import type { JoinedTable, Joining } from './joined-table.ts'
import type { LoadedRows } from './loaded-rows.ts'
import { onlyBefore, sameValues, selectOf } from './select-columns.ts'

/**
 * A version ends when its record has changed, and, where a load brings all records, when the record is gone. A record that
 * comes back begins a new version.
 */
export function historyTable(
  table: FetchedTable,
  before: LoadedRows | undefined,
  joining: Joining,
): JoinedTable {
  if (before === undefined) throw new Error('a load that keeps versions has a table')
  const columns = [...table.columns, ...onlyBefore(table.columns, before.columns)]
  const parts = {
    columns,
    loaded: selectOf(columns, before.columns, `SELECT * FROM ${before.from} AS ${own.loaded}`),
    came: selectOf(columns, table.columns, table.sql),
  }
  return { columns, sql: `${keptVersions(parts, joining)} UNION ALL ${newVersions(parts)}` }
}

const own = internalNames('loaded', 'came')

interface Parts {
  readonly columns: readonly Column[]
  /** A SELECT of all versions of the load before. */
  readonly loaded: string
  /** A SELECT of the records that came. */
  readonly came: string
}

function keptVersions(parts: Parts, { base, primaryKey, loadedAt }: Joining): string {
  const { columns, loaded, came } = parts
  const same = sameRecord(columns)
  const isGone = `${own.came}.${validFrom} IS NULL`
  const ends =
    base.current === undefined ? `NOT (${isGone}) AND NOT (${same})` : `(${isGone} OR NOT (${same}))`
  const end = `CASE WHEN ${own.loaded}.${validTo} IS NULL AND ${ends} THEN CAST(${quoteLiteral(loadedAt)} AS TIMESTAMPTZ) ELSE ${own.loaded}.${validTo} END`
  const values = columns.map(({ name }) =>
    name === validTo ? `${end} AS ${validTo}` : `${own.loaded}.${quoteName(name)}`,
  )
  const key = columns.map(({ name }) => name).filter(name => primaryKey.includes(name))
  const sameKey = sameValues(key, own.loaded, own.came)
  return `SELECT ${values.join(', ')} FROM (${loaded}) AS ${own.loaded} LEFT JOIN (${came}) AS ${own.came} ON ${own.loaded}.${validTo} IS NULL AND ${sameKey}`
}

function newVersions({ columns, loaded, came }: Parts): string {
  const same = sameRecord(columns)
  return `SELECT ${own.came}.* FROM (${came}) AS ${own.came} WHERE NOT EXISTS (SELECT 1 FROM (${loaded}) AS ${own.loaded} WHERE ${own.loaded}.${validTo} IS NULL AND ${same})`
}

function sameRecord(columns: readonly Column[]): string {
  const values = columns.map(({ name }) => name).filter(name => name !== validFrom && name !== validTo)
  return sameValues(values, own.loaded, own.came)
}
