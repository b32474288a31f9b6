/**
 * Statements that write records of the state tables, for `record` of a build, for a promotion's flip or for a
 * transaction. Made without parameters, so that any number of them is one round trip. Runs nothing.
 */
import type { JsonValue } from '@svc/server/language'
import type { Dialect } from '../warehouse/dialect.ts'
import type { Statement } from '../warehouse/warehouse.ts'
import type {
  BuildRecord,
  CatalogRecord,
  DefinitionRecord,
  DriftRecord,
  HistoryRecord,
  TestRecord,
  ViewRecord,
} from './state.ts'
import { type ColumnType, type StateTable, stateTable, stateTables } from './tables.ts'

/** By column; JSON columns hold the value itself. */
export type Row = Readonly<Record<string, JsonValue>>

/** Bounds the length of one statement, not its speed. */
const rowsPerStatement = 10_000
/** Up to here plain VALUES cost less than reading JSON. */
const rowsAsValues = 4

/** At the start of a run, with status `running`. */
export function insertHistory(dialect: Dialect, record: HistoryRecord): Statement[] {
  return insertRows(dialect, 'svc_state_history', [historyRow(record)])
}

/** Replaces what `insertHistory` wrote of the same run. */
export function finishHistory(dialect: Dialect, record: HistoryRecord): Statement[] {
  const { run_id, environment, ...rest } = historyRow(record)
  const changes = Object.entries(rest).map(
    ([column, value]) => `${dialect.identifier(column)} = ${literal(dialect, value)}`,
  )
  const table = stateTable(dialect, 'svc_state_history')
  const which = `${equals(dialect, 'run_id', record.run_id)} AND ${equals(dialect, 'environment', record.environment)}`
  return [{ sql: `UPDATE ${table} SET ${changes.join(', ')} WHERE ${which}` }]
}

/** The whole catalogue of an environment. */
export function replaceCatalog(
  dialect: Dialect,
  environment: string,
  records: readonly CatalogRecord[],
): Statement[] {
  const table = stateTable(dialect, 'svc_catalog')
  return [
    { sql: `DELETE FROM ${table} WHERE ${equals(dialect, 'environment', environment)}` },
    ...insertRows(dialect, 'svc_catalog', records.map(catalogRow)),
  ]
}

/** Some assets of the catalogue; the others stay. */
export function upsertCatalog(dialect: Dialect, records: readonly CatalogRecord[]): Statement[] {
  return [
    ...deletePerEnvironment(dialect, 'svc_catalog', records),
    ...insertRows(dialect, 'svc_catalog', records.map(catalogRow)),
  ]
}

export function deleteCatalog(dialect: Dialect, environment: string, assets: readonly string[]): Statement[] {
  return deleteAssets(dialect, 'svc_catalog', environment, assets)
}

/** One complete build; committed together with its relation (`BuildOptions.record`). */
export function insertBuild(dialect: Dialect, record: BuildRecord): Statement[] {
  return insertBuilds(dialect, [record])
}

export function insertBuilds(dialect: Dialect, records: readonly BuildRecord[]): Statement[] {
  return insertRows(dialect, 'svc_builds', records.map(buildRow))
}

export function deleteBuilds(dialect: Dialect, buildKeys: readonly string[]): Statement[] {
  return deleteIn(dialect, 'svc_builds', 'build_key', buildKeys)
}

export function upsertViews(dialect: Dialect, records: readonly ViewRecord[]): Statement[] {
  const rows = records.map(({ environment, asset, view }) => ({
    environment,
    asset,
    view_schema: view.schema,
    view_name: view.name,
  }))
  return [...deletePerEnvironment(dialect, 'svc_views', records), ...insertRows(dialect, 'svc_views', rows)]
}

export function deleteViews(dialect: Dialect, environment: string, assets: readonly string[]): Statement[] {
  return deleteAssets(dialect, 'svc_views', environment, assets)
}

/** Known definitions stay as they are: a hash has one text. */
export function insertDefinitions(dialect: Dialect, records: readonly DefinitionRecord[]): Statement[] {
  const rows = records.map(({ definition_hash, definition }) => ({ definition_hash, definition }))
  return insertRows(dialect, 'svc_definitions', rows, 'ON CONFLICT (definition_hash) DO NOTHING')
}

export function deleteDefinitions(dialect: Dialect, hashes: readonly string[]): Statement[] {
  return deleteIn(dialect, 'svc_definitions', 'definition_hash', hashes)
}

