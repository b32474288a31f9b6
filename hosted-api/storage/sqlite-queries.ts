/** Queries on SQLite connections. */
import type { Knex } from 'knex'
import { plainQuery } from './query-text.ts'
import type { SqliteConnection } from './sqlite-driver.ts'
import type { Cell, Queries, Query, Row } from './storage.ts'
import { readStorageError } from './storage-error.ts'

export type SqliteSource = Pick<SqliteConnection, 'all'>

export function sqliteQueries(build: Knex, source: SqliteSource): Queries {
  return {
    engine: 'sqlite',
    build,
    all: (query, values) => all(source, query, values),
    first: (query, values) => first(source, query, values),
  }
}

export async function all<R extends Row>(
  source: SqliteSource,
  query: Query,
  values: readonly Cell[] = [],
): Promise<readonly R[]> {
  const plain = plainQuery(query, values)
  try {
    return (await source.all(plain.text, plain.values)) as readonly R[]
  } catch (error) {
    throw readStorageError(error)
  }
}

export async function first<R extends Row>(
  source: SqliteSource,
  query: Query,
  values: readonly Cell[] = [],
): Promise<R | undefined> {
  return (await all<R>(source, query, values))[0]
}

/** Uses the connections in turn. */
export function balanced(connections: readonly SqliteConnection[]): SqliteSource {
  let turn = 0
  return {
    all: (text, values) => {
      turn = (turn + 1) % connections.length
      const connection = connections[turn]
      return connection === undefined ? Promise.resolve([]) : connection.all(text, values)
    },
  }
}
