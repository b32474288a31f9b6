/**
 * Group commit for SQLite: all waiting writes share one transaction and are answered after its COMMIT. This
 * is durable (`synchronous=FULL`), and several times faster than one transaction each. Most writes succeed,
 * so a group first runs without savepoints, each of which would need two more calls to the database thread.
 * Only if a single write has to be undone, the group is rolled back and run again with savepoints.
 */
import type { Knex } from 'knex'
import { FairQueue } from './fair-queue.ts'
import { InsertsTogether, insertText } from './insert-together.ts'
import type { LedgerHead } from './ledger.ts'
import { createQueries } from './queries.ts'
import { indexNewRows, searchedTable, searchedTables } from './search-index.ts'
import type { SqliteConnection } from './sqlite-driver.ts'
import { writeLedgers } from './sqlite-ledgers.ts'
import type { Cell, Change, RowInsert, Tx, WriteOptions } from './storage.ts'
import { readStorageError, StorageError } from './storage-error.ts'
import { beginGuarded, commitGuarded } from './transaction-guard.ts'

/** The maximum number of writes per COMMIT, because the first of them waits for the last. */
const mostInGroup = 128
/** Of these so many begin together; between two such parts it is asked whether the group has taken its time. */
const mostTogether = 16
/** Milliseconds after which no more writes join a group: what is left has the next COMMIT. */
const groupTime = 15
/**
 * Milliseconds that a long write pauses each time before it begins again, so that others need not wait for it; then it runs
 * to its end. The first times it does not, so that what takes few of them is not held up; without the others a crowd of
 * short writes would use up all tries at once, and then wait for all of it.
 */
const pauses = [0, 0, 0, 0, 200, 400, 800]

export interface GroupCommitParts {
  readonly build: Knex
  readonly writer: SqliteConnection
  readonly clock: () => Date
  /** Called after a COMMIT and before its writes are answered. */
  readonly onCommit: (heads: readonly LedgerHead[], changes: readonly Change[]) => void
}

interface Job {
  readonly work: (tx: Tx) => Promise<unknown>
  readonly owner: number
  readonly isIndependent: boolean
  readonly isLong: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Whether it has failed by itself and was answered. */
  failed: boolean
  preemptions: number
}

interface Done {
  readonly job: Job
  readonly value: unknown
  readonly changes: readonly Change[]
}

/** Something has to be undone, and there is no savepoint. */
class Spoiled extends Error {}

/** A long write is undone, because short ones of others wait; it begins again after them. */
class Preempted extends Error {}

export class GroupCommit {
  readonly #parts: GroupCommitParts
  readonly #short = new FairQueue<Job>()
  readonly #long = new FairQueue<Job>()
  /** Long writes that begin again later. */
  readonly #pausing = new Map<Job, NodeJS.Timeout>()
  /** The tables with new rows of the group that their search index does not have yet. */
  readonly #grown = new Set<string>()
  readonly #inserts: InsertsTogether
  #wasLong = false
  #pumping: Promise<void> | undefined
  #isClosed = false

  constructor(parts: GroupCommitParts) {
    this.#parts = parts
    this.#inserts = new InsertsTogether(createQueries('sqlite', parts.build, parts.writer.all).all)
  }

