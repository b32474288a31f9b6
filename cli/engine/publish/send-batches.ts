/**
 * Sends the rows of a spool in batches: several at a time, each on the disk before it is sent, tried again when
 * the target cannot be reached, and halved when it refuses one, until the rows that it does not want are alone.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { PublishLimits } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { createPace, type Pace, wait } from '../ingest/rest/pace.ts'
import { backoffMs } from '../ingest/rest/retry.ts'
import {
  type Batch,
  type OpenDestination,
  Passing,
  Refused,
  type RowOutcome,
  type SpooledRow,
} from './destination.ts'
import type { PublishJournal, RowRange } from './journal.ts'
import { parseRow } from './row-text.ts'

export interface Sending {
  readonly destination: OpenDestination
  readonly journal: PublishJournal
  readonly limits: PublishLimits
  readonly batchRows: number
  /** Tells equal batches of two publishes apart. */
  readonly base: string
  readonly random: () => number
  readonly signal: AbortSignal
  /** Hides what must not be told in a reason: secrets, and personal values of the row. */
  readonly clean: (reason: string, row: SpooledRow) => string
  readonly onSent: (taken: number, refused: number) => void
  readonly onNote: (text: string) => void
}

const backoff = { baseMs: 500, capMs: 30_000 }
/** So many rows may be refused before any is taken. */
const mostRefusedAtFirst = 100

/** Sends all rows. Throws what stops a publish; what was acknowledged until then is in the journal. */
export async function sendRows(sending: Sending): Promise<void> {
  const sender = new Sender(sending)
  await inParallel(batchesOf(sending), sending.limits.concurrency, rows => sender.send(rows))
}

/** Sends the batches again of which an earlier publish did not learn whether they were taken: the same, under the same key. */
export async function settleDoubts(sending: Sending, inDoubt: ReadonlyMap<string, RowRange>): Promise<void> {
  const sender = new Sender(sending)
  const rows = await rowsIn(sending.journal.spoolPath, [...inDoubt.values()])
  for (const [key, [from, to]] of inDoubt) {
    const own = rows.filter(({ index }) => index >= from && index < to)
    await sender.send(own, key)
  }
}

async function rowsIn(path: string, ranges: readonly RowRange[]): Promise<readonly SpooledRow[]> {
  const found: SpooledRow[] = []
  const last = Math.max(0, ...ranges.map(([, to]) => to))
  for await (const row of spooledRows(path)) {
    if (row.index >= last) break
    if (ranges.some(([from, to]) => row.index >= from && row.index < to)) found.push(row)
  }
  return found
}

class Sender {
  readonly #sending: Sending
  readonly #pace: Pace
  #taken = 0
  #refused = 0

  constructor(sending: Sending) {
    this.#sending = sending
    this.#pace = createPace(sending.limits.ratePerSecond)
  }

  /** Sends one batch, and what it is halved into. */
  async send(rows: readonly SpooledRow[], key = keyOf(rows, this.#sending.base)): Promise<void> {
    const { journal, signal } = this.#sending
    const operation = rows[0]?.operation ?? 'insert'
    signal.throwIfAborted()
    await journal.write({ send: rangeOf(rows), key })
    const sent = await this.#tried({ operation, rows, idempotencyKey: key, signal })
    if (!(sent instanceof Refused)) return this.#note(rows, sent)
    if (rows.length === 1) return this.#note(rows, [{ taken: false, reason: sent.message }])
    await journal.write({ back: rangeOf(rows) })
    const middle = Math.ceil(rows.length / 2)
    await this.send(rows.slice(0, middle))
    await this.send(rows.slice(middle))
  }

  /** Tries again while the target cannot be reached. The batch stays in doubt when that does not help. */
  async #tried(batch: Batch): Promise<readonly RowOutcome[] | undefined | Refused> {
    const { destination, limits, random, signal, onNote } = this.#sending
    for (let tries = 1; ; tries++) {
      await this.#pace.turn(signal)
      try {
        return await destination.send?.(batch)
      } catch (error) {
        if (error instanceof Refused) return error
        signal.throwIfAborted()
        if (!(error instanceof Passing)) {
          // An answer that cannot be read may have been a yes.
          if (error instanceof SvcError && error.code !== 'http-body')
            await this.#sending.journal.write({ back: rangeOf(batch.rows) })
          throw error
        }
        const waitMs = error.waitMs ?? backoffMs(tries, { ...backoff, random })
        if (tries > limits.retries || waitMs > longestPauseMs) throw givenUp(error, tries)
        onNote(
          `${error.message}: waiting ${(waitMs / 1000).toFixed(1)} s, then try ${tries + 1} of ${limits.retries + 1}`,
        )
        if (error.waitMs === undefined) await wait(waitMs, signal)
        else this.#pace.pause(waitMs)
      }
    }
  }

