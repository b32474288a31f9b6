/** SQL for rows of state tables that come from local files, or go into one. Runs nothing. */
import { typeOf } from '../../state/tables.ts'
import type { Append, ExportedRows, Removal } from '../warehouse.ts'
import { conditionsOf, literal, ownCondition, type StateOwner, stateTable } from './change-statements.ts'

/** `from`: where the rows are read, as in a FROM clause. */
export function appendStatement(
  { dialect, project }: StateOwner,
  { table, facts, columns }: Pick<Append, 'table' | 'facts' | 'columns'>,
  from: string,
): string {
  const constants = Object.entries({ ...facts, project })
  const names = columns.map(dialect.identifier)
  const list = [...constants.map(([column]) => dialect.identifier(column)), ...names]
  const values = constants.map(
    ([column, value]) => `CAST(${literal(dialect, value)} AS ${dialect.types[typeOf(table, column)]})`,
  )
  return `INSERT INTO ${stateTable(dialect, table)} (${list.join(', ')})
    SELECT ${[...values, ...names].join(', ')} FROM ${from}`
}

/** `values`: a query of the values whose rows leave. */
export function removeStatement(
  owner: StateOwner,
  { table, where, column }: Pick<Removal, 'table' | 'where' | 'column'>,
  values: string,
): string {
  const { dialect } = owner
  const which = conditionsOf(dialect, ownCondition(owner), table, where)
  return `DELETE FROM ${stateTable(dialect, table)} WHERE ${which} AND ${dialect.identifier(column)} IN (${values})`
}

export function exportQuery(owner: StateOwner, rows: ExportedRows): string {
  if ('sql' in rows) return rows.sql
  const { dialect } = owner
  const list = rows.columns.map(dialect.identifier).join(', ')
  const which = conditionsOf(dialect, ownCondition(owner), rows.table, rows.where)
  return `SELECT ${list} FROM ${stateTable(dialect, rows.table)} WHERE ${which}`
}
