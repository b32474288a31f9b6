/**
 * One transaction with several builds: all relations with their columns and records are committed, or none.
 */

import type { DuckDBConnection } from '@duckdb/node-api'
import { internalName } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { type AroundStatements, isChangedAfter, runAfter, runBefore, takenAway } from '../around.ts'
import { changeStatements, type StateOwner } from '../sql-state/change-statements.ts'
import { appendStatement } from '../sql-state/file-statements.ts'
import { type BuildOptions, type BuildResult, type BuildTask, isViewTask } from '../warehouse.ts'
import { inTransaction, runStatements } from './connections.ts'
import { statementFailure } from './failures.ts'
import { makeIndex } from './indexes.ts'
import { askKey } from './keys.ts'
import { columnsOfExisting } from './relations.ts'

/**
 * If a task takes longer than this and other tasks of the batch wait for the commit, it is removed from the
 * batch.
 */
const slowTaskMs = 250

export interface BatchRequest {
  /** All of these run; how the others are watched depends on the first. */
  readonly tasks: readonly BuildTask[]
  /**
   * Returns one more task for the same transaction. It is called when the previous task is complete, so that
   * no task waits here that another connection could run.
   */
  readonly more: () => BuildTask | undefined
  readonly onStart: (task: BuildTask) => void
  readonly record: BuildOptions['record']
  /** The project that the records belong to. */
  readonly owner: StateOwner
  /** The warehouse, for messages. */
  readonly label: string
  readonly signal: AbortSignal | undefined
}

export interface BatchEnd {
  readonly built: readonly { readonly task: BuildTask; readonly result: BuildResult }[]
  /** Rolled-back tasks, to be run again in these batches. */
  readonly redo: readonly (readonly BuildTask[])[]
  readonly failed: { readonly task: BuildTask; readonly error: unknown; readonly seconds: number } | undefined
}

interface Made {
  readonly task: BuildTask
  readonly rows: number | undefined
  readonly seconds: number
}

/** Throws SvcError `interrupted` and errors of `record` (a bug); returns everything else. */
export async function runBatch(connection: DuckDBConnection, request: BatchRequest): Promise<BatchEnd> {
  const progress = new BatchProgress()
  try {
    const built = await inTransaction(connection, async () => {
      await makeAll(connection, request, progress)
      const results = await withColumns(connection, progress.made, request.owner)
      await runStatements(connection, recordsOf(results, request, progress))
      return results
    })
    return { built, redo: [], failed: undefined }
  } catch (error) {
    if (progress.recordFailed) throw error
    if (request.signal?.aborted) throw new SvcError('interrupted', 'interrupted', { cause: error })
    return afterFailure(request.tasks, progress, error)
  }
}

class BatchProgress {
  readonly made: Made[] = []
  /** The task whose statement is running, with its start on the clock of `performance`. */
  current: { readonly task: BuildTask; readonly startMs: number } | undefined
  recordFailed = false
}

async function makeAll(
  connection: DuckDBConnection,
  request: BatchRequest,
  progress: BatchProgress,
): Promise<void> {
  const given = [...request.tasks]
  for (let task = given.shift(); task !== undefined; task = given.shift() ?? request.more()) {
    if (request.signal?.aborted) throw new SvcError('interrupted', 'interrupted')
    request.onStart(task)
    progress.current = { task, startMs: performance.now() }
    const isFirst = progress.made.length === 0
    const making = () => make(connection, task, request)
    const rows = isFirst ? await making() : await quickly(connection, making)
    progress.made.push({ task, rows, seconds: secondsSince(progress.current.startMs) })
    progress.current = undefined
  }
}

async function quickly<T>(connection: DuckDBConnection, making: () => Promise<T>): Promise<T> {
  const guard = setTimeout(() => connection.interrupt(), slowTaskMs)
  try {
    return await making()
  } finally {
    clearTimeout(guard)
  }
}

