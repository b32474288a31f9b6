/** Reads the runs of a project. */
import type { HistoryAsset, HistoryRecord, RunSummary } from '../../state/state.ts'
import { columnsOf, typeOf } from '../../state/tables.ts'
import { stateTable } from './change-statements.ts'
import { columnSql, type Reading } from './reading.ts'
import type { StateDialect } from './state-dialect.ts'
import { type HistoryRow, historyRecord, runSummary } from './stored-records.ts'

/**
 * Returns up to `limit` runs of one environment, newest first, or (if undefined) of each environment, in the order of their
 * times.
 */
export async function readHistory(
  reading: Reading,
  environment: string | undefined,
  limit: number,
): Promise<readonly HistoryRecord[]> {
  const rows = await reading.access.query<HistoryRow>(historyQuery(reading, environment, limit))
  return rows.map(historyRecord)
}

/** Returns all runs, newest first. */
export async function readRuns(reading: Reading): Promise<readonly RunSummary[]> {
  const { access, dialect, own } = reading
  const columns = historyColumns(reading).filter(column => column !== assetsColumn(dialect))
  const rows = await access.query(
    `SELECT ${columns.join(', ')} FROM ${stateTable(dialect, 'svc_state_history')} WHERE ${own}
     ORDER BY ${latestFirst}`,
  )
  return rows.map(runSummary)
}

export async function readRunAssets(
  { access, dialect, own }: Reading,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly HistoryAsset[]>> {
  const rows = await access.query<{ run_id: string; assets: string }>(
    `SELECT run_id, ${assetsColumn(dialect)} FROM ${stateTable(dialect, 'svc_state_history')}
     WHERE ${own} AND run_id IN (${runIds.map(dialect.literal).join(', ')})`,
  )
  return new Map(rows.map(({ run_id, assets }) => [run_id, JSON.parse(assets) as HistoryAsset[]]))
}

/** Compares lengths in SQL, so that none of the texts has to be read. */
export async function readLongRuns(
  { access, dialect, own }: Reading,
  runIds: readonly string[],
  length: number,
): Promise<ReadonlySet<string>> {
  const text = dialect.toText('assets')
  const rows = await access.query<{ run_id: string }>(
    `SELECT run_id FROM ${stateTable(dialect, 'svc_state_history')}
     WHERE ${own} AND run_id IN (${runIds.map(dialect.literal).join(', ')})
       AND length(${text}) > ${Math.trunc(length)} AND ${text} NOT LIKE '[{"name":""%'`,
  )
  return new Set(rows.map(({ run_id }) => run_id))
}

/** As `newestFirst` of `state/run-order.ts`, for the runs of one environment. */
const newestFirst =
  'coalesce(generation, from_generation) DESC, from_generation DESC, started_at DESC, run_id DESC'
/** Generations of several environments say nothing of each other. */
const latestFirst = 'started_at DESC, run_id DESC'

/** Runs with status `running` are always included, because a dead process may have left one long ago. */
function historyQuery(reading: Reading, environment: string | undefined, limit: number): string {
  const { dialect, own } = reading
  const table = stateTable(dialect, 'svc_state_history')
  const which = environment === undefined ? own : `${own} AND environment = ${dialect.literal(environment)}`
  // The rank is computed without the assets, which are long.
  const ranked = `SELECT environment, run_id, status,
      row_number() OVER (PARTITION BY environment ORDER BY ${newestFirst}) AS place
    FROM ${table} WHERE ${which}`
  return `SELECT ${historyColumns(reading).join(', ')} FROM ${table}
    WHERE ${own} AND (environment, run_id) IN (
      SELECT environment, run_id FROM (${ranked}) AS ranked
      WHERE place <= ${Math.trunc(limit)} OR status = 'running')
    ORDER BY ${environment === undefined ? latestFirst : newestFirst}`
}

function historyColumns(reading: Reading): string[] {
  const { dialect } = reading
  return columnsOf('svc_state_history').map(column => {
    const type = typeOf('svc_state_history', column)
    const name = dialect.identifier(column)
    if (type === 'timestamp') return `${dialect.epochSeconds(name)} AS ${name}`
    return type === 'json'
      ? assetsColumn(dialect)
      : `${columnSql(reading, 'svc_state_history', column)} AS ${name}`
  })
}

function assetsColumn(dialect: StateDialect): string {
  const name = dialect.identifier('assets')
  return `${dialect.toText(name)} AS ${name}`
}
