/**
 * All runs of a project as one list: those that this dashboard started, and those that were started
 * elsewhere.
 */
import type { RunFacts } from '@svc/server/contract'
import { type FollowedRunsOptions, followRuns } from './followed-runs.ts'
import type { Runs } from './runs.ts'

export function projectRuns(own: Runs, options: Omit<FollowedRunsOptions, 'isOwn'>): Runs {
  const others = followRuns({
    root: options.root,
    environment: options.environment,
    isOwn: pid => own.latest?.pid === pid,
  })
  return {
    find: id => own.find(id) ?? others.find(id),
    open: others.open,
    get latest() {
      return newer(own.latest, others.latest)
    },
    start(id, order) {
      const other = others.latest
      // It would wait for the lease without the user seeing why.
      const isTaken = other?.running === true && own.find(id) === undefined
      return isTaken ? { kind: 'busy', other } : own.start(id, order)
    },
    onStart(listener) {
      const stops = [own.onStart(listener), others.onStart(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    cancel: own.cancel,
    async close() {
      others.close()
      await own.close()
    },
  }
}

/** Returns the run in progress, otherwise the one that started later. */
function newer(a: RunFacts | undefined, b: RunFacts | undefined): RunFacts | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.running !== b.running) return a.running ? a : b
  return a.started_at >= b.started_at ? a : b
}
