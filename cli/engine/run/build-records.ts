/**
 * Creates the records of complete builds (`svc_builds`): what was built, from which inputs, and which builds
 * it pins.
 */
import { type Column, type MaterializeKind, materializationOf } from '@svc/server/language'
import type { FetchedTable } from '../ingest/source.ts'
import { assetOf } from '../plan/identities.ts'
import type { BuildStep } from '../plan/step.ts'
import type { BuildRecord, BuiltColumn } from '../state/state.ts'
import type { BuildResult, Relation } from '../warehouse/warehouse.ts'
import type { Building } from './building.ts'

/** A relation that a step has made. */
export interface Made {
  readonly step: Pick<BuildStep, 'asset' | 'key' | 'salt'>
  readonly target: Relation
  readonly result: Omit<BuildResult, 'columns'> & { readonly columns: readonly BuiltColumn[] }
}

/** Returns one record for `{{ source }}` and its child tables together. */
export function rawRecord(
  made: Made,
  children: BuildRecord['children'],
  { identities, fetched, ...building }: Building,
): BuildRecord {
  const { asset } = made.step
  const source = fetched.get(asset)
  // Where the load is a view, the SELECT over tables of the warehouse.
  const query = source?.inWarehouse === true ? source.tables[0]?.sql : undefined
  return {
    ...common(made, building),
    definition_hash: identities.rawDefinitionHash(asset),
    part: 'raw',
    kind: query === undefined ? 'table' : 'view',
    children,
    // A view has no rows of its own: the source has counted them.
    rows: made.result.rows ?? source?.rows ?? null,
    pins: [],
    load_id: source?.loadId ?? null,
    sql: query ?? null,
  }
}

/**
 * Returns the record of a model. `sql` is the compiled query, stored if readers inline it instead of naming
 * the relation.
 */
export function modelRecord(
  made: Made,
  pins: readonly string[],
  sql: string,
  { identities, ...building }: Building,
): BuildRecord {
  const { asset } = made.step
  const { materialize } = assetOf(building.workspace.project, asset).definition.deploy
  return {
    ...common(made, building),
    definition_hash: identities.definitionHash(asset),
    part: 'model',
    kind: materialize,
    children: {},
    pins,
    load_id: null,
    sql: isReadAsQuery(materialize) ? sql : null,
  }
}

/** Returns whether readers of such a relation compute its query themselves. */
export function isReadAsQuery(kind: MaterializeKind): boolean {
  const { table, view } = materializationOf(kind).readIn
  return table === 'query' || view === 'query'
}

/**
 * Marks the columns that the source did not deliver, so that the next load does not report them as missing
 * again, those that only some records have, and those that were hashed.
 */
export function loadedColumns(
  columns: readonly Column[],
  table: FetchedTable | undefined,
): readonly BuiltColumn[] {
  const loaded = new Map(table?.shape.columns.map(column => [column.name, column]))
  return columns.map(column => {
    const { absent, absentSince, presence, maskKey } = loaded.get(column.name) ?? {}
    const own = {
      ...column,
      ...(presence !== undefined && { presence }),
      ...(maskKey !== undefined && { maskKey }),
    }
    if (absent !== true) return own
    return { ...own, absent, ...(absentSince !== undefined && { absentSince }) }
  })
}

function common(
  { step: { asset, key = '', salt }, target, result }: Made,
  { workspace, runId }: Pick<Building, 'workspace' | 'runId'>,
) {
  return {
    build_key: key,
    asset,
    relation: target,
    columns: result.columns,
    rows: result.rows ?? null,
    run_id: runId,
    created_at: workspace.world.now().toISOString(),
    seconds: result.seconds,
    deploy_schema: assetOf(workspace.project, asset).definition.deploy.schema ?? null,
    salt: salt ?? null,
  }
}
