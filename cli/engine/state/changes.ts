/**
 * Changes of the state tables as values: the records that a build, a promotion or a commit adds, changes or
 * deletes. The store of an engine turns them into SQL and adds the project. This module runs nothing and
 * knows no engine.
 */
import type { JsonValue } from '@svc/server/language'
import type {
  BuildRecord,
  CatalogRecord,
  DefinitionRecord,
  DriftRecord,
  FetchRecord,
  HistoryAsset,
  HistoryRecord,
  LineageRecord,
  LoadedFilesRecord,
  MarksRecord,
  PublishRecord,
  PublishReject,
  TestRecord,
  ViewRecord,
  ViewTextRecord,
} from './state.ts'
import { type ColumnOf, columnsOf, type OwnedTable } from './tables.ts'

/** The values by column; JSON columns hold the value itself. */
export type Row = Readonly<Record<string, JsonValue>>

/** Changes are applied in order; those that are committed together become visible together. */
export type StateChange = Insert | Update | Delete

export interface Insert {
  readonly kind: 'insert'
  readonly table: OwnedTable
  readonly rows: readonly Row[]
  /**
   * Whether an existing row with the same key is kept or replaced. Undefined if the table has no
   * key.
   */
  readonly known?: 'stays' | 'replaced'
  /** Whether JSON columns hold JSON text, which keeps every digit. */
  readonly texts?: boolean
}

export interface Update {
  readonly kind: 'update'
  readonly table: OwnedTable
  readonly values: Row
  readonly where: readonly Condition[]
}

export interface Delete {
  readonly kind: 'delete'
  readonly table: OwnedTable
  readonly where: readonly Condition[]
}

/** A condition on rows; several conditions are combined with AND. */
export type Condition =
  | { readonly kind: 'is'; readonly column: string; readonly value: string | null }
  /** The values of `columns` equal those of one of `rows`, or of none of them. */
  | {
      readonly kind: 'among' | 'not-among'
      readonly columns: readonly string[]
      readonly rows: readonly Row[]
    }
  /** Some row of the other table, or none, has these values in columns of the same names. */
  | {
      readonly kind: 'in' | 'not-in'
      readonly columns: readonly string[]
      readonly table: OwnedTable
      /** Which rows of the other table count, if not all. */
      readonly where?: readonly Condition[]
    }

// ---------------------------------------------------------------- live

/** Sets the live generation of an environment. */
export function setLive(environment: string, generation: number, runId: string): StateChange[] {
  return [insert('svc_live', [{ environment, generation, run_id: runId }], { known: 'replaced' })]
}

/** Deletes everything about an environment except its builds, and that something was live there once. */
export function forgetEnvironment(environment: string): StateChange[] {
  const tables = [
    'svc_views',
    'svc_catalog',
    'svc_test_results',
    'svc_state_history',
    'svc_marks',
    'svc_publishes',
    'svc_publish_rejects',
  ] as const
  return [
    // The rows are found by their publishes, so they go first.
    remove('svc_published', ofPublishes(is('environment', environment))),
    ...tables.map(table => remove(table, is('environment', environment))),
    {
      kind: 'update',
      table: 'svc_live',
      values: { generation: 0, run_id: null },
      where: [is('environment', environment)],
    },
  ]
}

// ---------------------------------------------------------------- history

/** Adds the row of a run at its start, with status `running`. */
export function insertHistory(record: HistoryRecord): StateChange[] {
  return [insert('svc_state_history', [rowOf('svc_state_history', record)])]
}

/** Replaces the row that `insertHistory` wrote for the same run. */
export function finishHistory(record: HistoryRecord): StateChange[] {
  const { run_id, environment, ...values } = rowOf('svc_state_history', record)
  const where = [is('run_id', record.run_id), is('environment', record.environment)]
  return [{ kind: 'update', table: 'svc_state_history', values, where }]
}

