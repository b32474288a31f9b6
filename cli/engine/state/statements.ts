/**
 * Statements that write records of the state tables, for `record` of a build, for a promotion's flip or for a
 * transaction. Made without parameters, so that any number of them is one round trip. Runs nothing.
 */
import type { JsonScalar } from '@svc/server/language'
import type { Dialect } from '../warehouse/dialect.ts'
import type { Statement } from '../warehouse/warehouse.ts'
import type {
  BuildRecord,
  CatalogRecord,
  DefinitionRecord,
  HistoryRecord,
  TestRecord,
  ViewRecord,
} from './state.ts'
import { type StateTable, stateTable } from './tables.ts'

type Row = Readonly<Record<string, JsonScalar>>

const rowsPerStatement = 500

/** At the start of a run, with status `running`. */
export function insertHistory(dialect: Dialect, record: HistoryRecord): Statement[] {
  return insertRows(dialect, 'svc_state_history', [historyRow(record)])
}

/** Replaces what `insertHistory` wrote of the same run. */
export function finishHistory(dialect: Dialect, record: HistoryRecord): Statement[] {
  const { run_id, environment, ...rest } = historyRow(record)
  const changes = Object.entries(rest).map(
    ([column, value]) => `${dialect.identifier(column)} = ${dialect.literal(value)}`,
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
  const table = stateTable(dialect, 'svc_test_results')
  const rows = records.map(record => testRow(environment, record))
  const deletes = inChunks(records).map(chunk => {
    const pairs = chunk.map(({ asset, name }) => `(${dialect.literal(asset)}, ${dialect.literal(name)})`)
    const which = `(asset, name) IN (${pairs.join(', ')})`
    return { sql: `DELETE FROM ${table} WHERE ${equals(dialect, 'environment', environment)} AND ${which}` }
  })
  return [...deletes, ...insertRows(dialect, 'svc_test_results', rows)]
}

/** Of assets that are no longer in the project. */
export function deleteTestResults(
  dialect: Dialect,
  environment: string,
  assets: readonly string[],
): Statement[] {
  return deleteAssets(dialect, 'svc_test_results', environment, assets)
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
    assets: JSON.stringify(record.assets),
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
    columns: JSON.stringify(record.columns),
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
    children: JSON.stringify(record.children),
    columns: JSON.stringify(record.columns),
    rows: record.rows,
    run_id: record.run_id,
    created_at: record.created_at,
    seconds: record.seconds,
    pins: JSON.stringify(record.pins),
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

// ---------------------------------------------------------------- statements

function insertRows(dialect: Dialect, table: StateTable, rows: readonly Row[], suffix = ''): Statement[] {
  return inChunks(rows).map(chunk => {
    const columns = Object.keys(chunk[0] ?? {}).map(column => dialect.identifier(column))
    const values = chunk.map(row => `(${Object.values(row).map(dialect.literal).join(', ')})`)
    const target = `${stateTable(dialect, table)} (${columns.join(', ')})`
    return { sql: `INSERT INTO ${target} VALUES\n${values.join(',\n')} ${suffix}`.trimEnd() }
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
  return deleteIn(dialect, table, 'asset', assets, ` AND ${equals(dialect, 'environment', environment)}`)
}

function deleteIn(
  dialect: Dialect,
  table: StateTable,
  column: string,
  values: readonly string[],
  suffix = '',
): Statement[] {
  return inChunks(values).map(chunk => {
    const list = chunk.map(dialect.literal).join(', ')
    return {
      sql: `DELETE FROM ${stateTable(dialect, table)} WHERE ${dialect.identifier(column)} IN (${list})${suffix}`,
    }
  })
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
