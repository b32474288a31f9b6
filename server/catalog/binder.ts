/**
 * The interface through which the catalogue asks the engine of its project. The engine runs in its own
 * process: see `worker/databases.ts`.
 */
import type { Column, Engine } from '../language/index.ts'
import type { BindError } from './bind-error.ts'
import type { FunctionNames } from './function-names.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { countRunning } from './running.ts'
import { startWorker } from './worker/worker-process.ts'

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
  boundCasts(statements: readonly string[]): Promise<readonly (readonly BoundCast[])[]>
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

/** Opens the database with the first statement, so that nothing is opened where nothing has changed. */
export function lazyBinder(engine: Engine, load: readonly string[]): LazyBinder {
  let limits = defaultLimits
  let opened: Binder | undefined
  let isClosed = false
  const binder = (): Binder => {
    if (isClosed) throw new Error('the database is closed')
    opened ??= startBinder(engine, () => limits, load)
    return opened
  }
  const reopen = () => {
    opened?.close()
    opened = undefined
  }
  return {
    begin: () => void binder(),
    setLimits(wanted) {
      const isOther = opened !== undefined && wanted.memoryBytes !== limits.memoryBytes
      limits = wanted
      if (isOther) reopen()
      return isOther
    },
    reopen,
    bind: async sql => binder().bind(sql),
    bindAll: async queries => (queries.length === 0 ? [] : binder().bindAll(queries)),
    run: async statements => (statements.length === 0 ? undefined : binder().run(statements)),
    syntaxError: async sql => binder().syntaxError(sql),
    boundCasts: async statements => (statements.length === 0 ? [] : binder().boundCasts(statements)),
    functionNames: async () => binder().functionNames(),
    rows: async sql => binder().rows(sql),
    close() {
      isClosed = true
      opened?.close()
    },
  }
}

const ownLimits: Limits = { timeMs: 60_000, memoryBytes: 1_000_000_000 }

/**
 * Opens a binder without limits, for statements that this program writes itself. `load` has the statements
 * that load the engine's extensions.
 */
export async function openBinder(engine: Engine, load: readonly string[] = []): Promise<Binder> {
  return startBinder(engine, () => ownLimits, load)
}

function startBinder({ kind: engine }: Engine, limits: () => Limits, load: readonly string[]): Binder {
  const process = startWorker({ engine, kind: 'binder', memoryBytes: limits().memoryBytes, load })
  const running = countRunning()
  const ask = <T>(method: string, ...input: unknown[]): Promise<T> =>
    running.track(() => process.call(method, input, limits()) as Promise<T>)
  return {
    bind: sql => ask('bind', sql),
    bindAll: queries => ask('bindAll', queries),
    run: statements => ask('run', statements),
    syntaxError: sql => ask('syntaxError', sql),
    boundCasts: statements => ask('boundCasts', statements),
    functionNames: () => ask('functionNames'),
    rows: sql => ask('rows', sql),
    close: () => running.close(() => process.kill()),
  }
}
