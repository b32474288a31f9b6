/**
 * Builds relations. Small ones share a transaction, because a commit costs more than they do; each is still
 * committed together with its own record. No task waits long for another: a slow one is removed from its
 * batch.
 */
import { SvcError } from '../../errors.ts'
import type { StateOwner } from '../sql-state/change-statements.ts'
import type { BuildOptions, BuildOutcome, BuildTask, WarehouseSession } from '../warehouse.ts'
import { type BatchEnd, runBatch } from './build-batch.ts'
import type { Connections } from './connections.ts'
import { isConflict, statementFailure } from './failures.ts'
import { wideTables } from './wide-tables.ts'

/** No further task starts in a transaction that is older than this. */
const batchMs = 100
/** Sharing a transaction gains nothing for tasks that usually take longer. */
const smallTaskMs = 20
const maxBatch = 100
const maxConflicts = 5

export interface BuildPlace {
  readonly connections: Connections
  readonly label: string
  /** The project that the records belong to. */
  readonly owner: StateOwner
}

/** Returns the build method of a session, which keeps an average of how long tasks take. */
export function openBuilder(place: BuildPlace): WarehouseSession['build'] {
  let averageMs = 0
  const write = wideTables(place.connections)
  const tookMs = (ms: number) => {
    averageMs = averageMs * 0.7 + Math.max(ms, 0.2) * 0.3
  }
  return (task, options) => {
    const builder = { ...place, options, tookMs, isSmall: () => averageMs <= smallTaskMs, write }
    return buildWithCompany(task, builder)
  }
}

interface Builder extends BuildPlace {
  readonly options: BuildOptions
  readonly tookMs: (ms: number) => void
  readonly isSmall: () => boolean
  readonly write: ReturnType<typeof wideTables>
}

async function buildWithCompany(first: BuildTask, builder: Builder): Promise<void> {
  const { options, label } = builder
  /** The tasks that have started and not ended. */
  const open = new Set<BuildTask>()
  const conflicts = new Map<BuildTask, number>()
  const batches: (readonly BuildTask[])[] = [[first]]

  function onStart(task: BuildTask): void {
    if (open.has(task)) return
    open.add(task)
    options.onStart?.(task)
  }

  function finish(task: BuildTask, outcome: BuildOutcome): void {
    builder.tookMs((outcome.ok ? outcome.result.seconds : outcome.seconds) * 1000)
    open.delete(task)
    options.onEnd(task, outcome)
  }

  /** Retries after a conflict (returns the batch to run); any other failure is the task's outcome. */
  function settleFailure({ failed }: BatchEnd): (readonly BuildTask[])[] {
    if (failed === undefined) return []
    const { task, error, seconds } = failed
    const tries = (conflicts.get(task) ?? 0) + 1
    conflicts.set(task, tries)
    if (isConflict(error) && tries <= maxConflicts) return [[task]]
    finish(task, { ok: false, error: statementFailure(error, label, 'build-failed'), seconds })
    return []
  }

  // Only the first transaction may take further tasks: later ones repeat tasks that failed in a shared
  // transaction.
  let more = followers(builder)
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    const end = await attempt(batch, builder, more, onStart)
    more = () => undefined
    if (end === undefined) break
    await builder.write(end.built)
    for (const { task, result } of end.built) finish(task, { ok: true, result })
    batches.unshift(...end.redo, ...settleFailure(end))
  }
  for (const task of open) {
    finish(task, { ok: false, error: new SvcError('interrupted', 'interrupted'), seconds: 0 })
  }
}

/** Returns undefined if interrupted. */
async function attempt(
  tasks: readonly BuildTask[],
  { connections, owner, label, options: { record, signal } }: Builder,
  more: () => BuildTask | undefined,
  onStart: (task: BuildTask) => void,
): Promise<BatchEnd | undefined> {
  if (signal?.aborted) return undefined
  try {
    return await connections.use(
      connection => runBatch(connection, { tasks, more, onStart, record, owner, label, signal }),
      signal,
    )
  } catch (error) {
    if (error instanceof SvcError && error.code === 'interrupted') return undefined
    throw error
  }
}

/** Takes further tasks for one transaction while the transaction is young and tasks are small. */
function followers({ options, isSmall }: Builder): () => BuildTask | undefined {
  const startMs = performance.now()
  let taken = 1
  return () => {
    if (performance.now() - startMs > batchMs || taken >= maxBatch || !isSmall()) return undefined
    taken += 1
    return options.more?.()
  }
}
