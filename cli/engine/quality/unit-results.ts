/** Unit tests as results beside those of data tests. They ran in the catalogue, in memory: no warehouse is asked. */
import type { Asset, ProjectAnalysis, UnitTestResult } from '@svc/server/language'
import type { Workspace } from '../workspace/workspace.ts'
import { placeIn } from './place-in.ts'
import type { TestResult } from './test-result.ts'

/** Of the assets named, in their order and in that of their files. */
export function unitResults(
  { project }: Pick<Workspace, 'project'>,
  analysis: ProjectAnalysis,
  names: readonly string[],
): TestResult[] {
  return names.flatMap(name => {
    const asset = project.byName.get(name)
    const results = analysis.of(name)?.unitTests ?? []
    return asset === undefined ? [] : results.map(result => testResult(asset, result))
  })
}

function testResult(asset: Asset, unit: UnitTestResult): TestResult {
  const { name, severity, status, diff, seconds, ran, range } = unit
  return {
    asset: asset.name,
    name,
    kind: 'unit',
    column: undefined,
    severity,
    status,
    failures: failuresOf(unit),
    message: unit.message,
    sample: [],
    ...(diff !== undefined && { diff }),
    seconds,
    ran,
    place: placeIn(asset, range.start),
  }
}

/** Rows that differ; 1 for a test that could not run. */
function failuresOf({ status, diff }: UnitTestResult): number {
  if (status === 'pass') return 0
  return diff === undefined ? 1 : diff.rows.length + diff.more
}

export function isUnitTestCode(code: string): boolean {
  return code.startsWith('unit-test-')
}
