/** Reads the state tables: everything that a command needs of one environment in two queries, sent together. */
import type { Dialect } from '../warehouse/dialect.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import { refuseNewer, stateVersionOf } from './initialise-state.ts'
import { type GenerationMap, mapOfAssets } from './reachable-builds.ts'
import type {
  BuildRecord,
  CatalogRecord,
  HistoryAsset,
  HistoryRecord,
  StateSnapshot,
  TestRecord,
} from './state.ts'
import { type StateTable, stateTable, stateTables } from './tables.ts'

export { initialiseState } from './initialise-state.ts'

export interface ReadStateOptions {
  /** Runs of the environment, newest first; default 20. Runs that are `running` always come along. */
  readonly historyLimit?: number
}

/** Of a warehouse without state tables: an empty snapshot. SvcError `warehouse-newer`. */
export async function readState(
  session: WarehouseSession,
  environment: string,
  options: ReadStateOptions = {},
): Promise<StateSnapshot> {
  const history = historyQuery(session.dialect, environment, options.historyLimit ?? 20)
  try {
    const [[state], runs] = await Promise.all([
      session.query<StateRow>(stateQuery(session.dialect, environment)),
      session.query<HistoryRow>(history),
    ])
    if (state === undefined) throw new Error('the state query has no row')
    refuseNewer(Number(state.version))
    return snapshot(environment, state, runs)
  } catch (error) {
    if ((await stateVersionOf(session)) === undefined) return emptyState(environment)
    throw error
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

/** What collection needs of a build: where it is and what it holds on to. */
export type BuildPins = Pick<
  BuildRecord,
  'build_key' | 'asset' | 'part' | 'run_id' | 'relation' | 'children' | 'pins'
>

/** All complete builds of all environments, by build key, without what collection has no use for. */
export async function readBuilds(session: WarehouseSession): Promise<ReadonlyMap<string, BuildPins>> {
  const { dialect } = session
  const columns = 'build_key, asset, part, run_id, relation_schema, relation_name, children, pins'
  const [row] = await session.query<{ builds: string | null }>(
    `SELECT (${dialect.jsonRows(`SELECT ${columns} FROM ${stateTable(dialect, 'svc_builds')} ORDER BY created_at`)}) AS builds`,
  )
  const builds = parseRows<BuildPins>(row?.builds ?? null, withRelation)
  return new Map(builds.map(build => [build.build_key, build]))
}

/** A run without its assets. */
export type RunSummary = Omit<HistoryRecord, 'assets'>

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

interface StateRow {
  readonly [column: string]: unknown
  readonly version: number
  readonly generation: number | null
  /** The others are arrays of rows as JSON text, null where there is none. */
  readonly live: string | null
  readonly builds: string | null
  readonly views: string | null
  readonly tests: string | null
}

/** One row with whole tables as JSON text: half the time of reading them row by row. */
function stateQuery(dialect: Dialect, environment: string): string {
  const here = `environment = ${dialect.literal(environment)}`
  const table = (name: StateTable) => stateTable(dialect, name)
  // A test of the same build may have run in another environment; this one's own result leads.
  const tests = `SELECT *, row_number() OVER (
      PARTITION BY asset, name ORDER BY CASE WHEN ${here} THEN 0 ELSE 1 END, ran_at DESC) AS place
    FROM ${table('svc_test_results')}`
  return `SELECT
    (SELECT max(version) FROM ${table('svc_meta')}) AS version,
    (SELECT generation FROM ${table('svc_live')} WHERE ${here}) AS generation,
    (${rowsAsJson(dialect, 'svc_catalog', `SELECT * FROM ${table('svc_catalog')} WHERE ${here}`)}) AS live,
    (${buildsQuery(dialect)}) AS builds,
    (${rowsAsJson(dialect, 'svc_views', `SELECT * FROM ${table('svc_views')} WHERE ${here}`)}) AS views,
    (${rowsAsJson(dialect, 'svc_test_results', `SELECT * FROM (${tests}) AS ranked WHERE place = 1`)}) AS tests`
}

/** In the order of their making: where a key was built twice, the newest build counts. */
function buildsQuery(dialect: Dialect): string {
  const builds = stateTable(dialect, 'svc_builds')
  return rowsAsJson(dialect, 'svc_builds', `SELECT * FROM ${builds} ORDER BY created_at`)
}

/** Timestamps as seconds since the epoch: the texts of engines differ. */
function rowsAsJson(dialect: Dialect, table: StateTable, query: string): string {
  const columns = Object.entries(stateTables[table].columns).map(([column, type]) => {
    const name = dialect.identifier(column)
    return type === 'timestamp' ? `${dialect.epochSeconds(name)} AS ${name}` : name
  })
  return dialect.jsonRows(`SELECT ${columns.join(', ')} FROM (${query}) AS selected`)
}

interface HistoryRow {
  readonly [column: string]: unknown
  readonly assets: string
}

/** Running ones are always among them: a dead process may have left one long ago. */
function historyQuery(dialect: Dialect, environment: string | undefined, limit: number): string {
  const which = environment === undefined ? '' : `WHERE environment = ${dialect.literal(environment)}`
  return `SELECT ${historyColumns(dialect).join(', ')} FROM (
      SELECT *, row_number() OVER (PARTITION BY environment ORDER BY started_at DESC, run_id DESC) AS place
      FROM ${stateTable(dialect, 'svc_state_history')} ${which}) AS ranked
    WHERE place <= ${Math.trunc(limit)} OR status = 'running'
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

function snapshot(environment: string, state: StateRow, runs: readonly HistoryRow[]): StateSnapshot {
  const live = parseRows<CatalogRecord>(state.live, row => ({
    ...row,
    deployed_at: isoTime(row['deployed_at']),
  }))
  const tests = parseRows<TestRecord>(state.tests, ({ environment: _, ...row }) => ({
    ...row,
    ran_at: isoTime(row['ran_at']),
  }))
  const views = parseRows<{ asset: string; view_schema: string; view_name: string }>(state.views, row => row)
  return {
    environment,
    generation: state.generation ?? 0,
    live: new Map(live.map(record => [record.asset, record])),
    builds: buildsByKey(state.builds),
    history: runs.map(historyRecord),
    tests: new Map(tests.map(record => [`${record.asset}\n${record.name}`, record])),
    views: new Map(views.map(row => [row.asset, { schema: row.view_schema, name: row.view_name }])),
  }
}

function buildsByKey(text: string | null): ReadonlyMap<string, BuildRecord> {
  const builds = parseRows<BuildRecord>(text, buildRecord)
  return new Map(builds.map(record => [record.build_key, record]))
}

type JsonRecord = Readonly<Record<string, unknown>>

function parseRows<T>(text: string | null, record: (row: JsonRecord) => object): T[] {
  if (text === null) return []
  return (JSON.parse(text) as JsonRecord[]).map(row => record(row) as T)
}

function buildRecord(row: JsonRecord): object {
  return { ...withRelation(row), created_at: isoTime(row['created_at']) }
}

function withRelation({ relation_schema, relation_name, ...row }: JsonRecord): object {
  return { ...row, relation: { schema: relation_schema, name: relation_name } }
}

/** `assets` is parsed on first use: most commands look at one run or two. */
function historyRecord({ assets, ...row }: HistoryRow): HistoryRecord {
  let parsed: readonly HistoryAsset[] | undefined
  return {
    ...runSummary(row),
    get assets() {
      parsed ??= JSON.parse(assets) as readonly HistoryAsset[]
      return parsed
    },
  }
}

function runSummary(row: JsonRecord): RunSummary {
  return {
    ...(row as unknown as RunSummary),
    started_at: isoTime(row['started_at']),
    finished_at: row['finished_at'] === null ? null : isoTime(row['finished_at']),
  }
}

function isoTime(epochSeconds: unknown): string {
  return new Date(Math.round(Number(epochSeconds) * 1000)).toISOString()
}
