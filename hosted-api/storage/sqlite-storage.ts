/** Storage on SQLite: one connection writes, a few read. */
import type { Knex } from 'knex'
import { GroupCommit } from './group-commit.ts'
import { lookText, sharedLook } from './look.ts'
import { newServerName } from './presence.ts'
import { createQueries, createReaders } from './queries.ts'
import { createRevisions } from './revisions.ts'
import type { SqliteConnection } from './sqlite-driver.ts'
import type { Queries, Readers, Storage } from './storage.ts'

export interface SqliteParts {
  readonly place: string
  readonly build: Knex
  readonly writer: SqliteConnection
  readonly readers: readonly SqliteConnection[]
  /** Those for long questions. */
  readonly longReaders: readonly SqliteConnection[]
  /** Opens another reading connection. */
  readonly openReader: () => Promise<SqliteConnection>
  readonly clock: () => Date
  /** Releases the lock on the file; called at the end of `close`. */
  readonly release: () => Promise<void>
}

export function createSqliteStorage(parts: SqliteParts): Storage {
  const { build, writer, readers, longReaders, clock } = parts
  const reads = balanced(build, readers)
  const revisions = createRevisions(reads)
  const look = lookText('sqlite', build)
  const server = newServerName()
  const writes = new GroupCommit({ build, writer, clock, onCommit: revisions.note })
  return {
    engine: 'sqlite',
    place: parts.place,
    clock,
    server,
    reads,
    longReads: balanced(build, longReaders),
    write: (work, options) => writes.write(work, options),
    revision: project => revisions.read(project),
    async snapshot(work) {
      const reader = await parts.openReader()
      try {
        await reader.exec('begin')
        return await work(createQueries('sqlite', build, reader.all))
      } finally {
        await reader.close()
      }
    },
    // A file has one server.
    isServing: async (_, asked) => asked === server,
    ping: sharedLook(async () => {
      // A connection that is open has pages in memory, and a file that is gone is still there for it.
      const reader = await parts.openReader()
      try {
        await reader.all(look, [])
      } finally {
        await reader.close()
      }
    }),
    close: async () => {
      await writes.close()
      await Promise.all([...readers, ...longReaders].map(reader => reader.close()))
      await writer.exec('pragma optimize; pragma wal_checkpoint(truncate)')
      await writer.close()
      await parts.release()
    },
  }
}

export function sqliteReaders(build: Knex, connections: readonly SqliteConnection[]): Readers {
  return createReaders(balanced(build, connections), async () => {
    await Promise.all(connections.map(connection => connection.close()))
  })
}

/** Uses the connections in turn. */
function balanced(build: Knex, connections: readonly SqliteConnection[]): Queries {
  let turn = 0
  return createQueries('sqlite', build, async (text, values) => {
    turn = (turn + 1) % connections.length
    return (await connections[turn]?.all(text, values)) ?? []
  })
}
