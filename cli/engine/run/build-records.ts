/**
 * Creates the records of complete builds (`svc_builds`): what was built, from which inputs, and which builds
 * it pins.
 */
import { type Asset, type Column, type MaterializeKind, materializationOf } from '@svc/server/language'
import type { FetchedTable } from '../ingest/source.ts'
import type { BuildRecord, BuiltColumn } from '../state/state.ts'
import type { BuildResult, Relation } from '../warehouse/warehouse.ts'

export interface RecordFacts {
  readonly asset: Asset
  readonly target: Relation
  readonly result: Omit<BuildResult, 'columns'> & { readonly columns: readonly BuiltColumn[] }
  readonly buildKey: string
  readonly definitionHash: string
  readonly runId: string
  readonly createdAt: Date
  readonly salt: string | undefined
}

/**
 * Returns one record for `{{ source }}` and its child tables together. `query`: the SELECT over tables of the warehouse, where
 * the load is a view of them.
 */
export function rawRecord(
  facts: RecordFacts,
  children: BuildRecord['children'],
  { loadId, query }: { readonly loadId: string | undefined; readonly query: string | undefined },
): BuildRecord {
  return {
    ...common(facts),
    part: 'raw',
    kind: query === undefined ? 'table' : 'view',
    children,
    pins: [],
    load_id: loadId ?? null,
    sql: query ?? null,
  }
}

/**
 * Returns the record of a model. `sql` is the compiled query, stored if readers inline it instead of naming
 * the relation.
 */
export function modelRecord(facts: RecordFacts, pins: readonly string[], sql: string): BuildRecord {
  const { materialize } = facts.asset.definition.deploy
  return {
    ...common(facts),
    part: 'model',
    kind: materialize,
    children: {},
    pins,
    load_id: null,
    sql: isReadAsQuery(materialize) ? sql : null,
  }
}

function isReadAsQuery(kind: MaterializeKind): boolean {
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

function common(facts: RecordFacts) {
  const { asset, result } = facts
  return {
    build_key: facts.buildKey,
    asset: asset.name,
    definition_hash: facts.definitionHash,
    relation: facts.target,
    columns: result.columns,
    rows: result.rows ?? null,
    run_id: facts.runId,
    created_at: facts.createdAt.toISOString(),
    seconds: result.seconds,
    deploy_schema: asset.definition.deploy.schema ?? null,
    salt: facts.salt ?? null,
  }
}
