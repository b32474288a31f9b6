import type { AssetAnalysis } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { lineageCalled, valueCalled } from '../names/called.ts'
import { resolveName } from '../names/resolve-name.ts'
import { oncePer } from '../once.ts'
import type { Asset } from '../project/project.ts'
import { addItem, yamlScalar } from '../project/yaml-edits.ts'
import { testColumns, testKindOf } from '../tests/index.ts'
import type { ProjectCheck } from './check.ts'
import { remedy, written } from './fix.ts'
import { testColumnRange } from './places.ts'

export const testNullableKey: ProjectCheck = {
  code: 'test-nullable-key',
  severity: 'warning',
  doc: 'A `unique` test on a column that the contract allows to be NULL: NULLs are never equal, so it cannot see them.',
  *run(asset, { analysis, project: { engine } }) {
    if (analysis === undefined || asset.definition.contract === undefined) return
    for (const test of asset.definition.tests) {
      if (testKindOf(test).overlooksNull !== true) continue
      for (const column of testColumns(test)) {
        if (!mayBeNull(asset, analysis, column, engine) || isTestedForNull(asset, column, engine)) continue
        yield {
          range: testColumnRange(asset, test, column),
          message: `${test.kind} does not see NULL, and the contract allows "${column}" to be NULL`,
          facts: { column },
          hint: `Add the test "not_null: ${column}", or say nullable: false in the contract.`,
        }
      }
    }
  },
  fix(problem, asset) {
    const column = String(problem.diagnostic.facts?.['column'] ?? written(problem))
    const edit = addItem(asset, ['tests'], `not_null: ${yamlScalar(column)}`)
    return remedy(`Add the test not_null: ${column}`, problem.path, edit)
  },
}

/**
 * Returns true only for a contract column that is passed through: SQL may have replaced the NULLs of any
 * other.
 */
function mayBeNull(asset: Asset, analysis: AssetAnalysis, column: string, engine: Engine): boolean {
  const lineage = lineageCalled(analysis.lineage, column, engine)
  const origin = lineage?.from[0]
  if (lineage?.kind !== 'direct' || origin?.asset !== asset.name || origin.source !== '') return false
  const { ingest, contract } = asset.definition
  const isKey = ingest.type !== 'none' && isNamedBy(ingest.primaryKey, origin.column, engine)
  return !isKey && valueCalled(contract?.columns ?? {}, origin.column, engine)?.nullable === true
}

function isNamedBy(names: readonly string[], column: string, engine: Engine): boolean {
  return names.some(name => resolveName(name, [column], each => ({ name: each }), engine) !== undefined)
}

function isTestedForNull(asset: Asset, column: string, engine: Engine): boolean {
  return testedForNull(asset, engine).has(engine.fold(column))
}

const testedForNull = oncePer((asset: Asset, { fold }: Engine): ReadonlySet<string> => {
  const refusing = asset.definition.tests.filter(test => testKindOf(test).refusesNull === true)
  return new Set(refusing.flatMap(test => testColumns(test)).map(fold))
})