export function replaceAssets(runId: string, assets: readonly HistoryAsset[]): StateChange[] {
  const values = { assets: asJson(assets) }
  return [{ kind: 'update', table: 'svc_state_history', values, where: [is('run_id', runId)] }]
}

// ---------------------------------------------------------------- what is live and built

/** Replaces some assets of the catalogue and keeps the others. */
export function upsertCatalog(records: readonly CatalogRecord[]): StateChange[] {
  return [
    ...deletePerEnvironment('svc_catalog', records),
    ...insertRows(
      'svc_catalog',
      records.map(record => rowOf('svc_catalog', record)),
    ),
  ]
}

export function deleteCatalog(environment: string, assets: readonly string[]): StateChange[] {
  return deleteAssets('svc_catalog', environment, assets)
}

/** Adds one complete build; committed together with its relation (`BuildOptions.record`). */
export function insertBuild(record: BuildRecord): StateChange[] {
  return insertBuilds([record])
}

export function insertBuilds(records: readonly BuildRecord[]): StateChange[] {
  const rows = records.map(record => {
    const { schema: relation_schema, name: relation_name } = record.relation
    return rowOf('svc_builds', record, { relation_schema, relation_name })
  })
  return insertRows('svc_builds', rows)
}

export function deleteBuilds(buildKeys: readonly string[]): StateChange[] {
  const tables = ['svc_builds', 'svc_fetches', 'svc_lineage', 'svc_view_texts', 'svc_marks'] as const
  return tables.flatMap(table => deleteIn(table, 'build_key', buildKeys))
}

/** Replaces the times at which the sources of loads were last asked. */
export function replaceFetches(records: readonly FetchRecord[]): StateChange[] {
  const rows = records.map(record => rowOf('svc_fetches', record))
  return [...removeRows('svc_fetches', ['build_key'], rows), ...insertRows('svc_fetches', rows)]
}

export function insertViewTexts(records: readonly ViewTextRecord[]): StateChange[] {
  return insertRows(
    'svc_view_texts',
    records.map(record => rowOf('svc_view_texts', record)),
  )
}

/** Stores the lineage of builds; each replaces what was known of the same build. */
export function insertLineage(records: readonly LineageRecord[]): StateChange[] {
  const rows = records.map(({ build_key, asset, lineage: { columns, complete } }) => ({
    build_key,
    asset,
    complete,
    lineage: columns as unknown as JsonValue,
  }))
  return [...removeRows('svc_lineage', ['build_key'], rows), ...insertRows('svc_lineage', rows)]
}

/** Replaces the marks of builds in an environment. */
export function replaceMarks(records: readonly MarksRecord[]): StateChange[] {
  const rows = records.map(record => rowOf('svc_marks', record))
  return [...removeRows('svc_marks', ['environment', 'build_key'], rows), ...insertRows('svc_marks', rows)]
}

export function upsertViews(records: readonly ViewRecord[]): StateChange[] {
  const rows = records.map(({ environment, asset, view, readers }) => ({
    environment,
    asset,
    view_schema: view.schema,
    view_name: view.name,
    readers: readers.length === 0 ? null : JSON.stringify(readers),
  }))
  return [...deletePerEnvironment('svc_views', records), ...insertRows('svc_views', rows)]
}

export function deleteViews(environment: string, assets: readonly string[]): StateChange[] {
  return deleteAssets('svc_views', environment, assets)
}

/** Adds definitions. Existing ones are kept, because a hash has only one text. */
export function insertDefinitions(records: readonly DefinitionRecord[]): StateChange[] {
  const rows = records.map(record => rowOf('svc_definitions', record))
  return rows.length === 0 ? [] : [insert('svc_definitions', rows, { known: 'stays' })]
}

/**
 * Deletes results of tests of assets that are neither live nor in the project, and definition texts without a
 * build.
 */
