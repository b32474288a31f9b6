/** The statements around a build, one by one: before it, and then indexes and those after it. */
import type { TableIndex } from '@svc/server/language'
import { type AroundPlace, SvcError } from '../errors.ts'
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
}

export async function runBefore(task: BuildTask, { run }: Pick<AroundStatements, 'run'>): Promise<void> {
  await runList('before', aroundOf(task)?.before ?? [], run)
}

export async function runAfter(task: BuildTask, { run, makeIndex }: AroundStatements): Promise<void> {
  const { indexes = [], after = [] } = aroundOf(task) ?? {}
  await runList('indexes', indexes, makeIndex)
  await runList('after', after, run)
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

function atPlace(error: SvcError, around: AroundPlace): SvcError {
  return error.retold(error.message, { around })
}

/** The error for a relation that is gone after the statements that follow it. */
export function takenAway(task: BuildTask): SvcError {
  const index = (aroundOf(task)?.after.length ?? 0) - 1
  return new SvcError('build-failed', 'the statements after the build took away what was built', {
    hint: 'They may change it, and not drop or rename it.',
    around: { list: 'after', index },
  })
}
