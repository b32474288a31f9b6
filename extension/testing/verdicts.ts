/** What the outcome of `svc test` means for a test of the Test Explorer. Independent of the editor. */
import type { TestOutcome } from './outcomes.ts'

/** `warns`: it failed, but stops nothing. `unknown`: the asset was never deployed, or is disabled. */
export type Verdict = 'passed' | 'warns' | 'failed' | 'unknown'

export function verdictOf(outcome: Pick<TestOutcome, 'status' | 'severity'> | undefined): Verdict {
  if (outcome === undefined) return 'unknown'
  if (outcome.status === 'pass') return 'passed'
  return outcome.severity === 'warn' ? 'warns' : 'failed'
}

/**
 * Returns whether an error is about the tests of a file: the one at its place or, where it has none (two files have errors), one
 * with errors of its own. All other tests did not run, and nothing is known of them.
 */
export function isBlamed(
  path: string | undefined,
  uri: string | undefined,
  uriOf: (path: string) => string,
  hasErrors: (uri: string) => boolean,
): boolean {
  if (uri === undefined) return false
  return path === undefined ? hasErrors(uri) : uri === uriOf(path)
}

/**
 * Returns whether a result is news beside the one that is shown: it is of the command that has just ended, or later than what is
 * shown. The run keeps the verdict of a table that it did not build, and that may be older than the command.
 */
export function isNews(at: Date, startedAt: Date, shownAt: Date | undefined): boolean {
  return at >= startedAt || (shownAt !== undefined && at > shownAt)
}
