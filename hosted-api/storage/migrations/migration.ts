import type { Knex } from 'knex'
import type { Engine } from '../storage.ts'

export interface Migration {
  /** `0001_access`: also the key in the database's table of migrations. */
  readonly name: string
  /**
   * The steps in order; each is a knex builder (except altering columns, which needs a connection on SQLite),
   * a query, or SQL.
   */
  steps(build: Knex, engine: Engine, now: string): readonly MigrationStep[]
}

export type MigrationStep = Knex.SchemaBuilder | Knex.QueryBuilder | string

/** SQLite can add a derived column to a table only if it is not stored; PostgreSQL knows only stored ones. */
export function storedOrVirtual(engine: Engine): 'stored' | 'virtual' {
  return engine === 'postgres' ? 'stored' : 'virtual'
}

/** The columns of every record that people create and change. */
export function recordColumns(table: Knex.CreateTableBuilder): void {
  table.increments('id')
  table.integer('version').notNullable().defaultTo(1)
  table.text('created_at').notNullable()
  table.text('created_by').notNullable()
  table.text('updated_at').notNullable()
  table.text('updated_by').notNullable()
  table.text('deleted_at')
}

/** Text that is sorted or looked up: in byte order on both engines, so that pages of a list are the same. */
export function sortedText(table: Knex.CreateTableBuilder, engine: Engine, name: string): Knex.ColumnBuilder {
  return table.specificType(name, engine === 'postgres' ? 'text collate "C"' : 'text')
}
