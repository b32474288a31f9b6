/**
 * Turns results of unit tests into the form of data tests. They ran in memory in the catalogue, without the
 * warehouse.
 */
import type { TestResult } from '@svc/server/contract'
import type { Asset, ProjectAnalysis, UnitTestResult } from '@svc/server/language'
import type { EmitEvent } from '../run/events.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { placeIn } from './place-in.ts'

/**
 * Returns the results of the named assets, in their order and in that of their files. Tests that wait for their source have
 * none yet.
 */
export function unitResults(
  workspace: Pick<Workspace, 'project'>,
  analysis: ProjectAnalysis,
  names: readonly string[],
): TestResult[] {
  return resultsWhere(workspace, analysis, names, ({ waits }) => waits !== true)
}

/** Returns the results of tests that failed on guessed types, and wait for their source. */
export function waitingResults(
  workspace: Pick<Workspace, 'project'>,
  analysis: ProjectAnalysis,
  names: readonly string[],
): TestResult[] {
  return resultsWhere(workspace, analysis, names, ({ waits }) => waits === true)
}

function resultsWhere(
  { project }: Pick<Workspace, 'project'>,
  analysis: ProjectAnalysis,
  names: readonly string[],
  isMeant: (result: UnitTestResult) => boolean,
): TestResult[] {
  return names.flatMap(name => {
    const asset = project.byName.get(name)
    const results = (analysis.of(name)?.unitTests ?? []).filter(isMeant)
    return asset === undefined ? [] : results.map(result => testResult(asset, result))
  })
}

function testResult(asset: Asset, unit: UnitTestResult): TestResult {
  const { name, severity, status, diff, seconds, ran, at, range } = unit
  return {
    asset: asset.name,
    name,
    kind: 'unit',
    column: null,
    severity,
    status,
    failures: failuresOf(unit),
    message: unit.message ?? null,
    sample: [],
    ...(diff !== undefined && { diff }),
    seconds,
    ran,
    ...(!ran && at !== undefined && { ran_at: at }),
    place: placeIn(asset, range.start),
  }
}

/** Returns the number of rows that differ; 1 for a test that could not run. */
function failuresOf({ status, diff }: UnitTestResult): number {
  if (status === 'pass') return 0
  return diff === undefined ? 1 : diff.rows.length + diff.more
}

/** Emits the results of a run: each failed test, then the counts. */
export function tellUnitTests(results: readonly TestResult[], emit: EmitEvent): void {
  if (results.length === 0) return
  const failed = results.filter(({ status }) => status === 'fail')
  for (const result of failed) emit({ type: 'test-finished', result })
  emit({
    type: 'unit-tests-finished',
    passed: results.filter(({ status, ran }) => status === 'pass' && ran).length,
    failed: failed.filter(({ severity }) => severity === 'error').length,
    warned: failed.filter(({ severity }) => severity === 'warn').length,
    unchanged: results.filter(({ status, ran }) => status === 'pass' && !ran).length,
    seconds: results.reduce((sum, { ran, seconds }) => sum + (ran ? seconds : 0), 0),
  })
}

export function isUnitTestCode(code: string): boolean {
  return code.startsWith('unit-test-')
}
