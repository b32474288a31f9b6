/**
 * SQLite: one connection writes, a few read. All writes that wait share one transaction with a savepoint each, and are
 * answered after its COMMIT: durable (`synchronous=FULL`), and several times faster than a transaction each.
 */
import type { Knex } from 'knex'
import { type AuditRow, appendChanges, byLedger, type LedgerHead } from './ledger.ts'
import { plainQuery } from './query-text.ts'
import type { SqliteConnection } from './sqlite-driver.ts'
import type { Cell, Change, Queries, Query, Row, Storage, Tx } from './storage.ts'
import { readStorageError, StorageError } from './storage-error.ts'

/** As many writes share a COMMIT at most: the first of them waits for the last. */
const mostInGroup = 128

export interface SqliteParts {
  readonly place: string
  readonly build: Knex
  readonly writer: SqliteConnection
  readonly readers: readonly SqliteConnection[]
  /** One more connection that reads. */
  readonly openReader: () => Promise<SqliteConnection>
  readonly clock: () => Date
  /** Gives the file up to others; called at the end of `close`. */
  readonly release: () => Promise<void>
}

interface Job {
  readonly work: (tx: Tx) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Done {
  readonly job: Job
  readonly value: unknown
  readonly changes: readonly Change[]
}

export function createSqliteStorage(parts: SqliteParts): Storage {
  const { build, writer, readers, clock } = parts
  const reads = queries(build, balanced(readers))
  const revisions = createRevisions(reads)
  const queue: Job[] = []
  let pumping: Promise<void> | undefined
  let closed = false

  async function pump(): Promise<void> {
    // Requests that arrive in the same turn of the event loop belong into the same group.
    await new Promise(resolve => setImmediate(resolve))
    while (queue.length > 0) await commitGroup(queue.splice(0, mostInGroup))
    pumping = undefined
  }

  async function commitGroup(jobs: readonly Job[]): Promise<void> {
    const done: Done[] = []
    try {
      await writer.exec('begin immediate')
      for (const job of jobs) {
        const result = await runJob(job)
        if (result !== undefined) done.push(result)
      }
      await writeLedgers(done)
      await writer.exec('commit')
    } catch (error) {
      // Fails where SQLite has ended the transaction by itself, as it does on a full disk.
      await writer.exec('rollback').catch(() => {})
      const told = readStorageError(error)
      // Whoever was told of his own error before is not in need of another one: a promise settles once.
      for (const job of jobs) job.reject(told)
      return
    }
    for (const { changes } of done) for (const { project } of changes) revisions.forget(project)
    for (const { job, value } of done) job.resolve(value)
  }

  /** Undefined: the job failed by itself, was undone and told. */
  async function runJob(job: Job): Promise<Done | undefined> {
    const changes: Change[] = []
    let discarded = false
    const tx: Tx = {
      ...queries(build, writer),
      firstForUpdate: (query, values) => first(writer, query, values),
      record: change => changes.push(change),
      discard: () => {
        discarded = true
      },
    }
    await writer.exec('savepoint job')
    try {
      const value = await job.work(tx)
      await writer.exec(discarded ? 'rollback to job; release job' : 'release job')
      return { job, value, changes: discarded ? [] : changes }
    } catch (error) {
      await writer.exec('rollback to job; release job')
      job.reject(readStorageError(error))
      return undefined
    }
  }

  /** One more revision a job and project, and the audit rows of all of them in one statement. */
  async function writeLedgers(done: readonly Done[]): Promise<void> {
    const heads = new Map<number, LedgerHead>()
    const rows: AuditRow[] = []
    const at = clock().toISOString()
    for (const { changes } of done) {
      for (const [id, group] of byLedger(changes)) {
        const appended = appendChanges(heads.get(id) ?? (await readHead(id)), group, at)
        heads.set(id, appended.head)
        rows.push(...appended.rows)
      }
    }
    if (rows.length === 0) return
    await writer.all(insertAudit, [JSON.stringify(rows)])
    for (const { id, revision, head } of heads.values()) await writer.all(upsertLedger, [id, revision, head])
  }

  async function readHead(id: number): Promise<LedgerHead> {
    const row = await first<LedgerRow>(writer, 'select id, revision, head from ledger where id = ?', [id])
    return row ?? { id, revision: 0, head: '' }
  }

  return {
    engine: 'sqlite',
    place: parts.place,
    clock,
    reads,
    write: work =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new StorageError('unavailable', 'the database is closed', undefined))
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
        pumping ??= pump()
      }),
    revision: project => revisions.read(project),
    async snapshot(work) {
      const reader = await parts.openReader()
      try {
        await reader.exec('begin')
        return await work(queries(build, reader))
      } finally {
        await reader.close()
      }
    },
    ping: async () => {
      await reads.first('select 1 as one')
    },
    close: async () => {
      closed = true
      await pumping
      await Promise.all(readers.map(reader => reader.close()))
      await writer.exec('pragma optimize; pragma wal_checkpoint(truncate)')
      await writer.close()
      await parts.release()
    },
  }
}

type LedgerRow = { readonly id: number; readonly revision: number; readonly head: string }

const auditColumns = [
  'ledger_id',
  'revision',
  'at',
  'actor',
  'action',
  'target',
  'request_id',
  'details',
  'hash',
] as const satisfies readonly (keyof AuditRow)[]

const insertAudit = `insert into audit (${auditColumns.join(', ')})
  select ${auditColumns.map(column => `json_extract(value, '$.${column}')`).join(', ')} from json_each(?)`

const upsertLedger = `insert into ledger (id, revision, head) values (?, ?, ?)
  on conflict (id) do update set revision = excluded.revision, head = excluded.head`

type Source = Pick<SqliteConnection, 'all'>

function queries(build: Knex, source: Source): Queries {
  return {
    engine: 'sqlite',
    build,
    all: (query, values) => all(source, query, values),
    first: (query, values) => first(source, query, values),
  }
}

async function all<R extends Row>(
  source: Source,
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

async function first<R extends Row>(
  source: Source,
  query: Query,
  values: readonly Cell[] = [],
): Promise<R | undefined> {
  return (await all<R>(source, query, values))[0]
}

/** The connections in turn. */
function balanced(connections: readonly SqliteConnection[]): Source {
  let turn = 0
  return {
    all: (text, values) => {
      turn = (turn + 1) % connections.length
      const connection = connections[turn]
      return connection === undefined ? Promise.resolve([]) : connection.all(text, values)
    },
  }
}

const selectRevision = `select ledger.revision from ledger join project on project.id = ledger.id
  where project.id = ? and project.deleted_at is null`

/** Nobody else writes this file, so what was read once stands until a write of our own. */
function createRevisions(reads: Queries) {
  const known = new Map<number, number>()
  let forgotten = 0
  return {
    async read(project: number): Promise<number | undefined> {
      const revision = known.get(project)
      if (revision !== undefined) return revision
      const before = forgotten
      const row = await reads.first<{ revision: number }>(selectRevision, [project])
      // A write that came meanwhile may be newer than what was read.
      if (row !== undefined && before === forgotten) known.set(project, row.revision)
      return row?.revision
    },
    forget(project: number | undefined): void {
      forgotten++
      if (project !== undefined) known.delete(project)
    },
  }
}
