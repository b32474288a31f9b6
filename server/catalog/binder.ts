/** What the catalogue asks the engine of its project, which is in a process of its own: see `worker/databases.ts`. */
import type { Column, Engine } from '../language/index.ts'
import type { BindError } from './bind-error.ts'
import type { FunctionNames } from './function-names.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { countRunning } from './running.ts'
import { startWorker } from './worker/worker-process.ts'

export { BinderLost } from './limits.ts'

export type BindResult = { readonly columns: readonly Column[] } | { readonly error: BindError }

/** The binder casts a literal to a type. */
export interface BoundCast {
  /** Of the literal: a UTF-8 byte offset in the text that was bound. */
  readonly location: number
  /** The constant as SQL. */
  readonly constant: string
  readonly type: string
}

export interface Binder {
  /** Binds one query: its columns, or the first thing wrong with it (positions are those of `sql`). */
  bind(sql: string): Promise<BindResult>
  /** Binds queries together, which is much cheaper; undefined: at least one of them does not bind. */
  bindAll(queries: readonly string[]): Promise<(readonly Column[])[] | undefined>
  /** Runs statements of our own making as one text, in one transaction. */
  run(statements: readonly string[]): Promise<BindError | undefined>
  /** Why a text is no statement; undefined: it parses. Nothing is bound. */
  syntaxError(sql: string): Promise<BindError | undefined>
  /** The casts of literals in each statement; none where the engine does not tell its plan. */
  boundCasts(statements: readonly string[]): Promise<readonly (readonly BoundCast[])[]>
  functionNames(): Promise<FunctionNames>
  rows(sql: string): Promise<readonly (readonly unknown[])[]>
  close(): void
}

export interface LazyBinder extends Binder {
  /** Opens it now, in the background: somebody knows that statements will come. */
  begin(): void
  /** What a statement may take from now on. True: the database had other ones and is gone. */
  setLimits(limits: Limits): boolean
  /** After `BinderLost`: the next statement opens an empty database. Until then all fail, since all rest on what is lost. */
  reopen(): void
}

/** Opened when the first statement comes: where nothing has changed none does. */
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

/** For statements of our own: what they take is known. `load`: statements that load extensions of the engine. */
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