  write<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { isIndependent = false, isLong = false, owner = 0 } = options
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new StorageError('unavailable', 'the database is closed', undefined))
      const told = resolve as (value: unknown) => void
      const queue = isLong ? this.#long : this.#short
      const job = { work, owner, isIndependent, isLong, resolve: told, reject, failed: false, preemptions: 0 }
      queue.add(owner, job)
      this.#pumping ??= this.#pump()
    })
  }

  /** Accepts no more writes and completes those that wait. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of [...this.#pausing.keys()]) this.#addAgain(job)
    await this.#pumping
  }

  async #pump(): Promise<void> {
    // Waiting one turn lets requests of the same turn of the event loop join the group.
    await new Promise(resolve => setImmediate(resolve))
    for (let group = this.#nextGroup(); group.length > 0; group = this.#nextGroup()) await this.#commit(group)
    this.#pumping = undefined
  }

  /** A long write has a transaction of its own, and between two of them the short ones that wait are written. */
  #nextGroup(): Job[] {
    const isLongNext = this.#long.size > 0 && (!this.#wasLong || this.#short.size === 0)
    this.#wasLong = isLongNext
    return [...(isLongNext ? this.#long.take(1) : this.#short.take(mostInGroup))]
  }

  /** @param jobs those that the group has no time for are taken out */
  async #commit(jobs: Job[]): Promise<void> {
    try {
      await this.#commitGroup(jobs, part => this.#runPlainly(part)).catch(error => {
        if (!(error instanceof Spoiled)) throw error
        const left = jobs.filter(job => !job.failed)
        return this.#commitGroup(left, part => oneByOne(part, job => this.#runGuarded(job)))
      })
    } catch (error) {
      if (error instanceof Preempted) return this.#beginAgain(jobs)
      const told = readStorageError(error)
      for (const job of jobs) if (!job.failed) job.reject(told)
    }
  }

  #beginAgain(jobs: readonly Job[]): void {
    for (const job of jobs) {
      const pause = pauses[job.preemptions] ?? 0
      job.preemptions++
      if (pause === 0 || this.#isClosed) this.#addAgain(job)
      else
        this.#pausing.set(
          job,
          setTimeout(() => this.#addAgain(job), pause),
        )
    }
  }

  #addAgain(job: Job): void {
    clearTimeout(this.#pausing.get(job))
    this.#pausing.delete(job)
    this.#long.addFirst(job.owner, job)
    this.#pumping ??= this.#pump()
  }

  /** Short writes of the same token wait: otherwise it could keep its own long ones from ever ending. */
  #mustYield({ isLong, owner, preemptions }: Job): boolean {
    return isLong && preemptions < pauses.length && this.#short.hasOther(owner)
  }

  /** Runs parts of the group as long as it has time; the other writes go back to the front of the queue. */
  async #runInTime(
    jobs: Job[],
    run: (part: readonly Job[]) => Promise<readonly Done[]>,
  ): Promise<readonly Done[]> {
    const started = performance.now()
    const done: Done[] = []
    for (let start = 0; start < jobs.length; start += mostTogether) {
      if (start > 0 && performance.now() - started > groupTime) {
        for (const job of jobs.splice(start).reverse()) this.#short.addFirst(job.owner, job)
        break
      }
      done.push(...(await run(jobs.slice(start, start + mostTogether))))
    }
    return done
  }

  async #commitGroup(jobs: Job[], run: (part: readonly Job[]) => Promise<readonly Done[]>): Promise<void> {
    const { writer, clock, onCommit } = this.#parts
    let done: readonly Done[] = []
    let heads: readonly LedgerHead[] = []
    try {
      this.#grown.clear()
      await writer.exec(beginGuarded)
      done = await this.#runInTime(jobs, run)
      for (const table of this.#grown) await writer.all(indexNewRows(table), [])
      heads = await writeLedgers(
        writer,
        done.map(({ changes }) => changes),
        clock().toISOString(),
        () => {
          if (jobs.some(job => this.#mustYield(job))) throw new Preempted()
        },
      )
      await writer.exec(commitGuarded)
    } catch (error) {
      // The rollback fails if SQLite has ended the transaction by itself, as on a full disk.
      await writer.exec('rollback').catch(() => {})
      throw error
    }
    onCommit(
      heads,
      done.flatMap(({ changes }) => changes),
    )
    for (const { job, value } of done) job.resolve(value)
  }

  /**
   * Runs independent jobs concurrently, because the calls to the database thread are the larger part of a
   * write.
   */
  async #runPlainly(jobs: readonly Job[]): Promise<readonly Done[]> {
    const together = jobs.filter(job => job.isIndependent)
    const others = jobs.filter(job => !job.isIndependent)
    const ended = await Promise.allSettled(together.map(job => this.#runPlain(job)))
    const results = ended.map(result => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
    return [
      ...results.filter(result => result !== undefined),
      ...(await oneByOne(others, job => this.#runPlain(job))),
    ]
  }

  /**
   * Returns undefined if the job failed before it wrote anything.
   * @throws Spoiled if it failed after that
   */
  async #runPlain(job: Job): Promise<Done | undefined> {
    const attempt = this.#attempt(job, () => this.#mustYield(job))
    try {
      const value = await job.work(attempt.tx)
      if (attempt.isPreempted) throw new Preempted()
      if (!attempt.isDiscarded) return { job, value, changes: attempt.changes }
      if (attempt.hasWritten) throw new Spoiled()
      return { job, value, changes: [] }
    } catch (error) {
      if (attempt.isPreempted) throw new Preempted()
      if (error instanceof Spoiled || attempt.hasWritten) throw new Spoiled()
      return fail(job, error)
    }
  }

  /** A long write fills the search index after each of its statements, between which it may yield. */
  #attempt({ isLong }: Job, mustYield: () => boolean): Attempt {
    const index = (table: string) => this.#parts.writer.all(indexNewRows(table), [])
    if (isLong) return createAttempt(this.#parts, mustYield, index)
    return createAttempt(this.#parts, mustYield, table => this.#grown.add(table), this.#inserts)
  }

  /** Returns undefined if the job failed and was undone. */
  async #runGuarded(job: Job): Promise<Done | undefined> {
    const { writer } = this.#parts
    const attempt = this.#attempt(job, () => false)
    await writer.exec('savepoint job')
    try {
      const value = await job.work(attempt.tx)
      const isKept = !attempt.isDiscarded
      await writer.exec(isKept ? 'release job' : 'rollback to job; release job')
      return { job, value, changes: isKept ? attempt.changes : [] }
    } catch (error) {
      // If the savepoint is gone, so is the whole transaction; the original error is the one to report.
      await writer.exec('rollback to job; release job').catch(() => {
        throw error
      })
      return fail(job, error)
    }
  }
}

async function oneByOne(
  jobs: readonly Job[],
  run: (job: Job) => Promise<Done | undefined>,
): Promise<readonly Done[]> {
  const done: Done[] = []
  for (const job of jobs) {
    const result = await run(job)
    if (result !== undefined) done.push(result)
  }
  return done
}

function fail(job: Job, error: unknown): undefined {
  job.failed = true
  job.reject(readStorageError(error))
  return undefined
}

const isRead = /^\s*select\b/i

/** A statement with RETURNING that returns nothing has changed nothing. */
const tellsChanges = /\breturning\b/i

/** One run of a write, and what it has done so far. */
interface Attempt {
  readonly tx: Tx
  readonly changes: Change[]
  isDiscarded: boolean
  hasWritten: boolean
  /** Whether a statement was refused because others wait. */
  isPreempted: boolean
}

function createAttempt(
  { build, writer }: Pick<GroupCommitParts, 'build' | 'writer'>,
  mustYield: () => boolean,
  onGrown: (table: string) => unknown,
  inserts?: InsertsTogether,
): Attempt {
  const queries = createQueries('sqlite', build, async (text, values) => {
    attempt.isPreempted ||= mustYield()
    if (attempt.isPreempted) throw new Preempted()
    const rows = await writer.all(text, values)
    attempt.hasWritten ||= !isRead.test(text) && !(rows.length === 0 && tellsChanges.test(text))
    const table = searchedTable(text)
    if (table !== undefined) await onGrown(table)
    return rows
  })
  const insertTogether = async (together: InsertsTogether, insert: RowInsert, values: readonly Cell[]) => {
    const row = await together.add(insert, values)
    attempt.hasWritten ||= row !== undefined
    if (searchedTables.includes(insert.into)) onGrown(insert.into)
    return row
  }
  const attempt: Attempt = {
    tx: {
      ...queries,
      firstForUpdate: queries.first,
      insert: (insert, values) =>
        inserts === undefined
          ? queries.first(insertText(insert, 1), values)
          : insertTogether(inserts, insert, values),
      record: change => attempt.changes.push(change),
      discard: () => {
        attempt.isDiscarded = true
      },
    },
    changes: [],
    isDiscarded: false,
    hasWritten: false,
    isPreempted: false,
  }
  return attempt
}
