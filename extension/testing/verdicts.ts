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
 * Returns whether an error with a place is about the tests of a file. Tests of other files did not run, and nothing is
 * known of them; an error without a place (a warehouse that cannot be opened) is about all.
 */
export function isBlamed(
  path: string | undefined,
  uri: string | undefined,
  uriOf: (path: string) => string,
): boolean {
  return path === undefined || uri === uriOf(path)
}
