/** Offers the names that may follow a dot: the columns of a table or the fields of a struct. */
import { uniqueBy } from '../../../lists.ts'
import type { FieldValue, Value } from '../../../sql/binder/values.ts'
import { fieldsOfValue, meantBy, valueBefore } from '../../sql/members.ts'
import { ownTables, type TableInSight } from '../../sql/tables-in-sight.ts'
import { sortKey } from '../completion.ts'
import { likelyTables } from './likely-tables.ts'
import { columnItem } from './sql-columns.ts'
import { type SqlAsk, type SqlItem, typeOf } from './sql-offer.ts'

/** Returns the members. `path` has the names before the dot; undefined if a bracket precedes it. */
export function membersOf(ask: SqlAsk, path: readonly string[] | undefined): readonly SqlItem[] {
  const { scope } = ask
  if (path === undefined) return fieldItems(ask, valueBefore(scope))
  const meant = meantBy(scope, path)
  if (meant?.kind === 'table') return columnsOf(ask, meant.table)
  if (meant !== undefined) return fieldItems(ask, meant.value)
  const [alias, ...more] = path
  const isUndeclared = alias !== undefined && more.length === 0 && ownTables(scope).length === 0
  return isUndeclared ? likelyMembers(ask, alias) : []
}

function columnsOf(ask: SqlAsk, { columns }: TableInSight): readonly SqlItem[] {
  return columns.map((column, index) =>
    columnItem(ask, '', column, ask.place.engine.quoteIfNeeded(column.name), sortKey('b', index)),
  )
}

function fieldItems(ask: SqlAsk, value: Value | undefined): readonly SqlItem[] {
  const fields = value === undefined ? [] : fieldsOfValue(value, ask.place.engine.binding)
  return fields.map((field, index) => fieldItem(ask, field, index))
}

function fieldItem(ask: SqlAsk, { name, value }: FieldValue, index: number): SqlItem {
  const detail = typeOf(ask, value)
  const written = ask.place.engine.quoteIfNeeded(name)
  return {
    label: written,
    kind: 'column',
    ...(detail !== undefined && { detail }),
    insert: written,
    filter: name,
    sort: sortKey('b', index),
  }
}

/**
 * Offers columns for an alias that is not declared yet: those of the likely tables, first of tables whose
 * name it could abbreviate.
 */
function likelyMembers(ask: SqlAsk, alias: string): readonly SqlItem[] {
  const { quoteIfNeeded, sameName } = ask.place.engine
  const tables = likelyTables(ask)
  const meant = tables.filter(table => sameName(table.name, alias))
  const [first = []] = [meant, tables].filter(list => list.length > 0)
  const sorted = [...first].sort((a, b) => Number(shortens(alias, b.name)) - Number(shortens(alias, a.name)))
  const all = sorted.flatMap(table => table.columns.map(column => ({ table, column })))
  return uniqueBy(all, ({ column }) => column.name.toLowerCase()).map(({ table, column }, index) =>
    columnItem(ask, table.name, column, quoteIfNeeded(column.name), sortKey('b', index + 1)),
  )
}

/** Returns whether `o` may abbreviate orders, `ol` order_lines. */
function shortens(alias: string, name: string): boolean {
  const lower = alias.toLowerCase()
  const initials = name
    .toLowerCase()
    .split('_')
    .map(part => part[0] ?? '')
    .join('')
  return name.toLowerCase().startsWith(lower) || initials === lower
}
