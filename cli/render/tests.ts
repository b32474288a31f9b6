/** Renders results of data tests: failed ones with their rows, and a count. */
import type { JsonOf, TestResult } from '@svc/server/contract'
import { entryHead, isNarrow } from './entry.ts'
import { countOf, formatCount, formatSeconds, roundSeconds } from './numbers.ts'
import { failedTest } from './run-lines.ts'
import { testResultJson } from './run-report-json.ts'
import type { Style } from './style.ts'
import { displayWidth, oneLine, padEnd, truncate } from './width.ts'

export interface TestsReport {
  readonly environment: string
  /** The run whose builds were tested; undefined for what is live. */
  readonly runId: string | undefined
  /** Whether only unit tests were requested. */
  readonly unitOnly: boolean
  readonly results: readonly TestResult[]
  readonly seconds: number
}

export function hasFailed(result: TestResult): boolean {
  return result.status === 'fail' && result.severity === 'error'
}

export function renderTests(report: TestsReport, style: Style): string[] {
  if (report.results.length === 0) {
    return [
      `No tests to run: no ${report.unitOnly ? 'selected asset has a unit test' : 'deployed asset has any'}.`,
    ]
  }
  const lines = report.results.flatMap(result =>
    result.status === 'fail' ? failedTest(result, style) : [passedTest(result, style)],
  )
  return [...lines, '', summary(report, style)]
}

function passedTest(result: TestResult, style: Style): string {
  const time = result.ran ? timeOf(result) : 'unchanged'
  if (isNarrow(style)) {
    const line = `  ${style.green('✓')} ${oneLine(result.asset)} ${result.name}`
    return `${truncate(line, style.width - time.length - 1)} ${style.dim(time)}`
  }
  const head = entryHead(style.green('✓'), result.asset, 'pass', style)
  const room = Math.max(28, style.width - displayWidth(head) - 10)
  return `${head}${padEnd(truncate(result.name, room), Math.min(room, 36))} ${style.dim(time)}`
}

/** Returns `9 ms`, or `9 ms for 7 tests` for tests that were computed together. */
function timeOf({ seconds, scan }: TestResult): string {
  return scan === undefined
    ? formatSeconds(seconds)
    : `${formatSeconds(seconds)} for ${countOf(scan.tests, 'test')}`
}

function summary(report: TestsReport, style: Style): string {
  const counts = summaryCounts(report.results)
  const warned = report.results.filter(
    result => result.status === 'fail' && result.severity === 'warn',
  ).length
  const text = [
    `${formatCount(counts.passed)} passed`,
    ...(counts.failed - warned > 0 ? [`${formatCount(counts.failed - warned)} failed`] : []),
    ...(warned > 0 ? [countOf(warned, 'warning')] : []),
  ].join(', ')
  const dress = counts.failed > warned ? style.red : style.green
  return `${dress(text)}  ${formatSeconds(report.seconds)}`
}

function summaryCounts(results: readonly TestResult[]): { total: number; passed: number; failed: number } {
  const failed = results.filter(result => result.status === 'fail').length
  return { total: results.length, passed: results.length - failed, failed }
}

export function testsJson(report: TestsReport): JsonOf<'test'> {
  return {
    environment: report.environment,
    run_id: report.runId ?? null,
    tests: report.results.map(testResultJson),
    summary: summaryCounts(report.results),
    seconds: roundSeconds(report.seconds),
  }
}
