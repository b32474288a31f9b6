/** Reads the state tables: everything that a command needs of one environment in two queries, sent together. */
import type { Dialect } from '../warehouse/dialect.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { refuseNewer, stateVersionOf } from './initialise-state.ts'
import { type GenerationMap, mapOfAssets } from './reachable-builds.ts'
import type { DriftRecord, HistoryAsset, HistoryRecord, StateSnapshot, TestRecord } from './state.ts'
import {
  type BuildPins,
  buildPins,
  buildRecord,
  catalogRecord,
  type HistoryRow,
  historyRecord,
  type RunSummary,
  runSummary,
  testRecord,
  viewEntry,
} from './stored-records.ts'
import { type TableValues, textsQuery, valuesOfTexts } from './table-texts.ts'
import { type StateTable, stateTable, stateTables, stateVersion } from './tables.ts'

export { initialiseState } from './initialise-state.ts'
export type { BuildPins, RunSummary } from './stored-records.ts'

export interface ReadStateOptions {
  /** Runs of the environment, newest first; default 10. Runs that are `running` always come along. */
  readonly historyLimit?: number
}

/** Of a warehouse without state tables: an empty snapshot. SvcError `warehouse-newer`. */
export async function readState(
  session: WarehouseSession,
  environment: string,
  options: ReadStateOptions = {},
): Promise<StateSnapshot> {
  try {
    return await readSnapshot(session, environment, options.historyLimit ?? 10)
  } catch (error) {
    if ((await stateVersionOf(session)) === undefined) return emptyState(environment)
    throw error
  }
}

/** All queries are sent together: one wait. */
async function readSnapshot(
  session: WarehouseSession,
  environment: string,
  historyLimit: number,
): Promise<StateSnapshot> {
  const { dialect } = session
  const here = `environment = ${dialect.literal(environment)}`
  const [generation, live, builds, views, tests, history] = await Promise.all([
    readGeneration(session, here),
    readTable(session, 'svc_catalog', catalogColumns, here),
    readTable(session, 'svc_builds', buildColumns),
    readTable(session, 'svc_views', ['asset', 'view_schema', 'view_name'], here),
    readTable(session, 'svc_test_results', testColumns),
    readHistory(session, environment, historyLimit),
  ])
  return {
    environment,
    generation,
    live: new Map(recordsOf(live, catalogRecord).map(record => [record.asset, record])),
    builds: newestByKey(builds, buildRecord),
    history,
    tests: testsOf(tests, environment),
    views: new Map(recordsOf(views, viewEntry)),
  }
}

/** Of an environment where nothing ever happened. */
export function emptyState(environment: string): StateSnapshot {
  return {
    environment,
    generation: 0,
    live: new Map(),
    builds: new Map(),
    history: [],
    tests: new Map(),
    views: new Map(),
  }
}

/** Newest first, of one environment or (undefined) of each one `limit` runs. */
export async function readHistory(
  session: WarehouseSession,
  environment: string | undefined,
  limit: number,
): Promise<readonly HistoryRecord[]> {
  const rows = await session.query<HistoryRow>(historyQuery(session.dialect, environment, limit))
  return rows.map(historyRecord)
}

/** Canonical texts by definition hash; unknown hashes are absent. */
export async function readDefinitions(
  session: WarehouseSession,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (hashes.length === 0) return new Map()
  const { dialect } = session
  const rows = await session.query<{ definition_hash: string; definition: string }>(
    `SELECT definition_hash, definition FROM ${stateTable(dialect, 'svc_definitions')}
     WHERE definition_hash IN (${hashes.map(dialect.literal).join(', ')})`,
  )
  return new Map(rows.map(row => [row.definition_hash, row.definition]))
}

/** Of all loads in the warehouse; nothing where an older svc made the tables. */
export async function readDrift(session: WarehouseSession): Promise<readonly DriftRecord[]> {
  const { dialect } = session
  try {
    const rows = await session.query<{ load_key: string; asset: string; changes: string }>(
      `SELECT load_key, asset, ${dialect.toText('changes')} AS changes FROM ${stateTable(dialect, 'svc_drift')}`,
    )
    return rows.map(({ changes, ...row }) => ({ ...row, changes: JSON.parse(changes) }))
  } catch (error) {
    if ((await stateVersionOf(session)) === stateVersion) throw error
    return []
  }
}

/** All complete builds of all environments, by build key, without what collection has no use for. */
export async function readBuilds(session: WarehouseSession): Promise<ReadonlyMap<string, BuildPins>> {
  return newestByKey(await readTable(session, 'svc_builds', pinColumns), buildPins)
}

/** All runs of all environments, newest first. */
export async function readRuns(session: WarehouseSession): Promise<readonly RunSummary[]> {
  const { dialect } = session
  const columns = historyColumns(dialect).filter(column => column !== assetsColumn(dialect))
  const rows = await session.query(
    `SELECT ${columns.join(', ')} FROM ${stateTable(dialect, 'svc_state_history')}
     ORDER BY started_at DESC, run_id DESC`,
  )
  return rows.map(runSummary)
}

