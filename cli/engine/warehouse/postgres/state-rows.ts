/** Rows of local files in state tables: those that are added, and those that leave. */

import type { StateChange } from '../../state/changes.ts'
import { typeOf } from '../../state/tables.ts'
import {
  changeStatements,
  conditionsOf,
  ownCondition,
  type StateOwner,
  stateTable,
} from '../sql-state/change-statements.ts'
import type { Append, ExportedRows, FromFiles, Removal } from '../warehouse.ts'
import { type Connection, runStatements } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import type { LocalFiles } from './local-files.ts'

const { identifier, literal } = dialect
const staged = identifier('svc_staged')

/** Inside a transaction. The rows go into a table of the session first, where the facts join them. */
export async function copyRows(
  connection: Connection,
  files: LocalFiles,
  { project }: StateOwner,
  { table, facts, columns, sql }: Append,
): Promise<void> {
  await stage(connection, files, { table, columns, sql })
  const constants = Object.entries({ ...facts, project })
  const list = [...constants.map(([column]) => column), ...columns].map(identifier)
  const values = [
    ...constants.map(
      ([column, value]) =>
        `CAST(${literal(typeof value === 'object' ? null : value)} AS ${dialect.types[typeOf(table, column)]})`,
    ),
    ...columns.map(identifier),
  ]
  await connection.query(
    `INSERT INTO ${stateTable(dialect, table)} (${list.join(', ')}) SELECT ${values.join(', ')} FROM ${staged};DROP TABLE ${staged}`,
  )
}

async function stage(
  connection: Connection,
  files: LocalFiles,
  { table, columns, sql }: Pick<Append, 'table' | 'columns' | 'sql'>,
): Promise<void> {
  const shape = columns.map(column => `${identifier(column)} ${dialect.types[typeOf(table, column)]}`)
  await connection.query(`CREATE TEMPORARY TABLE ${staged} (${shape.join(', ')}) ON COMMIT DROP`)
  const found = await files.columns(sql)
  await files.copyIn(connection, { sql, into: staged, columns: found })
}

async function removeRows(
  connection: Connection,
  files: LocalFiles,
  owner: StateOwner,
  { table, where, column, sql }: Removal,
): Promise<void> {
  await stage(connection, files, { table, columns: [column], sql })
  const which = conditionsOf(dialect, ownCondition(owner), table, where)
  const name = identifier(column)
  await connection.query(
    `DELETE FROM ${stateTable(dialect, table)} WHERE ${which} AND ${name} IN (SELECT ${name} FROM ${staged});DROP TABLE ${staged}`,
  )
}

/** Inside a transaction. */
export async function appendFromFiles(
  connection: Connection,
  files: LocalFiles,
  owner: StateOwner,
  changes: readonly StateChange[],
  { removals, rows }: FromFiles,
): Promise<void> {
  await runStatements(connection, changeStatements(owner, changes))
  for (const each of removals) await removeRows(connection, files, owner, each)
  for (const each of rows) await copyRows(connection, files, owner, each)
}

export function exportQuery(owner: StateOwner, rows: ExportedRows): string {
  if ('sql' in rows) return rows.sql
  const which = conditionsOf(dialect, ownCondition(owner), rows.table, rows.where)
  return `SELECT ${rows.columns.map(identifier).join(', ')} FROM ${stateTable(dialect, rows.table)} WHERE ${which}`
}
