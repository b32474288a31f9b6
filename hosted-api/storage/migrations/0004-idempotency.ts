import type { Migration } from './migration.ts'

/** Answers to requests with an `Idempotency-Key`, for clients that did not receive them. */
export const idempotency: Migration = {
  name: '0004_idempotency',
  steps: build => [
    build.schema.createTable('idempotency', table => {
      table.integer('token_id').notNullable()
      table.text('route').notNullable()
      table.text('key').notNullable()
      // The SHA-256 of the request: path, query and body.
      table.text('fingerprint').notNullable()
      table.text('at').notNullable()
      // Null while its transaction runs, when it is invisible to others.
      table.integer('status')
      table.text('headers')
      table.text('body')
      table.primary(['token_id', 'route', 'key'])
      table.index(['at'])
    }),
  ],
}
