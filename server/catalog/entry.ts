/** What is known of one asset, put together from its SQL, its tests' SQL and its unit tests. */
import type { Asset, AssetAnalysis, UnitTestResult } from '../language/index.ts'
import type { Bound } from './bound.ts'
import type { Shape } from './shape.ts'
import type { Entry } from './state.ts'
import type { TestsBound } from './tests-sql.ts'

/** `lastGood`: what the asset was when its SQL bound last, this time included. */
export function newEntry(
  name: string,
  { bound, tests, units, lastGood }: Omit<Entry, 'analysis' | 'kept'>,
): Entry {
  return { bound, tests, units, lastGood, analysis: combined(name, bound, tests, units) }
}

/**
 * What others see of the asset. While its SQL does not bind, and what is left of it does not tell all of its columns,
 * that is the shape that it had last: who reads an asset that is half typed is not left without a word.
 */
export function shapeForReaders({ bound, lastGood }: Pick<Entry, 'bound' | 'lastGood'>): Shape {
  if (bound.shape.complete && bound.isUnsure !== true) return bound.shape
  if (lastGood !== undefined) return lastGood
  return bound.isUnsure ? { ...bound.shape, complete: false } : bound.shape
}

/** Whether the asset says what it means to be. What is wrong with YAML can hide its SQL. */
export function isGood(asset: Asset, { diagnostics }: Bound): boolean {
  const found = asset.sql === undefined ? asset.diagnostics : diagnostics
  return found.every(({ severity }) => severity !== 'error')
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
    complete: bound.shape.complete && bound.shape.also.length === 0 && bound.isUnsure !== true,
    ...(bound.ownColumns && { ownColumns: bound.ownColumns }),
    ...(bound.namesFrom && { namesFrom: bound.namesFrom }),
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
