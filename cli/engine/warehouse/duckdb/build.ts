/**
 * Builds relations, several at a time. Small ones share a transaction, since a commit costs more than they do; each is
 * still committed together with its own record, and none waits long for another: a slow one is taken out of its batch.
 */
import { SvcError } from '../../errors.ts'
import type { BuildOptions, BuildOutcome, BuildTask } from '../warehouse.ts'
import { type BatchEnd, runBatch } from './build-batch.ts'
import type { Connections } from './connections.ts'
import { isConflict, statementFailure } from './failures.ts'

/** Nothing further is begun in a transaction that is older than this. */
const batchMs = 100
/** Tasks that usually take longer gain nothing from company. */
const smallTaskMs = 20
const maxBatch = 100
const maxConflicts = 5

/**
 * Resolves when nothing is left to do. An aborted signal starts nothing new, ends what runs as `interrupted` and then
 * resolves; callbacks that throw (bugs) stop it the same way and reject.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: it goes when a run schedules, and a warehouse builds one thing
export async function runBuilds(
  connections: Connections,
  label: string,
  tasks: readonly BuildTask[],
  options: BuildOptions,
): Promise<void> {
  const slots = Math.max(1, Math.min(options.concurrency, connections.size))
  const ready = [...tasks]
  const running = new Set<Promise<unknown>>()
  /** Begun and not ended. */
  const open = new Set<BuildTask>()
  const conflicts = new Map<BuildTask, number>()
  let averageMs = 0
  let bug: { readonly error: unknown } | undefined

  startMore()
  while (running.size > 0) await Promise.race(running)
  if (bug !== undefined) throw bug.error
  for (const task of open) {
    finish(task, { ok: false, error: new SvcError('interrupted', 'interrupted'), seconds: 0 })
  }

  function mayStart(): boolean {
    return bug === undefined && !options.signal?.aborted
  }

  function startMore(): void {
    while (mayStart() && running.size < slots) {
      const task = ready.shift()
      if (task === undefined) return
      start([task])
    }
  }

  function start(batch: readonly BuildTask[]): void {
    const job = runAll(batch)
      .catch(error => {
        bug ??= { error }
      })
      .finally(() => {
        running.delete(job)
        startMore()
      })
    running.add(job)
  }

  async function runAll(batch: readonly BuildTask[]): Promise<void> {
    const batches = [batch]
    for (let next = batches.shift(); next !== undefined; next = batches.shift()) {
      if (!mayStart()) return
      const end = await attempt(next, next === batch)
      if (end === undefined) return
      for (const { task, result } of end.built) finish(task, { ok: true, result })
      batches.unshift(...end.redo, ...(settleFailure(end) ?? []))
      // What has become ready need not wait for what is done once more here.
      startMore()
    }
  }

  /** Undefined: interrupted. */
  async function attempt(tasks: readonly BuildTask[], isOpen: boolean): Promise<BatchEnd | undefined> {
    const { record, signal } = options
    const more = isOpen ? followers() : () => undefined
    try {
      return await connections.use(
        connection => runBatch(connection, { tasks, more, onStart, record, signal }),
        signal,
      )
    } catch (error) {
      if (error instanceof SvcError && error.code === 'interrupted') return undefined
      throw error
    }
  }

  /** Takes further tasks for one transaction, as long as that is young and tasks are small. */
  function followers(): () => BuildTask | undefined {
    const startMs = performance.now()
    let taken = 1
    return () => {
      const isOver = performance.now() - startMs > batchMs || taken >= maxBatch || averageMs > smallTaskMs
      if (isOver || !mayStart()) return undefined
      taken += 1
      return ready.shift()
    }
  }

  function onStart(task: BuildTask): void {
    if (open.has(task)) return
    open.add(task)
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

  function finish(task: BuildTask, outcome: BuildOutcome): void {
    const seconds = outcome.ok ? outcome.result.seconds : outcome.seconds
    averageMs = averageMs * 0.7 + Math.max(seconds * 1000, 0.2) * 0.3
    open.delete(task)
    options.onEnd(task, outcome)
    ready.push(...options.next(task, outcome))
  }
}
