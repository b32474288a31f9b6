/**
 * Builds relations, several at a time. Small ones share a transaction, since a commit costs more than they do; each is
 * still committed together with its own record, and none waits long for another: a slow one is taken out of its batch.
 */
import { SvcError } from '../../errors.ts'
import type { BuildOptions, BuildOutcome, BuildTask } from '../warehouse.ts'
import { type BatchEnd, runBatch } from './build-batch.ts'
import type { Connections } from './connections.ts'
import { isConflict, statementFailure } from './failures.ts'

/** A batch is as many tasks as usually fit into this time. */
const batchMs = 40
const maxBatch = 50
const maxConflicts = 5

/**
 * Resolves when nothing is left to do. An aborted signal starts nothing new, ends what runs as `interrupted` and then
 * resolves; callbacks that throw (bugs) stop it the same way and reject.
 */
export async function runBuilds(
  connections: Connections,
  label: string,
  tasks: readonly BuildTask[],
  options: BuildOptions,
): Promise<void> {
  const slots = Math.max(1, Math.min(options.concurrency, connections.size))
  const ready = [...tasks]
  const running = new Set<Promise<unknown>>()
  const started = new Set<BuildTask>()
  const conflicts = new Map<BuildTask, number>()
  let averageMs = batchMs
  let bug: { readonly error: unknown } | undefined

  for (;;) {
    while (mayStart() && running.size < slots && ready.length > 0) start(ready.splice(0, batchSize()))
    if (running.size === 0) break
    await Promise.race(running)
  }
  if (bug !== undefined) throw bug.error

  function mayStart(): boolean {
    return bug === undefined && !options.signal?.aborted
  }

  function batchSize(): number {
    const fits = Math.min(maxBatch, Math.floor(batchMs / averageMs))
    return Math.max(1, Math.min(fits, Math.ceil(ready.length / slots)))
  }

  function start(batch: readonly BuildTask[]): void {
    const job = runAll(batch)
      .catch(error => {
        bug ??= { error }
      })
      .finally(() => running.delete(job))
    running.add(job)
  }

  async function runAll(batch: readonly BuildTask[]): Promise<void> {
    const batches = [batch]
    for (let next = batches.shift(); next !== undefined; next = batches.shift()) {
      if (!mayStart()) return interruptAll([next, ...batches].flat())
      const end = await attempt(next)
      if (end === undefined) return interruptAll([next, ...batches].flat())
      for (const { task, result } of end.built) finish(task, { ok: true, result })
      batches.unshift(...end.redo, ...(settleFailure(end) ?? []))
      ready.unshift(...end.untouched)
    }
  }

  /** Undefined: interrupted. */
  async function attempt(batch: readonly BuildTask[]): Promise<BatchEnd | undefined> {
    const { record, signal } = options
    try {
      return await connections.use(
        connection => runBatch(connection, { tasks: batch, budgetMs: batchMs, onStart, record, signal }),
        signal,
      )
    } catch (error) {
      if (error instanceof SvcError && error.code === 'interrupted') return undefined
      throw error
    }
  }

  function onStart(task: BuildTask): void {
    if (started.has(task)) return
    started.add(task)
    options.onStart?.(task)
  }

  /** A conflict is tried again (the answer is the batch to run); anything else is the task's outcome. */
  function settleFailure(end: BatchEnd): (readonly BuildTask[])[] | undefined {
    if (end.failed === undefined) return undefined
    const { task, error, seconds } = end.failed
    const tries = (conflicts.get(task) ?? 0) + 1
    conflicts.set(task, tries)
    if (isConflict(error) && tries <= maxConflicts) return [[task]]
    finish(task, { ok: false, error: statementFailure(error, label, 'build-failed'), seconds })
    return undefined
  }

  function interruptAll(tasks: readonly BuildTask[]): void {
    for (const task of tasks.filter(task => started.has(task))) {
      finish(task, { ok: false, error: new SvcError('interrupted', 'interrupted'), seconds: 0 })
    }
  }

  function finish(task: BuildTask, outcome: BuildOutcome): void {
    const seconds = outcome.ok ? outcome.result.seconds : outcome.seconds
    averageMs = averageMs * 0.7 + Math.max(seconds * 1000, 0.2) * 0.3
    options.onEnd(task, outcome)
    ready.push(...options.next(task, outcome))
  }
}
