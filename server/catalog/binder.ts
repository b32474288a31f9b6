/**
 * The interface through which the catalogue asks the engine of its project. The engine runs in its own
 * process: see `worker/databases.ts`.
 */

import type { Column, Engine } from '../language/index.ts'
import { internalName } from '../language/internal-names.ts'
import type { BindError } from './bind-error.ts'
import type { FunctionNames } from './function-names.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { countRunning, type Running } from './running.ts'
import { startWorker, type WorkerProcess } from './worker/worker-process.ts'

export { BinderLost } from './limits.ts'

export type BindResult = { readonly columns: readonly Column[] } | { readonly error: BindError }

/** A cast of a literal that the engine's binder inserts. */
export interface BoundCast {
  /** The place of the literal: a UTF-8 byte offset in the text that was bound. */
  readonly location: number
  /** The constant, written as SQL. */
  readonly constant: string
  readonly type: string
}

/** "too large": the engine cannot write out the plan. */
export type BoundCasts = readonly BoundCast[] | 'too large'

/** A cast of a text that stands in a statement in the place of a literal. */
export interface MarkedCast {
  readonly mark: number
  readonly type: string
}

/** The text that stands for a literal, by which its cast is found in a plan without places. */
export function literalMark(mark: number | string): string {
  return `${internalName('literal')}_${mark}`
}

export interface Binder {
  /** Binds one query and returns its columns, or its first error (with positions in `sql`). */
  bind(sql: string): Promise<BindResult>
  /**
   * Binds queries together, which is much cheaper than one by one. Returns undefined if any of them does not
   * bind.
   */
  bindAll(queries: readonly string[]): Promise<(readonly Column[])[] | undefined>
  /** Runs trusted statements, written by this program, as one text in one transaction. */
  run(statements: readonly string[]): Promise<BindError | undefined>
  /** Parses a text without binding it. Returns the syntax error, or undefined where there is none. */
  syntaxError(sql: string): Promise<BindError | undefined>
  /** Returns the casts of literals in each statement; none where the engine does not show its plan. */
  boundCasts(statements: readonly string[]): Promise<readonly BoundCasts[]>
  /** Returns the casts of the marks in a statement whose plan is too large to be written out. */
  markedCasts(sql: string): Promise<readonly MarkedCast[]>
  /** Has the engine plan a query that binds, for no more than that it stays within the limits. */
  plan(sql: string): Promise<void>
  functionNames(): Promise<FunctionNames>
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
  close(): void
}

export interface LazyBinder extends Binder {
  /** Opens the database in the background, when it is certain that statements will follow. */
  begin(): void
  /**
   * Sets the limits of a statement. Returns true if the memory limit differs, in which case an open database
   * is closed.
   */
  setLimits(limits: Limits): boolean
  /**
   * To call after `BinderLost`: the next statement then opens an empty database. Until it is called every
   * statement fails, because all depend on tables that are lost.
   */
  reopen(): void
}

const ownLimits: Limits = { timeMs: 60_000, memoryBytes: 1_000_000_000 }

/**
 * Opens a binder without limits, for statements that this program writes itself. `load` has the statements
 * that load the engine's extensions.
 */
export async function openBinder(engine: Engine, load: readonly string[] = []): Promise<Binder> {
  const binder = lazyBinder(engine, load, ownLimits)
  binder.begin()
  return binder
}

/** Opens the database with the first statement, so that nothing is opened where nothing has changed. */
export function lazyBinder(
  engine: Engine,
  load: readonly string[],
  firstLimits: Limits = defaultLimits,
): LazyBinder {
  let limits = firstLimits
  let opened: Opened | undefined
  let isClosed = false
  const openedNow = (): Opened => {
    if (isClosed) throw new Error('the database is closed')
    opened ??= openDatabase(engine, limits, load)
    return opened
  }
  const ask = async <T>(method: string, ...input: unknown[]): Promise<T> => {
    const { process, running } = openedNow()
    return (await running.track(() => process.call(method, input, limits))) as T
  }
  const close = () => {
    const database = opened
    database?.running.close(() => database.process.kill())
  }
  const reopen = () => {
    close()
    opened = undefined
  }
  return {
    begin: () => void openedNow(),
    setLimits(wanted) {
      const isOther = opened !== undefined && wanted.memoryBytes !== limits.memoryBytes
      limits = wanted
      if (isOther) reopen()
      return isOther
    },
    reopen,
    bind: sql => ask('bind', sql),
    bindAll: async queries => (queries.length === 0 ? [] : ask('bindAll', queries)),
    run: async statements => (statements.length === 0 ? undefined : ask('run', statements)),
    syntaxError: sql => ask('syntaxError', sql),
    boundCasts: async statements => (statements.length === 0 ? [] : ask('boundCasts', statements)),
    markedCasts: sql => ask('markedCasts', sql),
    plan: sql => ask('plan', sql),
    functionNames: () => ask('functionNames'),
    rows: sql => ask('rows', sql),
    close() {
      isClosed = true
      close()
    },
  }
}

interface Opened {
  readonly process: WorkerProcess
  readonly running: Running
}

function openDatabase({ kind: engine }: Engine, { memoryBytes }: Limits, load: readonly string[]): Opened {
  const process = startWorker({ engine, kind: 'binder', memoryBytes, load })
  return { process, running: countRunning() }
}
