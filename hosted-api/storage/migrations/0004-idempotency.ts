import type { Migration } from './migration.ts'

/** Answers to requests with an `Idempotency-Key`, for those who did not hear them. */
export const idempotency: Migration = {
  name: '0004_idempotency',
  steps: build => [
    build.schema.createTable('idempotency', table => {
      table.integer('token_id').notNullable()
      table.text('route').notNullable()
      table.text('key').notNullable()
      // SHA-256 of what was asked: path, query and body.
      table.text('fingerprint').notNullable()
      table.text('at').notNullable()
      // Null while its transaction runs: nobody else sees it then.
      table.integer('status')
      table.text('headers')
      table.text('body')
      table.primary(['token_id', 'route', 'key'])
      table.index(['at'])
    }),
  ],
}
