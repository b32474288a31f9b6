/** The analysis of one asset, combined from its SQL, the SQL of its tests and its unit tests. */
import type { Asset, AssetAnalysis, UnitTestResult } from '../language/index.ts'
import type { Bound } from './bound.ts'
import type { Shape } from './shape.ts'
import type { Entry } from './state.ts'
import type { TestsBound } from './tests-sql.ts'

/** Makes an entry. `lastGood` is the shape that the asset had when its SQL last bound, this time included. */
export function newEntry(
  name: string,
  { bound, tests, units, lastGood }: Omit<Entry, 'analysis' | 'kept'>,
): Entry {
  return { bound, tests, units, lastGood, analysis: combined(name, bound, tests, units) }
}

/**
 * Returns the shape that readers see. While the SQL does not bind and its columns are not all known, that is
 * the last good shape, so that readers of a half-typed asset still get columns.
 */
export function shapeForReaders({ bound, lastGood }: Pick<Entry, 'bound' | 'lastGood'>): Shape {
  if (bound.shape.complete && bound.isUnsure !== true) return bound.shape
  if (lastGood !== undefined) return lastGood
  return bound.isUnsure ? { ...bound.shape, complete: false } : bound.shape
}

/**
 * Returns whether the asset has no errors. Without SQL those of its file count, because errors in the YAML
 * can hide the SQL.
 */
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
  const { columns, volatile } = bound
  return {
    name,
    columns,
    complete: bound.shape.complete && bound.shape.also.length === 0 && bound.isUnsure !== true,
    ...(bound.ownColumns && { ownColumns: bound.ownColumns }),
    ...(bound.namesFrom && { namesFrom: bound.namesFrom }),
    get lineage() {
      return bound.lineage
    },
    get rowUses() {
      return bound.rowUses
    },
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
