import type { Knex } from 'knex'
import type { Engine } from '../storage.ts'
import { type Migration, type MigrationStep, sortedText } from './migration.ts'

/**
 * The tables of uploads. Rows of `asset_state` and `lineage_edge` are valid from one upload up to another: an
 * upload writes them in invisible slices, and one change of `metadata_head` makes all of them visible.
 */
export const metadata: Migration = {
  name: '0003_metadata',
  steps: (build, engine) => [
    build.schema.createTable('upload', table => {
      table.increments('id')
      table.integer('project_id').notNullable().references('project.id')
      // `staging` until it is complete, then `done`.
      table.text('state').notNullable()
      table.text('source').notNullable()
      table.text('scope').notNullable()
      table.text('at').notNullable()
      table.text('by').notNullable()
      table.text('pack_hash').notNullable()
      // JSON: the pack's facts about the project, counts, warnings, git.
      table.text('about').notNullable()
      table.text('result').notNullable().defaultTo('{}')
      table.index(['project_id', 'id'])
    }),
    build.schema.createTable('metadata_head', table => {
      table.integer('project_id').primary().references('project.id')
      // The visible upload; 0 if there is none yet.
      table.integer('upload_id').notNullable()
      // The upload in progress, its process, and its last heartbeat.
      table.integer('claim_id')
      table.text('claim_by')
      table.text('claim_at')
    }),
    ...slicedTables(build, engine),
    ...historyTables(build, engine),
  ],
}

/** The tables whose rows are valid from one upload on. */
function slicedTables(build: Knex, engine: Engine): readonly MigrationStep[] {
  return [
    build.schema.createTable('asset_state', table => {
      table.increments('id')
      table.integer('project_id').notNullable()
      table.integer('asset_id').notNullable().references('asset.id')
      table.integer('from_upload').notNullable()
      table.integer('to_upload')
      sortedText(table, engine, 'name').notNullable()
      table.text('path').notNullable()
      table.text('kind').notNullable()
      table.text('hash').notNullable()
      table.text('details_hash').notNullable()
      table.text('edges_hash').notNullable()
      table.text('definition_hash')
      table.text('description')
      table.text('owner')
      // JSON texts.
      table.text('tags').notNullable()
      table.text('blocks').notNullable()
      table.text('columns')
      table.text('tests').notNullable()
      table.text('details').notNullable()
      table.index(['asset_id', 'from_upload'])
      table.index(['project_id', 'id'])
      table.index(['project_id', 'from_upload'])
      table.index(['project_id', 'to_upload'])
    }),
    build.schema.createTable('lineage_edge', table => {
      table.increments('id')
      table.integer('project_id').notNullable()
      table.integer('from_asset').notNullable().references('asset.id')
      table.integer('to_asset').notNullable().references('asset.id')
      // The asset in whose file the edge is written.
      table.integer('owner_asset').notNullable()
      table.text('kind').notNullable()
      table.text('columns').notNullable()
      // 1: from a partial pack without the owner; the next full pack decides about it.
      table.integer('loose').notNullable()
      table.integer('from_upload').notNullable()
      table.integer('to_upload')
      table.index(['from_asset'])
      table.index(['to_asset'])
      table.index(['owner_asset'])
      table.index(['project_id', 'id'])
      table.index(['project_id', 'from_upload'])
      table.index(['project_id', 'to_upload'])
    }),
  ]
}

function historyTables(build: Knex, engine: Engine): readonly MigrationStep[] {
  return [
    build.schema.createTable('asset_version', table => {
      table.increments('id')
      table.integer('project_id').notNullable()
      table.integer('asset_id').notNullable().references('asset.id')
      table.integer('upload_id').notNullable()
      table.text('hash').notNullable()
      sortedText(table, engine, 'deployed_at').notNullable()
      table.text('status').notNullable()
      table.text('run_id')
      table.unique(['asset_id', 'hash', 'deployed_at'])
      table.index(['project_id', 'upload_id'])
    }),
    build.schema.createTable('test_result', table => {
      table.increments('id')
      table.integer('project_id').notNullable()
      table.integer('asset_id').notNullable().references('asset.id')
      // 0: uploaded without a pack.
      table.integer('upload_id').notNullable()
      sortedText(table, engine, 'at').notNullable()
      table.text('tests').notNullable()
      table.integer('total').notNullable()
      table.integer('passed').notNullable()
      table.integer('failed').notNullable()
      table.unique(['asset_id', 'at'])
      table.index(['project_id', 'upload_id'])
    }),
  ]
}