export function deleteUnused(assets: readonly string[]): Delete[] {
  return [
    {
      kind: 'delete',
      table: 'svc_test_results',
      where: [
        { kind: 'not-in', columns: ['environment', 'asset'], table: 'svc_catalog' },
        { kind: 'not-among', columns: ['asset'], rows: assets.map(asset => ({ asset })) },
      ],
    },
    {
      kind: 'delete',
      table: 'svc_definitions',
      where: [
        { kind: 'not-in', columns: ['definition_hash'], table: 'svc_builds' },
        { kind: 'not-in', columns: ['definition_hash'], table: 'svc_catalog' },
      ],
    },
  ]
}

// ---------------------------------------------------------------- tests, rejects, drift

/** Stores test results; each replaces the previous result of the same test in the same environment. */
export function insertTestResults(environment: string, records: readonly TestRecord[]): StateChange[] {
  const rows = records.map(record => rowOf('svc_test_results', record, { environment }))
  return [
    ...removeRows('svc_test_results', ['asset', 'name'], rows, is('environment', environment)),
    ...insertRows('svc_test_results', rows),
  ]
}

/** Adds rows of `svc_rejects`; `raw` is JSON text. */
export function insertRejects(rows: readonly Row[]): StateChange[] {
  return rows.length === 0 ? [] : [insert('svc_rejects', rows, { texts: true })]
}

/** Deletes the rows of refused sources: they are kept until the asset is loaded, or refused again. */
export function deleteRefused(environment: string, assets: readonly string[]): StateChange[] {
  const rows = assets.map(asset => ({ asset, environment, status: 'refused' }))
  return removeRows('svc_rejects', ['asset', 'environment', 'status'], rows)
}

/** Deletes the rejects of loads that are deleted. */
export function deleteRejects(loadKeys: readonly string[]): StateChange[] {
  return deleteIn('svc_rejects', 'load_key', loadKeys)
}

/** Marks rejected records that a later load of the same environment contains. */
export function replayRejects(
  { environment, asset, runId }: { environment: string; asset: string; runId: string },
  recordHashes: readonly string[],
): StateChange[] {
  if (recordHashes.length === 0) return []
  const rows = recordHashes.map(record_hash => ({ record_hash }))
  const where: Condition[] = [
    is('environment', environment),
    is('asset', asset),
    is('replayed_run_id', null),
    { kind: 'among', columns: ['record_hash'], rows },
  ]
  return [{ kind: 'update', table: 'svc_rejects', values: { replayed_run_id: runId }, where }]
}

/** Adds the drift of a load; committed together with the load. */
export function insertDrift(record: DriftRecord): StateChange[] {
  return [...deleteDrift([record.load_key]), insert('svc_drift', [rowOf('svc_drift', record)])]
}

export function deleteDrift(loadKeys: readonly string[]): StateChange[] {
  return deleteIn('svc_drift', 'load_key', loadKeys)
}

/** Adds the files of a load; committed together with the load. */
export function insertLoadedFiles(record: LoadedFilesRecord): StateChange[] {
  return [
    ...deleteLoadedFiles([record.load_key]),
    insert('svc_loaded_files', [rowOf('svc_loaded_files', record)]),
  ]
}

export function deleteLoadedFiles(loadKeys: readonly string[]): StateChange[] {
  return deleteIn('svc_loaded_files', 'load_key', loadKeys)
}

// ---------------------------------------------------------------- publishing

/** Where rows are published to. */
export interface PublishedTo {
  readonly environment: string
  readonly asset: string
  readonly target: string
}

/** Adds an attempt at its start, with status `running`. */
export function insertPublish(record: PublishRecord): StateChange[] {
  return [insert('svc_publishes', [rowOf('svc_publishes', record)])]
}

/** Replaces the row that `insertPublish` wrote for the same attempt. */
export function finishPublish(record: PublishRecord): StateChange[] {
  const where = [is('run_id', record.run_id), is('environment', record.environment)]
  return [{ kind: 'update', table: 'svc_publishes', values: rowOf('svc_publishes', record), where }]
}

export function forgetAllPublished(to: PublishedTo): StateChange[] {
  return [remove('svc_published', ...publishedWhere(to))]
}

