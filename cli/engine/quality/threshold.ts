/**
 * Turns a number of failures into a verdict. Without thresholds a test fails with its severity if anything
 * fails. With thresholds it fails only if one of them holds: `error_if` as an error, otherwise `warn_if` as a
 * warning; a missing threshold does not count. `severity: warn` turns every failure into a warning, which
 * never blocks.
 */
import type { TestDefinition, TestSeverity, Threshold } from '@svc/server/language'

export interface Verdict {
  readonly status: 'pass' | 'fail'
  readonly severity: TestSeverity
}

export function judge(test: TestDefinition, failures: number): Verdict {
  const failed = (severity: TestSeverity): Verdict => ({
    status: 'fail',
    severity: test.severity === 'warn' ? 'warn' : severity,
  })
  const { errorIf, warnIf } = test
  if (errorIf === undefined && warnIf === undefined) {
    return failures > 0 ? failed('error') : passed(test)
  }
  if (errorIf !== undefined && holds(errorIf, failures)) return failed('error')
  if (warnIf !== undefined && holds(warnIf, failures)) return failed('warn')
  return passed(test)
}

function passed(test: TestDefinition): Verdict {
  return { status: 'pass', severity: test.severity }
}

const comparisons: Readonly<Record<Threshold['operator'], (failures: number, value: number) => boolean>> = {
  '>': (failures, value) => failures > value,
  '>=': (failures, value) => failures >= value,
  '=': (failures, value) => failures === value,
  '!=': (failures, value) => failures !== value,
  '<': (failures, value) => failures < value,
  '<=': (failures, value) => failures <= value,
}

export function holds({ operator, value }: Threshold, failures: number): boolean {
  return comparisons[operator](failures, value)
}