/** The last result of each test replaces the one before in the same environment. */
export function insertTestResults(
  dialect: Dialect,
  environment: string,
  records: readonly TestRecord[],
): Statement[] {
  const rows = records.map(record => testRow(environment, record))
  const here = equals(dialect, 'environment', environment)
  return [
    ...deleteRows(dialect, 'svc_test_results', ['asset', 'name'], rows, ` AND ${here}`),
    ...insertRows(dialect, 'svc_test_results', rows),
  ]
}

/** Of assets that are no longer in the project. */
export function deleteTestResults(
  dialect: Dialect,
  environment: string,
  assets: readonly string[],
): Statement[] {
  return deleteAssets(dialect, 'svc_test_results', environment, assets)
}

/** Rows of `svc_rejects` as they are; `raw` is JSON text. */
export function insertRejects(dialect: Dialect, rows: readonly Row[]): Statement[] {
  if (rows.length === 0) return []
  // Plain values, never read as JSON on the way: a raw record keeps every digit.
  const columns = Object.keys(rows[0] ?? {})
  const list = columns.map(column => dialect.identifier(column)).join(', ')
  const values = rows.map(
    row => `(${columns.map(column => literal(dialect, row[column] ?? null)).join(', ')})`,
  )
  return [{ sql: `INSERT INTO ${stateTable(dialect, 'svc_rejects')} (${list}) VALUES ${values.join(', ')}` }]
}

/** What refusals of these assets left: they count until the asset is loaded, or refused again. */
export function deleteRefused(dialect: Dialect, environment: string, assets: readonly string[]): Statement[] {
  const rows = assets.map(asset => ({ asset, environment, status: 'refused' }))
  return deleteRows(dialect, 'svc_rejects', ['asset', 'environment', 'status'], rows)
}

/** Rejects go with the load that they were left out of. */
export function deleteRejects(dialect: Dialect, loadKeys: readonly string[]): Statement[] {
  return deleteIn(dialect, 'svc_rejects', 'load_key', loadKeys)
}

/** Committed together with the load. */
export function insertDrift(dialect: Dialect, record: DriftRecord): Statement[] {
  const { load_key, asset, changes } = record
  return [
    ...deleteDrift(dialect, [load_key]),
    ...insertRows(dialect, 'svc_drift', [{ load_key, asset, changes: asJson(changes) }]),
  ]
}

export function deleteDrift(dialect: Dialect, loadKeys: readonly string[]): Statement[] {
  return deleteIn(dialect, 'svc_drift', 'load_key', loadKeys)
}

/** Records that a later load has taken in. */
export function replayRejects(
  dialect: Dialect,
  asset: string,
  runId: string,
  recordHashes: readonly string[],
): Statement[] {
  const table = stateTable(dialect, 'svc_rejects')
  const replayed = dialect.identifier('replayed_run_id')
  return inChunks(recordHashes).map(chunk => {
    const rows = chunk.map(record_hash => ({ record_hash }))
    const source = rowsSource(dialect, 'svc_rejects', ['record_hash'], rows)
    return {
      sql: `UPDATE ${table} SET ${replayed} = ${dialect.literal(runId)}
        WHERE ${equals(dialect, 'asset', asset)} AND ${replayed} IS NULL
        AND ${dialect.identifier('record_hash')} IN (${source})`,
    }
  })
}

// ---------------------------------------------------------------- rows

function historyRow(record: HistoryRecord) {
  return {
    run_id: record.run_id,
    environment: record.environment,
    kind: record.kind,
    selector: record.selector,
    status: record.status,
    started_at: record.started_at,
    finished_at: record.finished_at,
    generation: record.generation,
    assets: asJson(record.assets),
    error: record.error,
    from_generation: record.from_generation,
  }
}

function catalogRow(record: CatalogRecord): Row {
  return {
    environment: record.environment,
    asset: record.asset,
    definition_hash: record.definition_hash,
    build_key: record.build_key,
    run_id: record.run_id,
    deployed_at: record.deployed_at,
    green_schema: record.green_schema,
    columns: asJson(record.columns),
  }
}

function buildRow(record: BuildRecord): Row {
  return {
    build_key: record.build_key,
    asset: record.asset,
    part: record.part,
    kind: record.kind,
    definition_hash: record.definition_hash,
    relation_schema: record.relation.schema,
    relation_name: record.relation.name,
    children: asJson(record.children),
    columns: asJson(record.columns),
    rows: record.rows,
    run_id: record.run_id,
    created_at: record.created_at,
    seconds: record.seconds,
    pins: asJson(record.pins),
    load_id: record.load_id,
    sql: record.sql,
    deploy_schema: record.deploy_schema,
  }
}

