/** Builds one relation: the relation first, its record after it. */
import { SvcError } from '../../../../cli/engine/errors.ts'
import { insertRejects, type Row, type StateChange } from '../../../../cli/engine/state/changes.ts'
import type { StateStore } from '../../../../cli/engine/state/state-store.ts'
import {
  type Append,
  type BuildOptions,
  type BuildOutcome,
  type BuildResult,
  type BuildTask,
  isViewTask,
  type WarehouseSession,
} from '../../../../cli/engine/warehouse/warehouse.ts'

export async function buildSeparately(
  session: WarehouseSession,
  state: StateStore,
  task: BuildTask,
  options: BuildOptions,
): Promise<void> {
  if (options.signal?.aborted === true) return
  options.onStart?.(task)
  options.onEnd(task, await outcomeOf(session, state, task, options))
}

/** Throws what `record` throws. */
async function outcomeOf(
  session: WarehouseSession,
  state: StateStore,
  task: BuildTask,
  options: BuildOptions,
): Promise<BuildOutcome> {
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  const kind = isViewTask(task) ? 'view' : 'table'
  const name = session.dialect.relation(task.target)
  let bug: { readonly error: unknown } | undefined
  try {
    await session.execute([`CREATE ${kind} ${name} AS\n${task.sql}\n`], options.signal)
    const result: BuildResult = { ...(await lookAt(session, task)), seconds: seconds() }
    const appended = task.kind === 'load' ? await appendsOf(session, task.appends ?? []) : []
    const recorded = attempt(() => options.record(task, result))
    if ('error' in recorded) {
      bug = recorded
      throw recorded.error
    }
    await state.commit([...appended, ...recorded.value])
    return { ok: true, result }
  } catch (error) {
    await session.dropRelations([{ relation: task.target, kind }])
    if (bug !== undefined) throw bug.error
    const isInterrupt = error instanceof SvcError && error.code === 'interrupted'
    const failure = isInterrupt ? error : new SvcError('build-failed', String(error), { cause: error })
    return { ok: false, error: failure, seconds: seconds() }
  }
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

async function lookAt(session: WarehouseSession, task: BuildTask) {
  const name = session.dialect.relation(task.target)
  const columns = await session.describe(`SELECT * FROM ${name}`)
  if (isViewTask(task)) return { rows: undefined, columns }
  const [counted] = await session.query<{ n: number }>(`SELECT count(*) AS n FROM ${name}`)
  return { rows: counted?.n, columns }
}

async function appendsOf(session: WarehouseSession, appends: readonly Append[]): Promise<StateChange[]> {
  const rows: Row[] = []
  for (const { facts, sql } of appends)
    for (const row of await session.query(sql)) rows.push({ ...facts, ...(row as Row) })
  return insertRejects(rows)
}
