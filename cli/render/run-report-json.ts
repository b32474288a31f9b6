/** Returns the report of a run as JSON, which `svc schema run` describes. */
import type { JsonOf, TestResult } from '@svc/server/contract'
import type { RunReport } from '../engine/run/events.ts'
import { reportVerdict } from '../engine/run/run-verdict.ts'
import { roundSeconds } from './numbers.ts'

export function runReportJson(report: RunReport): JsonOf<'run'> {
  return {
    run_id: report.runId,
    kind: report.kind,
    environment: report.environment,
    status: report.status,
    verdict: reportVerdict(report),
    started_at: report.startedAt,
    finished_at: report.finishedAt,
    seconds: roundSeconds(report.seconds),
    generation: report.generation ?? null,
    promoted_views: report.promotedViews,
    ...(report.grantedViews > 0 && { granted_views: report.grantedViews }),
    assets: report.assets.map(asset => ({
      name: asset.name,
      status: asset.status,
      rows: asset.rows ?? null,
      seconds: roundSeconds(asset.seconds),
      definition_hash: asset.definitionHash,
      because: asset.because ?? null,
      place: asset.place ?? null,
    })),
    tests: report.tests.map(testResultJson),
    rejects: report.rejects,
    warnings: report.warnings,
    left_behind: report.leftBehind,
    kept: report.kept,
    failure: failureJson(report),
  }
}

function failureJson({ failure }: RunReport): JsonOf<'run'>['failure'] {
  if (failure === undefined) return null
  return {
    code: failure.code,
    message: failure.message,
    hint: failure.hint ?? null,
    asset: failure.asset ?? null,
    place: failure.place ?? null,
    exit_code: failure.exitCode,
  }
}

/** `execution_time` is in seconds (decisions 1). */
export function testResultJson(result: TestResult): JsonOf<'test'>['tests'][number] {
  return {
    id: `${result.asset}/${result.name}`,
    asset: result.asset,
    name: result.name,
    kind: result.kind,
    column: result.column,
    severity: result.severity,
    status: result.status,
    failures: result.failures,
    message: result.message,
    sample: result.sample,
    diff: result.diff ?? null,
    execution_time: roundSeconds(result.seconds),
    scan: result.scan ?? null,
    ran: result.ran,
    place: result.place,
  }
}
