/** Rows of local files in state tables: those that are added, and those that leave. */

import type { StateChange } from '../../state/changes.ts'
import { typeOf } from '../../state/tables.ts'
import { changeStatements, type StateOwner } from '../sql-state/change-statements.ts'
import { appendStatement, removeStatement } from '../sql-state/file-statements.ts'
import type { Append, FromFiles, Removal } from '../warehouse.ts'
import { type Connection, runStatements } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import type { LocalFiles } from './local-files.ts'

const { identifier } = dialect
const staged = identifier('svc_staged')

/** Where rows of local files go. */
interface StateRows {
  readonly connection: Connection
  readonly files: LocalFiles
  readonly owner: StateOwner
}

/** Inside a transaction. The rows go into a table of the session first, where the facts join them. */
export async function copyRows(place: StateRows, rows: Append): Promise<void> {
  await stage(place, rows)
  await place.connection.query(`${appendStatement(place.owner, rows, staged)};DROP TABLE ${staged}`)
}

async function stage(
  { connection, files }: StateRows,
  { table, columns, sql }: Pick<Append, 'table' | 'columns' | 'sql'>,
): Promise<void> {
  const shape = columns.map(column => `${identifier(column)} ${dialect.types[typeOf(table, column)]}`)
  await connection.query(`CREATE TEMPORARY TABLE ${staged} (${shape.join(', ')}) ON COMMIT DROP`)
  const found = await files.columns(sql)
  await files.copyIn(connection, { sql, into: staged, columns: found })
}

async function removeRows(place: StateRows, removal: Removal): Promise<void> {
  const { table, column, sql } = removal
  await stage(place, { table, columns: [column], sql })
  const values = `SELECT ${identifier(column)} FROM ${staged}`
  await place.connection.query(`${removeStatement(place.owner, removal, values)};DROP TABLE ${staged}`)
}

/** Inside a transaction. */
export async function appendFromFiles(
  place: StateRows,
  changes: readonly StateChange[],
  { removals, rows }: FromFiles,
): Promise<void> {
  await runStatements(place.connection, changeStatements(place.owner, changes))
  for (const each of removals) await removeRows(place, each)
  for (const each of rows) await copyRows(place, each)
}
