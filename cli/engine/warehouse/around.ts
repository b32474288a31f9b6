/** The statements around a build, one by one: before it, and then indexes and those after it. */
import type { TableIndex } from '@svc/server/language'
import { type AroundPlace, SvcError } from '../errors.ts'
import type { TableKey } from './table-keys.ts'
import type { Around, BuildTask } from './warehouse.ts'

export function aroundOf(task: BuildTask): Around | undefined {
  return task.kind === 'load' ? undefined : task.around
}

/** Returns whether statements of users follow the build, which may change its rows and columns. */
export function isChangedAfter(task: BuildTask): boolean {
  return (aroundOf(task)?.after ?? []).length > 0
}

/** How an engine does them; both throw SvcError for what it refuses. */
export interface AroundStatements {
  readonly run: (sql: string) => Promise<unknown>
  /** `place` tells the indexes of one table apart. */
  readonly makeIndex: (index: TableIndex, place: number) => Promise<unknown>
  readonly makeKey: (key: TableKey) => Promise<unknown>
  /** Whether a key that is made holds for all that comes after it; else it is asked for when all has come. */
  readonly keysHold: boolean
}

export async function runBefore(task: BuildTask, { run }: Pick<AroundStatements, 'run'>): Promise<void> {
  await runList('before', aroundOf(task)?.before ?? [], run)
}

/** What holds for the transaction of a build: where its table is kept, and settings. */
export async function runOptions(
  task: BuildTask,
  { run, engineSql }: Pick<AroundStatements, 'run'> & { readonly engineSql: OptionsSql },
): Promise<void> {
  const { tablespace, settings = [] } = aroundOf(task)?.options ?? {}
  await runList('tablespace', tablespace === undefined ? [] : [engineSql.tablespace(tablespace)], run)
  await runList(
    'settings',
    settings.map(([name, value]) => engineSql.setting(name, value)),
    run,
  )
}

export interface OptionsSql {
  readonly tablespace: (name: string) => string
  readonly setting: (name: string, value: string) => string
}

export async function runAfter(task: BuildTask, statements: AroundStatements): Promise<void> {
  const { run, makeIndex, makeKey, keysHold } = statements
  const { keys = [], indexes = [], after = [] } = aroundOf(task) ?? {}
  if (keysHold) await runKeys(keys, makeKey)
  await runList('indexes', indexes, makeIndex)
  await runList('after', after, run)
  if (!keysHold) await runKeys(keys, makeKey)
}

async function runKeys(keys: readonly TableKey[], makeKey: AroundStatements['makeKey']): Promise<void> {
  for (const key of keys) {
    try {
      await makeKey(key)
    } catch (error) {
      throw error instanceof SvcError ? atPlace(error, key) : error
    }
  }
}

async function runList<T>(
  list: AroundPlace['list'],
  items: readonly T[],
  run: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    try {
      await run(item, index)
    } catch (error) {
      throw error instanceof SvcError ? atPlace(error, { list, index }) : error
    }
  }
}

function atPlace(error: SvcError, { list, index }: AroundPlace): SvcError {
  return error.retold(error.message, { around: { list, index } })
}

/** The error for a relation that is gone after the statements that follow it. */
export function takenAway(task: BuildTask): SvcError {
  const index = (aroundOf(task)?.after.length ?? 0) - 1
  return new SvcError('build-failed', 'the statements after the build took away what was built', {
    hint: 'They may change it, and not drop or rename it.',
    around: { list: 'after', index },
  })
}