/** The condition of the rows that one target of an asset has acknowledged, at one of its places if these are given. */
export function publishedWhere(
  { environment, asset, target }: PublishedTo,
  places?: readonly string[],
): Condition[] {
  const where = [is('environment', environment), is('asset', asset), is('target', target)]
  const rows = places?.map(place => ({ place }))
  return [
    ofPublishes(
      ...where,
      ...(rows === undefined ? [] : [{ kind: 'among', columns: ['place'], rows } as const]),
    ),
  ]
}

function ofPublishes(...where: readonly Condition[]): Condition {
  return { kind: 'in', columns: ['run_id'], table: 'svc_publishes', where }
}

/** Replaces the rows of the last publish that were not taken. */
export function replacePublishRejects(to: PublishedTo, rejects: readonly PublishReject[]): StateChange[] {
  const { environment } = to
  const rows = rejects.map(reject => rowOf('svc_publish_rejects', reject, { environment }))
  const before = remove('svc_publish_rejects', ...publishedWhere(to))
  return rows.length === 0 ? [before] : [before, insert('svc_publish_rejects', rows, { texts: true })]
}

// ---------------------------------------------------------------- rows

/** Returns the columns of a record's table; `more` has those that the record has in another form. */
function rowOf<Name extends OwnedTable, More extends Row = Record<never, JsonValue>>(
  table: Name,
  record: Readonly<Record<Exclude<ColumnOf<Name>, keyof More>, unknown>>,
  more?: More,
): Row {
  const values = record as Readonly<Record<string, JsonValue>>
  return Object.fromEntries(
    columnsOf(table).map(column => [column, more?.[column] ?? values[column] ?? null]),
  )
}

/**
 * Casts a record to JsonValue: its members are plain JSON, but optional members prevent TypeScript from
 * seeing that.
 */
function asJson(value: object): JsonValue {
  return value as JsonValue
}

// ---------------------------------------------------------------- changes

function insert<Name extends OwnedTable>(
  table: Name,
  rows: readonly Row[],
  how: Pick<Insert, 'known' | 'texts'> = {},
): Insert {
  return { kind: 'insert', table, rows, ...how }
}

function insertRows(table: OwnedTable, rows: readonly Row[]): StateChange[] {
  return rows.length === 0 ? [] : [insert(table, rows)]
}

function is(column: string, value: string | null): Condition {
  return { kind: 'is', column, value }
}

function remove(table: OwnedTable, ...where: readonly Condition[]): Delete {
  return { kind: 'delete', table, where }
}

/** Deletes the rows of `table` whose `columns` equal those of one of `rows`. */
function removeRows<Name extends OwnedTable>(
  table: Name,
  columns: readonly ColumnOf<Name>[],
  rows: readonly Row[],
  ...where: readonly Condition[]
): StateChange[] {
  return rows.length === 0 ? [] : [remove(table, { kind: 'among', columns, rows }, ...where)]
}

function deletePerEnvironment(
  table: 'svc_catalog' | 'svc_views',
  records: readonly { readonly environment: string; readonly asset: string }[],
): StateChange[] {
  const environments = new Set(records.map(({ environment }) => environment))
  return [...environments].flatMap(environment => {
    const assets = records.filter(record => record.environment === environment).map(({ asset }) => asset)
    return deleteAssets(table, environment, assets)
  })
}

function deleteAssets(
  table: 'svc_catalog' | 'svc_views' | 'svc_test_results',
  environment: string,
  assets: readonly string[],
): StateChange[] {
  const rows = assets.map(asset => ({ asset }))
  return removeRows(table, ['asset'], rows, is('environment', environment))
}

function deleteIn<Name extends OwnedTable>(
  table: Name,
  column: ColumnOf<Name>,
  values: readonly string[],
): StateChange[] {
  const rows = values.map(value => ({ [column]: value }))
  return removeRows(table, [column], rows)
}
