/** Storage on SQLite: one connection writes, a few read. */
import type { Knex } from 'knex'
import { createGroupCommit } from './group-commit.ts'
import { createRevisions, readRevision } from './revisions.ts'
import type { SqliteConnection } from './sqlite-driver.ts'
import { balanced, sqliteQueries } from './sqlite-queries.ts'
import type { Readers, Storage } from './storage.ts'

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
  const reads = sqliteQueries(build, balanced(readers))
  const revisions = createRevisions(reads)
  const writes = createGroupCommit({ build, writer, clock, onCommit: revisions.note })
  return {
    engine: 'sqlite',
    place: parts.place,
    clock,
    reads,
    longReads: sqliteQueries(build, balanced(longReaders)),
    write: (work, options) => writes.write(work, options),
    revision: project => revisions.read(project),
    async snapshot(work) {
      const reader = await parts.openReader()
      try {
        await reader.exec('begin')
        return await work(sqliteQueries(build, reader))
      } finally {
        await reader.close()
      }
    },
    ping: async () => {
      await reads.first('select 1 as one')
    },
    close: async () => {
      await writes.close()
      await Promise.all([...readers, ...longReaders].map(reader => reader.close()))
      await writer.exec('pragma optimize; pragma wal_checkpoint(truncate)')
      await writer.close()
      await parts.release()
    },
  }
}

/** Without the revisions in memory: another process writes. */
export function sqliteReaders(build: Knex, connections: readonly SqliteConnection[]): Readers {
  const reads = sqliteQueries(build, balanced(connections))
  return {
    engine: 'sqlite',
    reads,
    longReads: reads,
    revision: project => readRevision(reads, project),
    close: async () => {
      await Promise.all(connections.map(connection => connection.close()))
    },
  }
}
