/**
 * Sends the rows of a spool in batches: several at a time, each on the disk before it is sent, tried again when
 * the target cannot be reached, and halved when it refuses one, until the rows that it does not want are alone.
 */
import { createHash } from 'node:crypto'
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
import type { PublishJournal, Repeat, RowRange } from './journal.ts'
import { batchesIn, linesWithin, type SpoolLines } from './spool-lines.ts'

export interface Sending {
  readonly destination: OpenDestination
  readonly journal: PublishJournal
  readonly limits: PublishLimits
  readonly batchRows: number
  /** Whether each line of the spool is the payload of a new row, and nothing else. */
  readonly isBare: boolean
  /** Batches that were in doubt; they are the first in the spool. */
  readonly repeats: readonly Repeat[]
  /** Tells equal batches of two publishes apart. */
  readonly base: string
  readonly random: () => number
  readonly signal: AbortSignal
  /** Throws SvcError `lease-lost`. */
  readonly assertHeld: () => Promise<void>
  /** Hides what must not be told in a reason: secrets, and personal values of the row. */
  readonly clean: (reason: string, row: SpooledRow) => string
  readonly onSent: (taken: number, refused: number) => void
  readonly onNote: (text: string) => void
}

const backoff = { baseMs: 500, capMs: 30_000 }
/** So many rows may be refused before any is taken. */
const mostRefusedAtFirst = 100

/**
 * Sends all rows. What was in doubt comes first, the same batches under the same keys. Throws what stops a publish; what was
 * acknowledged until then is in the journal.
 */
export async function sendRows(sending: Sending): Promise<void> {
  const { repeats, journal, isBare, batchRows, limits } = sending
  const { spool } = journal
  // Rows have to be written before they are sent.
  if (spool === undefined) throw new Error('there is no spool')
  const file = { spool, isBare }
  const sender = new Sender(sending)
  for (const { key, range } of repeats) await sender.send(await linesWithin(file, ...range), key)
  const start = Math.max(0, ...repeats.map(({ range: [, to] }) => to))
  await inParallel(batchesIn(file, batchRows, start), limits.concurrency, lines => sender.send(lines))
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
  async send(lines: SpoolLines, key = keyOfLines(lines, this.#sending.base)): Promise<void> {
    const { journal, signal } = this.#sending
    signal.throwIfAborted()
    await journal.write({ send: rangeOf(lines), key })
    const sent = await this.#tried(lines, key)
    if (!(sent instanceof Refused)) return this.#note(lines, sent)
    if (lines.count === 1) return this.#note(lines, [{ taken: false, reason: sent.message }])
    await journal.write({ back: rangeOf(lines) })
    const middle = lines.from + Math.ceil(lines.count / 2)
    await this.send(lines.within(lines.from, middle))
    await this.send(lines.within(middle, lines.to))
  }

  /** Tries again while the target cannot be reached. The batch stays in doubt when that does not help. */
  async #tried(lines: SpoolLines, key: string): Promise<readonly RowOutcome[] | undefined | Refused> {
    const { destination, limits, random, signal, onNote } = this.#sending
    const batch = batchOf(lines, key, this.#sending)
    for (let tries = 1; ; tries++) {
      await this.#pace.turn(signal)
      await this.#askLease(lines, tries)
      try {
        return await destination.send?.(batch)
      } catch (error) {
        if (error instanceof Refused) return error
        signal.throwIfAborted()
        if (!(error instanceof Passing)) {
          // An answer that cannot be read may have been a yes.
          if (error instanceof SvcError && error.code !== 'http-body')
            await this.#sending.journal.write({ back: rangeOf(lines) })
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

  /** A batch that was never sent is in no doubt. */
  async #askLease(lines: SpoolLines, tries: number): Promise<void> {
    const { assertHeld, journal } = this.#sending
    try {
      await assertHeld()
    } catch (error) {
      if (tries === 1) await journal.write({ back: rangeOf(lines) })
      throw error
    }
  }

  async #note(lines: SpoolLines, outcomes: readonly RowOutcome[] | undefined): Promise<void> {
    const { journal, clean, onSent } = this.#sending
    const refused: Record<number, string> = {}
    const ids: Record<number, string> = {}
    outcomes?.forEach((outcome, at) => {
      const row = lines.rows[at]
      if (row === undefined) return
      if (!outcome.taken) refused[row.index] = clean(outcome.reason, row)
      else if (outcome.id !== undefined) ids[row.index] = outcome.id
    })
    const lost = Object.keys(refused).length
    await journal.write({
      done: rangeOf(lines),
      operation: lines.operation,
      ...(lost > 0 && { refused }),
      ...(Object.keys(ids).length > 0 && { ids }),
    })
    this.#taken += lines.count - lost
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

function rangeOf({ from, to }: SpoolLines): RowRange {
  return [from, to]
}

/** A destination that takes payloads as they are never asks for the rows. */
function batchOf(
  lines: SpoolLines,
  idempotencyKey: string,
  { signal, clean }: Pick<Sending, 'signal' | 'clean'>,
): Batch {
  return {
    hide: said => lines.rows.reduce(clean, said),
    operation: lines.operation,
    payloads: lines.payloads,
    get rows() {
      return lines.rows
    },
    ...{ idempotencyKey, signal },
  }
}

function keyOfLines(lines: SpoolLines, base: string): string {
  if (!lines.isBare) return keyOf(lines.rows, base)
  return createHash('sha256').update(base).update(lines.bytes).digest('hex').slice(0, 32)
}

/** Returns the key of a batch: the same rows of the same publish have the same. */
export function keyOf(rows: readonly SpooledRow[], base: string): string {
  // One update for all rows: each has its own price.
  const lines = rows.map(({ operation, keyHash, rowHash }) => `\n${operation} ${keyHash} ${rowHash}`)
  return createHash('sha256').update(base).update(lines.join('')).digest('hex').slice(0, 32)
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