async function make(
  connection: DuckDBConnection,
  task: BuildTask,
  { owner, label }: Pick<BatchRequest, 'owner' | 'label'>,
): Promise<number | undefined> {
  const { dialect } = owner
  const name = dialect.relation(task.target)
  const isView = isViewTask(task)
  const around = aroundStatements(connection, task, { owner, label })
  await runBefore(task, around)
  const result = await connection.run(`CREATE ${isView ? 'VIEW' : 'TABLE'} ${name} AS\n${task.sql}\n`)
  if (task.kind === 'load')
    for (const each of task.appends ?? [])
      await connection.run(appendStatement(owner, each, `(${each.sql}\n) AS ${internalName('appended')}`))
  await runAfter(task, around)
  if (isView) return undefined
  if (isChangedAfter(task)) return Number(await countAfter(connection, task, name))
  const [counted] = await result.getRows()
  return Number(counted?.[0] ?? (await countRows(connection, name)))
}

function aroundStatements(
  connection: DuckDBConnection,
  { target }: BuildTask,
  { owner: { dialect }, label }: Pick<BatchRequest, 'owner' | 'label'>,
): AroundStatements {
  const failing = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      throw statementFailure(error, label, 'build-failed')
    }
  }
  return {
    run: sql => failing(() => connection.run(sql)),
    makeKey: key => failing(() => askKey(connection, { target, dialect }, key)),
    keysHold: false,
    makeIndex: (index, place) => failing(() => makeIndex(connection, { target, dialect }, index, place)),
  }
}

/** Counts the rows of a table that statements of users may have changed. */
async function countAfter(connection: DuckDBConnection, task: BuildTask, name: string): Promise<unknown> {
  try {
    return await countRows(connection, name)
  } catch (error) {
    throw /does not exist/.test(String(error)) ? takenAway(task) : error
  }
}

/**
 * Counts the rows with a query. DuckDB runs a PIVOT without a list of values as several statements and
 * reports no row count.
 */
async function countRows(connection: DuckDBConnection, name: string): Promise<unknown> {
  const result = await connection.run(`SELECT count(*) FROM ${name}`)
  return (await result.getRows())[0]?.[0]
}

async function withColumns(
  connection: DuckDBConnection,
  made: readonly Made[],
  { dialect }: StateOwner,
): Promise<readonly { readonly task: BuildTask; readonly result: BuildResult }[]> {
  const columns = await columnsOfExisting(
    connection,
    made.map(({ task }) => task.target),
    dialect,
  )
  return made.map(({ task, rows, seconds }, index) => ({
    task,
    result: { rows, seconds, columns: columns[index] ?? [] },
  }))
}

function recordsOf(
  results: readonly { readonly task: BuildTask; readonly result: BuildResult }[],
  request: BatchRequest,
  progress: BatchProgress,
): string[] {
  progress.recordFailed = true
  const changes = results.flatMap(({ task, result }) => request.record(task, result))
  progress.recordFailed = false
  return changeStatements(request.owner, changes)
}

/**
 * Decides what happens after a failure. If the first task failed, it has failed for good. A later task may
 * have failed because of the others (a conflict, or removed as slow), so it runs once more alone, after those
 * before it. A failed record or commit is no evidence against any one task.
 */
function afterFailure(given: readonly BuildTask[], progress: BatchProgress, error: unknown): BatchEnd {
  const { made, current } = progress
  const before = made.map(({ task }) => task)
  const behind = given.filter(task => task !== current?.task && !before.includes(task))
  const rest = behind.length > 0 ? [behind] : []
  if (current === undefined) {
    const [only] = made
    if (made.length > 1 || only === undefined)
      return { built: [], redo: before.map(task => [task]), failed: undefined }
    return { built: [], redo: [], failed: { task: only.task, error, seconds: only.seconds } }
  }
  if (before.length > 0) return { built: [], redo: [before, [current.task], ...rest], failed: undefined }
  return {
    built: [],
    redo: rest,
    failed: { task: current.task, error, seconds: secondsSince(current.startMs) },
  }
}

function secondsSince(startMs: number): number {
  return (performance.now() - startMs) / 1000
}
