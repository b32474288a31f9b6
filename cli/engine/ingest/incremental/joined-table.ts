/** Builds the SELECT that joins the new records of an incremental load with the load that it continues. */
import { quoteLiteral, quoteName } from '@svc/server/catalog'
import { type Column, internalNames, type RawTable } from '@svc/server/language'
import type { FetchedTable } from '../source.ts'
import type { LoadBase } from './base.ts'
import { historyTable } from './history-table.ts'
import type { KeptColumns } from './kept-columns.ts'
import { loadedRows } from './loaded-rows.ts'
import { childrenOf, parentOf } from './new-records.ts'
import { onlyBefore, sameValues, selectOf } from './select-columns.ts'

const { added, loaded } = internalNames('added', 'loaded')

/** How new records join those of the load before. */
export interface Joining {
  readonly base: LoadBase
  readonly write: 'append' | 'merge' | 'scd2'
  /** From when on the new records are valid, as ISO time. */
  readonly loadedAt: string
  /** The columns that identify a record; empty where nothing does. */
  readonly primaryKey: readonly string[]
  /** What becomes of the columns of the load before, where the source is defined in another way now. */
  readonly kept?: KeptColumns
}

export interface JoinedTable {
  readonly sql: string
  readonly columns: readonly Column[]
}

/** @param tables the new records: first the table of `{{ source }}`, then its child tables */
export function joinedTable(
  child: string | undefined,
  tables: readonly FetchedTable[],
  joining: Joining,
): JoinedTable {
  const table = fetchedOf(child, tables)
  const before = loadedRows(child, table.columns, joining)
  if (joining.write === 'scd2') return historyTable(table, before, joining)
  const columns = [...table.columns, ...onlyBefore(table.columns, before?.columns ?? [])]
  const fresh = selectOf(columns, table.columns, newPart(table.shape, tables, joining))
  if (before === undefined) return { sql: fresh, columns }
  const kept = selectOf(columns, before.columns, keptPart(table.shape, tables, joining))
  return { sql: `${kept} UNION ALL ${fresh}`, columns }
}

function newPart(shape: RawTable, tables: readonly FetchedTable[], joining: Joining): string {
  const { sql, columns } = fetchedOf(shape.child, tables)
  const parent = parentIn(shape, tables)
  if (parent !== undefined) return childrenOf(sql, newPart(parent, tables, joining))
  return joining.write === 'merge' || isNew(joining) ? sql : withoutLoaded(sql, columns, joining)
}

/** Of files that are loaded once each, no record comes again, and equal ones are several. */
function isNew({ base, primaryKey }: Joining): boolean {
  return base.cursor === undefined && base.restarts === undefined && primaryKey.length === 0
}

/** The records at the end of the load before come again: what is there is not added a second time. */
function withoutLoaded(sql: string, columns: readonly Column[], joining: Joining): string {
  const { base, primaryKey, kept } = joining
  const { load, cursor, since } = base
  const rows = loadedRows(undefined, columns, joining)
  const before = new Map(rows?.columns.map(({ name }) => [name.toLowerCase(), name]))
  const same = (name: string) => {
    const earlier = before.get(name.toLowerCase())
    return earlier === undefined
      ? `${added}.${quoteName(name)} IS NULL`
      : `${loaded}.${quoteName(earlier)} IS NOT DISTINCT FROM ${added}.${quoteName(name)}`
  }
  const identifying =
    primaryKey.length > 0
      ? primaryKey
      : columns.map(({ name }) => name).filter(name => !name.startsWith('_svc_'))
  const near =
    primaryKey.length > 0 || cursor === undefined || since === undefined || kept !== undefined
      ? []
      : [`${loaded}.${quoteName(cursor)} >= ${typedLiteral(since, cursor, load.columns)}`]
  const conditions = [...near, ...identifying.map(same)].join(' AND ')
  return `SELECT * FROM (${sql}) AS ${added} WHERE NOT EXISTS (SELECT 1 FROM ${rows?.from} AS ${loaded} WHERE ${conditions})`
}

function typedLiteral(text: string, name: string, columns: readonly Column[]): string {
  const type = columns.find(column => column.name === name)?.type ?? 'VARCHAR'
  return `CAST(${quoteLiteral(text)} AS ${type})`
}

function keptPart(shape: RawTable, tables: readonly FetchedTable[], joining: Joining): string {
  const { sql, columns } = fetchedOf(shape.child, tables)
  const before = loadedRows(shape.child, columns, joining)
  if (before === undefined) throw new Error(`the load before has no table "${shape.child ?? ''}"`)
  const all = `SELECT * FROM ${before.from} AS ${loaded}`
  if (joining.write === 'append') return all
  const parent = parentIn(shape, tables)
  if (parent !== undefined) return childrenOf(all, keptPart(parent, tables, joining))
  const same = sameValues(joining.primaryKey, loaded, added)
  return `${all} WHERE NOT EXISTS (SELECT 1 FROM (${sql}) AS ${added} WHERE ${same})`
}

function fetchedOf(child: string | undefined, tables: readonly FetchedTable[]): FetchedTable {
  const table = tables.find(({ shape }) => shape.child === child)
  if (table === undefined) throw new Error(`nothing was fetched for the table "${child ?? ''}"`)
  return table
}

function parentIn(shape: RawTable, tables: readonly FetchedTable[]): RawTable | undefined {
  return parentOf(
    shape,
    tables.map(table => table.shape),
  )
}
