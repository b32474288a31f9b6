import type { Knex } from 'knex'
import type { Engine } from '../storage.ts'
import { type Migration, type MigrationStep, recordColumns, sortedText } from './migration.ts'

/** Terms, metrics, dimensions, policies, links, the assets of links, and old versions of all of them. */
export const glossary: Migration = {
  name: '0002_glossary',
  steps: (build, engine) => [
    build.schema.createTable('asset', table => {
      table.increments('id')
      table.integer('project_id').notNullable().references('project.id')
      sortedText(table, engine, 'identifier').notNullable()
      sortedText(table, engine, 'name').notNullable()
      table.text('path').notNullable().defaultTo('')
      table.text('created_at').notNullable()
      table.text('updated_at').notNullable()
      // Set when an upload no longer contains the asset; its links and versions are kept.
      table.text('removed_at')
      table.unique(['project_id', 'identifier'])
      table.index(['project_id', 'name'])
    }),
    ...entryTables(build, engine),
    build.schema.createTable('link', table => {
      recordColumns(table)
      table.integer('project_id').notNullable().references('project.id')
      table.integer('term').notNullable().references('term.id')
      table.integer('asset').notNullable().references('asset.id')
      table.text('column')
      table.text('role').notNullable().defaultTo('attribute')
      table.text('search_key').notNullable()
      table.text('origin').notNullable()
      table.index(['project_id', 'id'])
      table.index(['asset'])
    }),
    `create unique index link_once on link (term, asset, coalesce("column", '')) where deleted_at is null`,
    build.schema.createTable('history', table => {
      table.increments('id')
      table.text('kind').notNullable()
      table.integer('record_id').notNullable()
      table.integer('version').notNullable()
      table.text('at').notNullable()
      table.text('by').notNullable()
      table.text('action').notNullable()
      table.text('changes').notNullable()
      table.unique(['kind', 'record_id', 'version'])
    }),
  ],
}

function entryTables(build: Knex, engine: Engine): readonly MigrationStep[] {
  return [
    ...entryTable(build, engine, 'term', table => {
      table.text('synonyms').notNullable().defaultTo('[]')
      table.text('owner')
      table.text('status').notNullable().defaultTo('draft')
      table.text('reviewers').notNullable().defaultTo('[]')
      table.text('related').notNullable().defaultTo('[]')
      table.text('tags').notNullable().defaultTo('[]')
      table.text('metadata').notNullable().defaultTo('{}')
    }),
    ...entryTable(build, engine, 'metric', table => {
      table.text('sql_definition').notNullable()
      table.text('time_grain')
      table.text('source_assets').notNullable().defaultTo('[]')
      table.text('owner')
      table.text('unit')
      table.text('tags').notNullable().defaultTo('[]')
      table.text('metadata').notNullable().defaultTo('{}')
    }),
    ...entryTable(build, engine, 'dimension', table => {
      table.text('type').notNullable().defaultTo('categorical')
      table.text('values').notNullable().defaultTo('[]')
      table.text('owner')
      table.text('tags').notNullable().defaultTo('[]')
      table.text('metadata').notNullable().defaultTo('{}')
    }),
    ...entryTable(build, engine, 'policy', table => {
      table.text('rule').notNullable()
      table.text('pii_columns').notNullable().defaultTo('[]')
      table.text('applies_to').notNullable().defaultTo('[]')
      table.text('enforcement').notNullable().defaultTo('strict')
      table.text('owner')
      table.text('tags').notNullable().defaultTo('[]')
      table.text('metadata').notNullable().defaultTo('{}')
    }),
  ]
}

function entryTable(
  build: Knex,
  engine: Engine,
  name: string,
  columns: (table: Knex.CreateTableBuilder) => void,
): readonly MigrationStep[] {
  return [
    build.schema.createTable(name, table => {
      recordColumns(table)
      table.integer('project_id').notNullable().references('project.id')
      sortedText(table, engine, 'identifier').notNullable()
      sortedText(table, engine, 'name').notNullable()
      table.text('description').notNullable().defaultTo('')
      // The text that `q` searches: names and texts, case-folded in the same way on both engines.
      table.text('search_key').notNullable()
      // `api`, `pack` or `import`: an upload does not overwrite what people edited here.
      table.text('origin').notNullable()
      columns(table)
      table.index(['project_id', 'id'])
      table.index(['project_id', 'name'])
    }),
    // Only existing records have unique identifiers; that of a deleted record may be reused.
    `create unique index ${name}_identifier on ${name} (project_id, identifier) where deleted_at is null`,
  ]
}
