/** What the history keeps of a run whose process was killed. */
import type { HistoryRecord } from './state.ts'

/** Returns the error that the history stores for a run that was killed at a stage. */
export function killedError(stage: string): string {
  return `killed at "${stage}"`
}

/**
 * Returns whether the run's process died; garbage collection may then delete its builds at the next
 * successful run. An older svc wrote `stopped`.
 */
export function wasKilled({ status, error }: Pick<HistoryRecord, 'status' | 'error'>): boolean {
  return status === 'Failed' && error !== null && /^(killed|stopped) at "[a-z]+"$/.test(error)
}
