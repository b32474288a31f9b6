/** The step that creates the table or view of an asset from its query. */
import { isReservedColumn } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { relationOf } from '../plan/last-load.ts'
import type { QueryStep } from '../plan/step.ts'
import { insertBuild } from '../state/changes.ts'
import type { BuildRecord } from '../state/state.ts'
import type { BuildResult, Relation } from '../warehouse/warehouse.ts'
import { modelRecord } from './build-records.ts'
import { type AssetBuild, type Building, buildOf, type RelationMaker, rawName } from './building.ts'
import { aroundTask, compileAround } from './compile-around.ts'
import { compileAsset } from './compile-asset.ts'
import { tableKeysOf } from './table-keys-of.ts'

export function queryMaker(step: QueryStep, own: AssetBuild, building: Building): RelationMaker {
  const target = { schema: building.schema, name: step.asset }
  let record: BuildRecord | undefined
  let refusal: SvcError | undefined
  return {
    block: 'transform',
    task() {
      const inputs = {
        buildOf: (name: string) => buildOf(name, building),
        sourceOf: (child: string | undefined) => sourceOf(child, step, own, building),
        loadOf: () => own.load ?? building.state.builds.get(step.load ?? ''),
        vars: building.workspace.environment.vars,
        sqlLimits: building.workspace.project.settings.limits.sql,
      }
      const compiled = compileAsset(own.asset, inputs, building.dialect)
      if (compiled instanceof SvcError) return compiled
      own.compiled = compiled
      own.around = compileAround(own.asset, inputs, target, building.dialect)
      const keys = tableKeysOf(own.asset, {
        project: building.workspace.project,
        own: target,
        relationOf: name => buildOf(name, building).relation,
      })
      const around = aroundTask(own.asset, own.around, keys)
      const task = { id: step.id, kind: step.kind, target, sql: compiled.sql }
      return around === undefined ? task : { ...task, around }
    },
    record(result) {
      refusal = reservedColumn(result)
      if (refusal !== undefined) return []
      const sql = own.compiled?.sql ?? ''
      record = modelRecord({ step, target, result }, pinsOf(step, building), sql, building)
      return insertBuild(record)
    },
    refusal: () => refusal,
    built() {
      if (record !== undefined) noteBuilt(own, record, building)
    },
  }
}

/** What only data name, as the columns of a PIVOT without a list of values, is known when it is made. */
function reservedColumn({ columns }: BuildResult): SvcError | undefined {
  const reserved = columns.find(({ name }) => isReservedColumn(name))?.name
  if (reserved === undefined) return undefined
  return new SvcError(
    'build-failed',
    `the query makes a column "${reserved}", a name that svc keeps for itself`,
    {
      hint: 'Names that begin with _svc_ are those of its own SQL: give the column another name with AS, or list the values of the PIVOT with IN.',
    },
  )
}

function sourceOf(
  child: string | undefined,
  { asset, load }: QueryStep,
  own: AssetBuild,
  { state, schema }: Building,
): Relation {
  const raw = own.load ?? state.builds.get(load ?? '')
  // If this load did not deliver the child table, the warehouse's own message names the missing relation.
  return relationOf(raw, child) ?? { schema: raw?.relation.schema ?? schema, name: rawName(asset, child) }
}

function pinsOf({ asset, load }: QueryStep, building: Building): string[] {
  const parents = building.workspace.project.parents(asset)
  return [
    ...parents.map(parent => buildOf(parent, building).build_key),
    ...(load === undefined ? [] : [load]),
  ]
}

function noteBuilt(
  { asset, seconds, loadSeconds }: AssetBuild,
  build: BuildRecord,
  { progress, emit }: Building,
): void {
  const rows = build.rows ?? undefined
  progress.assets.set(asset.name, { status: 'built', rows, seconds, build })
  const { materialize } = asset.definition.deploy
  emit({
    type: 'build-finished',
    asset: asset.name,
    rows: build.rows,
    seconds: seconds - loadSeconds,
    materialize,
  })
}
