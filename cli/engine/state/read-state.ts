/** Reads the state tables: everything that a command needs of one environment in two queries, sent together. */
import type { Dialect } from '../warehouse/dialect.ts'
import type { WarehouseReader } from '../warehouse/warehouse.ts'
import { refuseNewer, stateVersionOf } from './initialise-state.ts'
import { type GenerationMap, mapOfAssets } from './reachable-builds.ts'
import type { DriftRecord, HistoryAsset, HistoryRecord, StateSnapshot } from './state.ts'
import {
  type BuildPins,
  type HistoryRow,
  historyRecord,
  type RunSummary,
  runSummary,
  StoredBuild,
  StoredCatalog,
  StoredTest,
  viewsIn,
} from './stored-records.ts'
import { keyedTexts, keyedTextsQuery, type TableValues, textsQuery, valuesOfTexts } from './table-texts.ts'
import { type StateTable, stateTable, stateTables, stateVersion } from './tables.ts'

export { initialiseState } from './initialise-state.ts'
export type { BuildPins, RunSummary } from './stored-records.ts'

export interface ReadStateOptions {
  /** Runs of the environment, newest first; default 10. Runs that are `running` always come along. */
  readonly historyLimit?: number
}

/** Of a warehouse without state tables: an empty snapshot. SvcError `warehouse-newer`. */
export async function readState(
  session: WarehouseReader,
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
  session: WarehouseReader,
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
    live: new Map(live.column<string>('asset').map((asset, row) => [asset, new StoredCatalog(live, row)])),
    builds: newestByKey(builds),
    history,
    tests: testsOf(tests, environment),
    views: viewsIn(views),
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
  session: WarehouseReader,
  environment: string | undefined,
  limit: number,
): Promise<readonly HistoryRecord[]> {
  const rows = await session.query<HistoryRow>(historyQuery(session.dialect, environment, limit))
  return rows.map(historyRecord)
}

/** Canonical texts by definition hash; unknown hashes are absent. */
export async function readDefinitions(
  session: WarehouseReader,
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

/**
 * The definitions of all that is live in an environment, as one text for many: `readDefinitions` asks for few, but its
 * answer is another one for each question.
 */
export async function readLiveDefinitions(
  session: WarehouseReader,
  environment: string,
): Promise<(hash: string) => string | undefined> {
  const { dialect } = session
  const [hash, definition] = [dialect.identifier('definition_hash'), dialect.identifier('definition')]
  const [texts] = await session.query(
    `${keyedTextsQuery(dialect, hash, definition)} FROM ${stateTable(dialect, 'svc_definitions')}
     WHERE ${hash} IN (SELECT ${hash} FROM ${stateTable(dialect, 'svc_catalog')}
       WHERE environment = ${dialect.literal(environment)})`,
  )
  return keyedTexts(texts ?? {})
}

/** Of all loads in the warehouse; nothing where an older svc made the tables. */
export async function readDrift(session: WarehouseReader): Promise<readonly DriftRecord[]> {
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
export async function readBuilds(session: WarehouseReader): Promise<ReadonlyMap<string, BuildPins>> {
  return newestByKey(await readTable(session, 'svc_builds', pinColumns))
}

/** All runs of all environments, newest first. */
export async function readRuns(session: WarehouseReader): Promise<readonly RunSummary[]> {
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
  session: WarehouseReader,
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

async function readGeneration(session: WarehouseReader, here: string): Promise<number> {
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
  session: WarehouseReader,
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

/** Where a key was built twice, the newest build counts. */
function newestByKey(builds: TableValues): ReadonlyMap<string, StoredBuild> {
  const newest = new Map<string, StoredBuild>()
  const made = builds.column<number>('created_at')
  const rows = new Map<string, number>()
  for (const [row, key] of builds.column<string>('build_key').entries()) {
    const known = rows.get(key)
    if (known !== undefined && (made[known] ?? 0) > (made[row] ?? 0)) continue
    rows.set(key, row)
    newest.set(key, new StoredBuild(builds, row))
  }
  return newest
}

/** A test of the same build may have run in another environment; this one's own result leads, else the newest. */
function testsOf(table: TableValues, environment: string): ReadonlyMap<string, StoredTest> {
  const [environments, times] = [table.column<string>('environment'), table.column<number>('ran_at')]
  const rank = (row: number) =>
    environments[row] === environment ? Number.POSITIVE_INFINITY : (times[row] ?? 0)
  const names = table.column<string>('name')
  const chosen = new Map<string, number>()
  for (const [row, asset] of table.column<string>('asset').entries()) {
    const key = `${asset}\n${names[row]}`
    const known = chosen.get(key)
    if (known === undefined || rank(known) < rank(row)) chosen.set(key, row)
  }
  return new Map([...chosen].map(([key, row]) => [key, new StoredTest(table, row)]))
}
