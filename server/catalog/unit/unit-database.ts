/** The database that runs unit tests. It has its own process, which is ended if a test exceeds a limit. */
import type { Engine } from '../../language/index.ts'
import { bindError } from '../bind-error.ts'
import { BinderLost, type Limits } from '../limits.ts'
import { countRunning } from '../running.ts'
import { startWorker, type WorkerProcess } from '../worker/worker-process.ts'
import { isFailure, type UnitFailure } from './unit-failure.ts'

export interface UnitDatabase {
  /**
   * Sets the result of `now()`. With undefined, asking for the time is an error that `isTimeProblem`
   * recognizes. Returns a failure if the time is not valid.
   */
  setNow(time: string | undefined): Promise<UnitFailure | undefined>
  run(sql: string): Promise<UnitFailure | undefined>
  /** Returns the names and types of a query's columns. The place of a failure is one in the query, as for `rows`. */
  describe(sql: string): Promise<readonly { readonly name: string; readonly type: string }[] | UnitFailure>
  /** Returns the rows of a statement of this program. All values must be texts. */
  texts(sql: string): Promise<readonly (readonly (string | null)[])[] | UnitFailure>
  /**
   * Returns at most so many rows of a query, as texts that are the same for equal values. `count`: the number of its columns, where
   * it is known. `before` is run first: to send it along costs less than to send it alone.
   */
  rows(
    query: string,
    most: number,
    before: string | undefined,
    count: number | undefined,
  ): Promise<readonly (readonly (string | null)[])[] | UnitFailure>
  /** Returns the same database for one test: `onTime` is called with the milliseconds that each of its statements took. */
  timed(onTime: (ms: number) => void): UnitDatabase
  /** True once its process has ended for whatever reason. */
  readonly isLost: boolean
  close(): void
}

/** Limits that are read at the start of each statement, and a signal that is polled while it runs. */
export interface UnitLimits {
  readonly limits: Limits
  readonly isAborted: () => boolean
}

/** Opens the database. `load` has the statements that load extensions of the engine. */
export function openUnitDatabase(
  { kind: engine }: Engine,
  wanted: () => UnitLimits,
  load: readonly string[],
): UnitDatabase {
  const process = startWorker({ engine, kind: 'unit', memoryBytes: wanted().limits.memoryBytes, load })
  const running = countRunning()
  type OnTime = (ms: number) => void
  const ask = async <T>(
    onTime: OnTime,
    method: string,
    ...input: readonly (string | number | undefined)[]
  ): Promise<T | UnitFailure> => {
    const started = performance.now()
    let isTimed = false
    const took = (ms: number) => {
      isTimed = true
      onTime(ms)
    }
    const answer = await running.track(() =>
      guarded(process, wanted, () => process.call(method, input, wanted().limits, took) as Promise<T>),
    )
    // A process that was ended has measured nothing.
    if (!isTimed) onTime(performance.now() - started)
    return answer
  }
  /** The time as it was last sent; null if that failed. */
  let now: string | undefined | null
  let sent = 0
  const databaseOf = (onTime: OnTime): UnitDatabase => ({
    async setNow(time) {
      // A time that was sent and is not confirmed yet may still fail.
      if (time === now && sent === 0) return undefined
      now = time
      sent += 1
      const failed = await ask<undefined>(onTime, 'setNow', time)
      sent -= 1
      if (failed !== undefined) now = null
      return failed
    },
    run: sql => ask(onTime, 'run', sql),
    describe: sql => ask(onTime, 'describe', sql),
    texts: sql => ask(onTime, 'texts', sql),
    rows: (query, most, before, count) => ask(onTime, 'rows', query, most, before, count),
    timed: databaseOf,
    get isLost() {
      return process.isLost
    },
    close: () => running.close(() => process.kill()),
  })
  return databaseOf(() => undefined)
}

/** The interval at which the signal is polled while a statement runs. */
const watchMs = 5
/** If the statement has not stopped after this time, its process is ended. */
const listenMs = 300

async function guarded<T>(
  process: WorkerProcess,
  wanted: () => UnitLimits,
  work: () => Promise<T | UnitFailure>,
): Promise<T | UnitFailure> {
  if (wanted().isAborted()) return { ...bindError('other', 'aborted'), stopped: 'aborted' }
  let abortedAt: number | undefined
  const timer = setInterval(() => {
    if (!wanted().isAborted()) return
    abortedAt ??= performance.now()
    if (performance.now() - abortedAt > listenMs) process.kill()
    else process.interrupt()
  }, watchMs)
  const stopped = () => (abortedAt === undefined ? undefined : 'aborted')
  try {
    const found = await work()
    return isFailure(found) ? { ...found, stopped: stopped() } : found
  } catch (error) {
    const isLost = error instanceof BinderLost
    if (!isLost && abortedAt === undefined) throw error
    const over = isLost && error.reason !== 'crash' ? error.reason : undefined
    const message = error instanceof Error ? error.message : String(error)
    return { ...bindError('fatal', message), stopped: stopped() ?? over }
  } finally {
    clearInterval(timer)
  }
}