function testRow(environment: string, record: TestRecord): Row {
  return {
    environment,
    asset: record.asset,
    name: record.name,
    test_hash: record.test_hash,
    input_key: record.input_key,
    status: record.status,
    severity: record.severity,
    failures: record.failures,
    message: record.message,
    seconds: record.seconds,
    run_id: record.run_id,
    ran_at: record.ran_at,
  }
}

/** The records' own types are plain JSON; optional members keep them from saying so. */
function asJson(value: object): JsonValue {
  return value as JsonValue
}

// ---------------------------------------------------------------- statements

function insertRows(dialect: Dialect, table: StateTable, rows: readonly Row[], suffix = ''): Statement[] {
  return inChunks(rows).map(chunk => {
    const columns = Object.keys(chunk[0] ?? {})
    const list = columns.map(column => dialect.identifier(column)).join(', ')
    const source = rowsSource(dialect, table, columns, chunk)
    return { sql: `INSERT INTO ${stateTable(dialect, table)} (${list}) ${source} ${suffix}`.trimEnd() }
  })
}

function deletePerEnvironment(
  dialect: Dialect,
  table: StateTable,
  records: readonly { readonly environment: string; readonly asset: string }[],
): Statement[] {
  const environments = new Set(records.map(({ environment }) => environment))
  return [...environments].flatMap(environment => {
    const assets = records.filter(record => record.environment === environment).map(({ asset }) => asset)
    return deleteAssets(dialect, table, environment, assets)
  })
}

function deleteAssets(
  dialect: Dialect,
  table: StateTable,
  environment: string,
  assets: readonly string[],
): Statement[] {
  const rows = assets.map(asset => ({ asset }))
  return deleteRows(dialect, table, ['asset'], rows, ` AND ${equals(dialect, 'environment', environment)}`)
}

function deleteIn(
  dialect: Dialect,
  table: StateTable,
  column: string,
  values: readonly string[],
): Statement[] {
  const rows = values.map(value => ({ [column]: value }))
  return deleteRows(dialect, table, [column], rows)
}

/** The rows of `table` whose `columns` are those of one of `rows`. */
function deleteRows(
  dialect: Dialect,
  table: StateTable,
  columns: readonly string[],
  rows: readonly Row[],
  suffix = '',
): Statement[] {
  return inChunks(rows).map(chunk => {
    const list = columns.map(column => dialect.identifier(column)).join(', ')
    const source = rowsSource(dialect, table, columns, chunk)
    return { sql: `DELETE FROM ${stateTable(dialect, table)} WHERE (${list}) IN (${source})${suffix}` }
  })
}

function rowsSource(
  dialect: Dialect,
  table: StateTable,
  columns: readonly string[],
  rows: readonly Row[],
): string {
  if (rows.length > rowsAsValues) {
    const types: Readonly<Record<string, ColumnType>> = stateTables[table].columns
    const shape = Object.fromEntries(columns.map(column => [column, types[column] ?? 'text']))
    const records = rows.map(row => Object.fromEntries(columns.map(column => [column, row[column] ?? null])))
    return dialect.jsonRecords(jsonText(records), shape)
  }
  const values = rows.map(
    row => `(${columns.map(column => literal(dialect, row[column] ?? null)).join(', ')})`,
  )
  return `VALUES ${values.join(', ')}`
}

function literal(dialect: Dialect, value: JsonValue): string {
  return dialect.literal(typeof value === 'object' && value !== null ? jsonText(value) : value)
}

/** Half of a surrogate pair is no character, and a warehouse refuses JSON that holds one. */
function jsonText(value: JsonValue): string {
  const text = JSON.stringify(value)
  // Only halves are written as escapes of this kind; looking for one costs next to nothing.
  if (!text.includes('\\ud')) return text
  return text.replace(/\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g, sequence =>
    sequence.length > 2 ? '\ufffd' : sequence,
  )
}

function equals(dialect: Dialect, column: string, value: string): string {
  return `${dialect.identifier(column)} = ${dialect.literal(value)}`
}

function inChunks<T>(items: readonly T[]): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < items.length; start += rowsPerStatement) {
    chunks.push(items.slice(start, start + rowsPerStatement))
  }
  return chunks
}
