/** Builds tasks and what follows them as a run does: with its scheduler, and whatever the adapter is able to do. */
import { executeQueue } from '../../../cli/engine/run/schedule.ts'
import type { BuildOptions, BuildTask, WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'

export interface BuildAll extends Omit<BuildOptions, 'more'> {
  readonly concurrency: number
  /** Tasks that may start now that this one has ended. */
  readonly next: (ended: BuildTask) => readonly BuildTask[]
}

export async function buildAll(
  session: WarehouseSession,
  tasks: readonly BuildTask[],
  { concurrency, next, ...options }: BuildAll,
): Promise<void> {
  const { sharedCommits } = session.capabilities
  await executeQueue(tasks, {
    threads: concurrency,
    signal: options.signal,
    next,
    execute: (first, { take, done }) =>
      session.build(first, {
        ...options,
        ...(sharedCommits ? { more: take } : {}),
        onEnd(ended, outcome) {
          options.onEnd(ended, outcome)
          done(ended)
        },
      }),
  })
}
