/**
 * The SQL that creates the state tables, migrates those of an older svc, and transfers them to another
 * project. Runs nothing.
 */
import { migrationsAfter } from '../../state/migrations.ts'
import {
  columnsOf,
  type OwnedTable,
  ownedTables,
  type StateTable,
  stateSchema,
  stateTables,
  stateVersion,
  type Table,
  typeOf,
} from '../../state/tables.ts'
import { ownCondition, type StateOwner, stateTable } from './change-statements.ts'
import type { StateDialect } from './state-dialect.ts'

/** Creates missing schema and tables, and stores their version. */
export function createStatements(dialect: StateDialect): string[] {
  const meta = stateTable(dialect, 'svc_meta')
  return [
    `CREATE SCHEMA IF NOT EXISTS ${dialect.schema(stateSchema)}`,
    ...(Object.keys(stateTables) as StateTable[]).map(name => createTable(dialect, name)),
    `INSERT INTO ${meta} SELECT ${stateVersion} WHERE NOT EXISTS (SELECT 1 FROM ${meta})`,
  ]
}

/**
 * Migrates from a version to the current one, in one transaction a version, which updates it last. DuckDB cannot alter a table
 * whose rows the same transaction has changed.
 */
export function migrationStatements(owner: StateOwner, version: number): string[][] {
  const { dialect } = owner
  return migrationsAfter(version).map(({ to, tables, owned, columns, reshaped = [] }) => [
    ...tables.map(table => createTable(dialect, table)),
    ...owned.flatMap(table => ownStatements(owner, table)),
    ...columns.map(([table, column]) => addColumn(dialect, table, column)),
    ...reshaped.flatMap(table => reshapeStatements(dialect, table)),
    `UPDATE ${stateTable(dialect, 'svc_meta')} SET version = ${to}`,
  ])
}

/** Transfers every row of another project to the owner. */
export function adoptStatements(owner: StateOwner, project: string): string[] {
  const { dialect } = owner
  const theirs = ownCondition({ dialect, project })
  return ownedTables.map(
    table =>
      `UPDATE ${stateTable(dialect, table)} SET ${dialect.identifier('project')} = ${dialect.literal(owner.project)} WHERE ${theirs}`,
  )
}

export function createTable(dialect: StateDialect, name: StateTable): string {
  const { columns, key }: Table = stateTables[name]
  const list = Object.entries(columns).map(
    ([column, type]) => `${dialect.identifier(column)} ${dialect.types[type]}`,
  )
  const keys = key === undefined ? [] : [`PRIMARY KEY (${key.map(dialect.identifier).join(', ')})`]
  return `CREATE TABLE IF NOT EXISTS ${stateTable(dialect, name)} (${[...list, ...keys].join(', ')})`
}

/** A table that this migration has created in its present shape has the column already. */
function addColumn(dialect: StateDialect, name: OwnedTable, column: string): string {
  const type = dialect.types[typeOf(name, column)]
  return `ALTER TABLE ${stateTable(dialect, name)} ADD COLUMN IF NOT EXISTS ${dialect.identifier(column)} ${type}`
}

/** Sets the project of rows that were written when the tables did not distinguish projects. */
function ownStatements(owner: StateOwner, name: OwnedTable): string[] {
  const { dialect, project } = owner
  const { key }: Table = stateTables[name]
  if (key !== undefined) return remade(owner, name)
  const table = stateTable(dialect, name)
  const column = dialect.identifier('project')
  return [
    `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS ${column} ${dialect.types.text}`,
    `UPDATE ${table} SET ${column} = ${dialect.literal(project)} WHERE ${column} IS NULL`,
  ]
}

/** Makes a table anew in its present shape, with the rows that it has. */
function reshapeStatements(dialect: StateDialect, name: OwnedTable): string[] {
  const table = stateTable(dialect, name)
  const before = `${name}_before`
  const old = dialect.relation({ schema: stateSchema, name: before })
  const columns = [...columnsOf(name), 'project']
  const values = columns.map(
    column => `CAST(${dialect.identifier(column)} AS ${dialect.types[typeOf(name, column)]})`,
  )
  return [
    `ALTER TABLE ${table} RENAME TO ${dialect.identifier(before)}`,
    createTable(dialect, name),
    `INSERT INTO ${table} (${columns.map(dialect.identifier).join(', ')}) SELECT ${values.join(', ')} FROM ${old}`,
    `DROP TABLE ${old}`,
  ]
}

/** Recreates a table, because a key cannot be changed in place. */
function remade({ dialect, project }: StateOwner, name: OwnedTable): string[] {
  const table = stateTable(dialect, name)
  const before = dialect.relation({ schema: stateSchema, name: `${name}_before` })
  const list = columnsOf(name).map(dialect.identifier).join(', ')
  return [
    `CREATE TABLE ${before} AS SELECT ${list} FROM ${table}`,
    `DROP TABLE ${table}`,
    createTable(dialect, name),
    `INSERT INTO ${table} (${list}, ${dialect.identifier('project')}) SELECT ${list}, ${dialect.literal(project)} FROM ${before}`,
    `DROP TABLE ${before}`,
  ]
}
