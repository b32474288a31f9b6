import { type Migration, recordColumns, sortedText } from './migration.ts'

/** Projects, tokens, the audit log, and settings of the service. */
export const accessAndProjects: Migration = {
  name: '0001_access_and_projects',
  steps: (build, engine, now) => [
    build.schema.createTable('setting', table => {
      table.text('key').primary()
      table.text('value').notNullable()
    }),
    build.schema.createTable('project', table => {
      recordColumns(table)
      sortedText(table, engine, 'name').notNullable()
      table.text('description').notNullable().defaultTo('')
      // The id in the project's own files (`context_pack.project.id`), after the first upload.
      table.text('identifier')
    }),
    build.schema.createTable('ledger', table => {
      table.integer('id').primary()
      table.integer('revision').notNullable()
      table.text('head').notNullable()
    }),
    build.schema.createTable('audit', table => {
      table.increments('id')
      table.integer('ledger_id').notNullable()
      table.integer('revision').notNullable()
      sortedText(table, engine, 'at').notNullable()
      table.text('actor').notNullable()
      table.text('action').notNullable()
      table.text('target').notNullable()
      table.text('request_id').notNullable()
      table.text('details').notNullable()
      table.text('hash').notNullable()
      table.index(['ledger_id', 'id'])
    }),
    build.schema.createTable('token', table => {
      table.increments('id')
      table.text('name').notNullable()
      table.text('hash').notNullable().unique()
      table.text('hint').notNullable()
      // JSON lists; null projects means all of them.
      table.text('scopes').notNullable()
      table.text('projects')
      table.text('created_at').notNullable()
      table.text('created_by').notNullable()
      table.text('expires_at')
      table.text('last_used_at')
      table.text('revoked_at')
      table.integer('rotated_from')
    }),
    // A new database has project 1, so that the first call of a pipeline finds one.
    build('project').insert({
      name: 'default',
      created_at: now,
      created_by: 'svc-hosted',
      updated_at: now,
      updated_by: 'svc-hosted',
    }),
    build('ledger').insert({ id: 1, revision: 0, head: '' }),
  ],
}
