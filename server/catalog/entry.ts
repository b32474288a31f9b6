/** What is known of one asset, put together from its SQL, its tests' SQL and its unit tests. */
import type { AssetAnalysis, UnitTestResult } from '../language/index.ts'
import type { Bound } from './bound.ts'
import type { Entry } from './state.ts'
import type { TestsBound } from './tests-sql.ts'

export function newEntry(
  name: string,
  bound: Bound,
  tests: TestsBound | undefined,
  units: readonly UnitTestResult[] | undefined,
): Entry {
  return { bound, tests, units, analysis: combined(name, bound, tests, units) }
}

function combined(
  name: string,
  bound: Bound,
  tests: TestsBound | undefined,
  unitTests: readonly UnitTestResult[] | undefined,
): AssetAnalysis {
  let uses: AssetAnalysis['uses'] | undefined
  const { columns, lineage, volatile } = bound
  return {
    name,
    columns,
    complete: bound.shape.complete && bound.shape.also.length === 0,
    lineage,
    get uses() {
      uses ??= [...bound.uses(), ...(tests?.uses() ?? [])]
      return uses
    },
    diagnostics: allDiagnostics(bound, tests, unitTests),
    volatile,
    ...(unitTests !== undefined && { unitTests }),
  }
}

function allDiagnostics(
  bound: Bound,
  tests: TestsBound | undefined,
  units: readonly UnitTestResult[] | undefined,
): AssetAnalysis['diagnostics'] {
  if (tests === undefined && units === undefined) return bound.diagnostics
  const ofUnits = (units ?? []).flatMap(({ diagnostics }) => diagnostics)
  return [...bound.diagnostics, ...(tests?.diagnostics ?? []), ...ofUnits]
}
