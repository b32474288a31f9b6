/**
 * Storage on PostgreSQL: a transaction per write, on connections of their own, so that reads wait for none of them; several
 * servers may share one database.
 */
import type { Knex } from 'knex'
import type { Pool, PoolClient } from 'pg'
import { insertText } from './insert-together.ts'
import { Lane } from './lane.ts'
import { lookThrough } from './look.ts'
import { PostgresLedgers } from './postgres-ledgers.ts'
import { isServing } from './postgres-presence.ts'
import { createQueries, createReaders } from './queries.ts'
import { readRevision } from './revisions.ts'
import type { Change, Queries, Readers, Row, Storage, Tx, WriteOptions } from './storage.ts'
import { readStorageError, StorageError } from './storage-error.ts'

export interface PostgresParts {
  readonly place: string
  readonly server: string
  readonly build: Knex
  readonly pool: Pool
  /** Has `writePlaces` connections. */
  readonly writePool: Pool
  /** The connections for long questions. */
  readonly longPool: Pool
  readonly clock: () => Date
  /** Ends the presence of the server on the database; called at the end of `close`. */
  readonly leave: () => Promise<void>
}

/** One token's writes wait for the rows that its other writes hold: the last places are for the others. */
const shortPlaces = { places: 4, ofOne: 2 }
/** Two transactions with many records keep the database busy, and those of one token are mostly about the same records. */
const longPlaces = { places: 2, ofOne: 1 }
export const writePlaces = shortPlaces.places + longPlaces.places

/** How often a transaction is tried that lost a conflict with another one. */
const mostTries = 3

export function createPostgresStorage(parts: PostgresParts): Storage {
  const { place, build, pool, writePool, longPool, clock, leave } = parts
  const reads = queries(build, pool)
  const [short, long] = [new Lane(shortPlaces), new Lane(longPlaces)]
  const ledgers = new PostgresLedgers()

  function write<T>(
    work: (tx: Tx) => Promise<T>,
    { isLong = false, owner = 0 }: WriteOptions = {},
  ): Promise<T> {
    return (isLong ? long : short).run(owner, () => writeUntilDone(work, isLong))
  }

  async function writeUntilDone<T>(work: (tx: Tx) => Promise<T>, isLong: boolean): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await writeOnce(work, isLong)
      } catch (error) {
        const lostRace = error instanceof StorageError && error.kind === 'busy'
        if (!lostRace || tries === mostTries) throw error
      }
    }
  }

  async function writeOnce<T>(work: (tx: Tx) => Promise<T>, isLong: boolean): Promise<T> {
    const client = await connect(writePool)
    const changes: Change[] = []
    let discarded = false
    let broken: Error | undefined
    const tx: Tx = {
      ...writingQueries(queries(build, client)),
      record: change => changes.push(change),
      discard: () => {
        discarded = true
      },
    }
    try {
      await client.query('begin')
      const value = await work(tx)
      const end = () => client.query(discarded ? 'rollback' : 'commit')
      if (discarded) await end()
      else await ledgers.commit(tx, changes, { at: clock().toISOString(), isLong, commit: end })
      return value
    } catch (error) {
      await client.query('rollback').catch((failed: Error) => {
        broken = failed
      })
      throw readStorageError(error)
    } finally {
      client.release(broken)
    }
  }

  return {
    engine: 'postgres',
    place,
    clock,
    server: parts.server,
    reads,
    longReads: queries(build, longPool),
    write,
    revision: project => readRevision(reads, project),
    async snapshot(work) {
      const client = await connect(pool)
      try {
        await client.query('begin isolation level repeatable read read only; set local statement_timeout = 0')
        return await work(queries(build, client))
      } finally {
        await client.query('rollback').catch(() => {})
        client.release()
      }
    },
    isServing,
    ping: lookThrough(reads),
    close: async () => {
      await Promise.all([pool.end(), writePool.end(), longPool.end()])
      await leave()
    },
  }
}

export function postgresReaders(build: Knex, pool: Pool): Readers {
  return createReaders(queries(build, pool), () => pool.end())
}

function queries(build: Knex, source: Pick<PoolClient, 'query'>): Queries {
  return createQueries('postgres', build, async (text, values) => {
    const name = nameOf(text)
    const query = { ...(name === undefined ? {} : { name }), text, values: [...values] }
    return (await source.query<Row>(query)).rows
  })
}

function writingQueries(own: Queries): Omit<Tx, 'record' | 'discard'> {
  return {
    ...own,
    firstForUpdate: (query, values) => own.first(`${query} for update`, values),
    insert: (insert, values) => own.first(insertText(insert, 1), values),
  }
}

/** Named statements, which the connection keeps prepared. */
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= 500) return known
  const name = `svc${names.size}`
  names.set(text, name)
  return name
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const told = readStorageError(error)
    throw told instanceof StorageError ? told : new StorageError('unavailable', String(error), error)
  }
}