  async #note(rows: readonly SpooledRow[], outcomes: readonly RowOutcome[] | undefined): Promise<void> {
    const { journal, clean, onSent } = this.#sending
    const refused: Record<number, string> = {}
    const ids: Record<number, string> = {}
    outcomes?.forEach((outcome, at) => {
      const row = rows[at]
      if (row === undefined) return
      if (!outcome.taken) refused[row.index] = clean(outcome.reason, row)
      else if (outcome.id !== undefined) ids[row.index] = outcome.id
    })
    const lost = Object.keys(refused).length
    await journal.write({
      done: rangeOf(rows),
      operation: rows[0]?.operation ?? 'insert',
      ...(lost > 0 && { refused }),
      ...(Object.keys(ids).length > 0 && { ids }),
    })
    this.#taken += rows.length - lost
    this.#refused += lost
    onSent(this.#taken, this.#refused)
    if (this.#taken === 0 && this.#refused >= mostRefusedAtFirst) throw nothingTaken(this.#refused, refused)
  }
}

/** A target that wants to be left alone for longer is asked another day. */
const longestPauseMs = 5 * 60_000

function givenUp({ code, message, hint, cause }: Passing, tries: number): SvcError {
  return new SvcError(code, tries === 1 ? message : `${message} (${tries} tries)`, {
    hint: `${hint ?? ''} Publish again: what was acknowledged is kept, and the rest is sent then.`.trim(),
    cause,
  })
}

function nothingTaken(count: number, refused: Readonly<Record<number, string>>): SvcError {
  return new SvcError(
    'rows-refused',
    `the first ${count} rows were all refused: ${Object.values(refused)[0]}`,
    {
      hint: 'Something is wrong with all of them: check resource, fields and types, and publish again.',
    },
  )
}

function rangeOf(rows: readonly SpooledRow[]): RowRange {
  return [rows[0]?.index ?? 0, (rows.at(-1)?.index ?? -1) + 1]
}

/** Returns the key of a batch: the same rows of the same publish have the same. */
export function keyOf(rows: readonly SpooledRow[], base: string): string {
  // One update for all rows: each has its own price.
  const lines = rows.map(({ operation, keyHash, rowHash }) => `\n${operation} ${keyHash} ${rowHash}`)
  return createHash('sha256').update(base).update(lines.join('')).digest('hex').slice(0, 32)
}

async function* batchesOf({ journal, batchRows }: Sending): AsyncGenerator<readonly SpooledRow[]> {
  let rows: SpooledRow[] = []
  for await (const row of spooledRows(journal.spoolPath)) {
    const isOther = rows[0] !== undefined && rows[0].operation !== row.operation
    if (isOther || rows.length >= batchRows) {
      yield rows
      rows = []
    }
    rows.push(row)
  }
  if (rows.length > 0) yield rows
}

/** Reads the spool line by line; a line of the file ends with a line feed and with nothing else. */
export async function* spooledRows(path: string): AsyncGenerator<SpooledRow> {
  let index = 0
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield parseRow(line, index++)
  }
  if (rest !== '') yield parseRow(rest, index)
}

/** Works on several items at a time. After a failure nothing more is begun, and what has begun ends first. */
async function inParallel<T>(
  items: AsyncGenerator<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  const running = new Set<Promise<void>>()
  for await (const item of items) {
    // The next item is read while others are worked on.
    while (running.size >= most && failures.length === 0) await Promise.race(running)
    if (failures.length > 0) break
    const job = work(item).catch((error: unknown) => {
      failures.push(error)
    })
    running.add(job)
    void job.finally(() => running.delete(job))
  }
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
}
