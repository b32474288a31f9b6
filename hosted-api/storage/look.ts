/** Looks whether a database can be read: not only that its engine answers, which needs nothing of what it keeps. */
import type { Knex } from 'knex'
import { ownTables } from './migrate.ts'
import type { Engine, Queries } from './storage.ts'
import { quoted } from './tables.ts'

/** Returns the text that reads a row of each table. */
export function lookText(engine: Engine, build: Knex): string {
  // An index alone could answer for its table.
  const how = engine === 'sqlite' ? 'not indexed limit 1' : 'limit 1'
  const tables = ownTables(engine, build).map(name => `(select 1 from ${quoted(name)} ${how})`)
  return `select ${tables.join(', ')}`
}

export function lookThrough(queries: Queries): () => Promise<unknown> {
  const text = lookText(queries.engine, queries.build)
  return sharedLook(() => queries.first(text))
}

/** Returns a look that all share who ask while it runs, so that many probes are one. */
export function sharedLook(look: () => Promise<unknown>): () => Promise<unknown> {
  let running: Promise<unknown> | undefined
  return () => {
    running ??= look().finally(() => {
      running = undefined
    })
    return running
  }
}