/** The maps (asset to build key) of the runs, by run id; assets without a build are absent. */
export async function readRunMaps(
  session: WarehouseSession,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, GenerationMap>> {
  if (runIds.length === 0) return new Map()
  const { dialect } = session
  const rows = await session.query<{ run_id: string; assets: string }>(
    `SELECT run_id, ${assetsColumn(dialect)} FROM ${stateTable(dialect, 'svc_state_history')}
     WHERE run_id IN (${runIds.map(dialect.literal).join(', ')})`,
  )
  return new Map(rows.map(row => [row.run_id, mapOfAssets(JSON.parse(row.assets) as HistoryAsset[])]))
}

// ---------------------------------------------------------------- queries

const catalogColumns = Object.keys(stateTables.svc_catalog.columns)
const buildColumns = Object.keys(stateTables.svc_builds.columns)
const pinColumns = buildColumns.filter(
  column => !['kind', 'definition_hash', 'columns', 'rows', 'seconds', 'load_id', 'sql'].includes(column),
)
const testColumns = Object.keys(stateTables.svc_test_results.columns)

async function readGeneration(session: WarehouseSession, here: string): Promise<number> {
  const { dialect } = session
  const [row] = await session.query<{ version: number; generation: number | null }>(
    `SELECT max(version) AS version,
      (SELECT generation FROM ${stateTable(dialect, 'svc_live')} WHERE ${here}) AS generation
     FROM ${stateTable(dialect, 'svc_meta')}`,
  )
  refuseNewer(row?.version ?? 0)
  return row?.generation ?? 0
}

async function readTable(
  session: WarehouseSession,
  table: StateTable,
  columns: readonly string[],
  condition?: string,
): Promise<TableValues> {
  const source = stateTable(session.dialect, table)
  const from = condition === undefined ? source : `${source} WHERE ${condition}`
  const [texts] = await session.query(textsQuery(session.dialect, table, columns, from))
  return valuesOfTexts(texts ?? {}, table, columns)
}

/** Running ones are always among them: a dead process may have left one long ago. */
function historyQuery(dialect: Dialect, environment: string | undefined, limit: number): string {
  const table = stateTable(dialect, 'svc_state_history')
  const which = environment === undefined ? '' : `WHERE environment = ${dialect.literal(environment)}`
  // Ranked without the assets, which are long, and of many runs.
  const ranked = `SELECT environment, run_id, status,
      row_number() OVER (PARTITION BY environment ORDER BY started_at DESC, run_id DESC) AS place
    FROM ${table} ${which}`
  return `SELECT ${historyColumns(dialect).join(', ')} FROM ${table}
    WHERE (environment, run_id) IN (
      SELECT environment, run_id FROM (${ranked}) AS ranked
      WHERE place <= ${Math.trunc(limit)} OR status = 'running')
    ORDER BY started_at DESC, run_id DESC`
}

function historyColumns(dialect: Dialect): string[] {
  return Object.entries(stateTables.svc_state_history.columns).map(([column, type]) => {
    const name = dialect.identifier(column)
    if (type === 'timestamp') return `${dialect.epochSeconds(name)} AS ${name}`
    return type === 'json' ? assetsColumn(dialect) : name
  })
}

function assetsColumn(dialect: Dialect): string {
  const name = dialect.identifier('assets')
  return `${dialect.toText(name)} AS ${name}`
}

// ---------------------------------------------------------------- records

function recordsOf<T>(table: TableValues, record: (table: TableValues, index: number) => T): T[] {
  return Array.from({ length: table.count }, (_, index) => record(table, index))
}

/** Where a key was built twice, the newest build counts. */
function newestByKey<T>(
  builds: TableValues,
  record: (table: TableValues, index: number) => T,
): ReadonlyMap<string, T> {
  const newest = new Map<string, number>()
  for (let index = 0; index < builds.count; index++) {
    const key = builds.at<string>('build_key', index)
    const known = newest.get(key)
    const isNewest =
      known === undefined || builds.at<number>('created_at', known) <= builds.at<number>('created_at', index)
    if (isNewest) newest.set(key, index)
  }
  return new Map([...newest].map(([key, index]) => [key, record(builds, index)]))
}

/** A test of the same build may have run in another environment; this one's own result leads, else the newest. */
function testsOf(table: TableValues, environment: string): ReadonlyMap<string, TestRecord> {
  const chosen = new Map<string, number>()
  const rank = (index: number) =>
    table.at('environment', index) === environment
      ? Number.POSITIVE_INFINITY
      : table.at<number>('ran_at', index)
  for (let index = 0; index < table.count; index++) {
    const key = `${table.at('asset', index)}\n${table.at('name', index)}`
    const known = chosen.get(key)
    if (known === undefined || rank(known) < rank(index)) chosen.set(key, index)
  }
  return new Map([...chosen].map(([key, index]) => [key, testRecord(table, index)]))
}
