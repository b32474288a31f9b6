/** Builds the SELECT of all versions of the records of a source (`write: scd2`): those of the load before, and new ones. */
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import { type Column, internalNames, validFrom, validTo } from '@svc/server/language'
import type { FetchedTable } from '../source.ts'
import type { JoinedTable, Joining } from './joined-table.ts'
import { nameOf, sameValues, selectOf } from './select-columns.ts'

/**
 * A version ends when its record has changed, and, where a load brings all records, when the record is gone. A record that
 * comes back begins a new version.
 */
export function historyTable(table: FetchedTable, joining: Joining): JoinedTable {
  const columns = columnsOf(table, joining)
  const parts = {
    columns,
    loaded: loadedPart(columns, table, joining),
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

/** Under another definition a column of before may be one that is to be left out now. */
function columnsOf({ columns }: FetchedTable, { base }: Joining): readonly Column[] {
  if (base.restarts === true) return columns
  const known = new Set(columns.map(({ name }) => name.toLowerCase()))
  const before = base.load.columns.filter(({ name }) => !known.has(name.toLowerCase()))
  return [...columns, ...before.map(({ name, type }) => ({ name, type }))]
}

function loadedPart(columns: readonly Column[], { shape }: FetchedTable, { base }: Joining): string {
  const { relation, columns: own } = base.load
  // Whether a value of before is masked, and with which key, is not known under another definition.
  const hidden = base.restarts === true ? shape.columns.filter(({ masked }) => masked !== undefined) : []
  const isHidden = new Set(hidden.map(({ name }) => name))
  const seen = own.filter(({ name }) => !isHidden.has(name))
  return selectOf(columns, seen, `SELECT * FROM ${nameOf(relation)}`)
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
