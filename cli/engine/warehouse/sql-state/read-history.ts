/** Reads the runs of a project. */
import type { Warning } from '@svc/server/contract'
import type { HistoryAsset, HistoryRecord, RunSummary } from '../../state/state.ts'
import { columnsOf } from '../../state/tables.ts'
import { stateTable } from './change-statements.ts'
import { readRows } from './read-rows.ts'
import { columnSql, type Reading } from './reading.ts'

const columns = columnsOf('svc_state_history')
const withoutAssets = columns.filter(column => column !== 'assets')

/**
 * Returns up to `limit` runs of one environment and as many that were refused, newest first, or (if undefined) of each environment, in the order of their
 * times.
 */
export async function readHistory(
  reading: Reading,
  environment: string | undefined,
  limit: number,
): Promise<readonly HistoryRecord[]> {
  const rows = await readRows<StoredRun>(reading, 'svc_state_history', columns, {
    ...historyPart(reading, environment, limit),
    jsonAsText: true,
  })
  return rows.map(historyRecord)
}

/** A run whose JSON columns are texts. */
interface StoredRun extends Omit<RunSummary, 'warnings'> {
  readonly assets: string
  readonly warnings: string | null
}

/** The assets are long, and parsed only on access. */
function historyRecord({ assets: text, warnings, ...run }: StoredRun): HistoryRecord {
  let assets: readonly HistoryAsset[] | undefined
  return {
    ...run,
    warnings: warnings === null ? null : (JSON.parse(warnings) as Warning[]),
    get assets() {
      assets ??= JSON.parse(text) as HistoryAsset[]
      return assets
    },
  }
}

/** Returns all runs, newest first. */
export function readRuns(reading: Reading): Promise<readonly RunSummary[]> {
  return readRows(reading, 'svc_state_history', withoutAssets, { orderBy: latestFirst })
}

export async function readRunAssets(
  reading: Reading,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly HistoryAsset[]>> {
  const rows = await readRows<Pick<HistoryRecord, 'run_id' | 'assets'>>(
    reading,
    'svc_state_history',
    ['run_id', 'assets'],
    { where: amongRuns(reading, runIds) },
  )
  return new Map(rows.map(({ run_id, assets }) => [run_id, assets]))
}

/** Compares lengths in SQL, so that none of the texts has to be read. */
export async function readLongRuns(
  reading: Reading,
  runIds: readonly string[],
  length: number,
): Promise<ReadonlySet<string>> {
  const text = reading.dialect.toText('assets')
  const isLong = `length(${text}) > ${Math.trunc(length)} AND ${text} NOT LIKE '[{"name":""%'`
  const rows = await readRows<RunSummary>(reading, 'svc_state_history', ['run_id'], {
    where: `${amongRuns(reading, runIds)} AND ${isLong}`,
  })
  return new Set(rows.map(({ run_id }) => run_id))
}

function amongRuns({ dialect }: Reading, runIds: readonly string[]): string {
  return `run_id IN (${runIds.map(dialect.literal).join(', ')})`
}

/** As `newestFirst` of `state/run-order.ts`, for the runs of one environment. */
const newestFirst =
  'coalesce(generation, from_generation) DESC, from_generation DESC, started_at DESC, run_id DESC'
/** Generations of several environments say nothing of each other. */
const latestFirst = 'started_at DESC, run_id DESC'

/**
 * Runs with status `running` are always included, because a dead process may have left one long ago. Refused runs are counted
 * for themselves: a scheduler that is refused every minute must hide nothing that a run did.
 */
function historyPart(reading: Reading, environment: string | undefined, limit: number) {
  const { dialect, own } = reading
  const refused = `coalesce(${columnSql(reading, 'svc_state_history', 'refused')}, false)`
  const which = environment === undefined ? own : `${own} AND environment = ${dialect.literal(environment)}`
  // The rank is computed without the assets, which are long.
  const ranked = `SELECT environment, run_id, status,
      row_number() OVER (PARTITION BY environment, ${refused} ORDER BY ${newestFirst}) AS place
    FROM ${stateTable(dialect, 'svc_state_history')} WHERE ${which}`
  return {
    where: `(environment, run_id) IN (
      SELECT environment, run_id FROM (${ranked}) AS ranked
      WHERE place <= ${Math.trunc(limit)} OR status = 'running')`,
    orderBy: environment === undefined ? latestFirst : newestFirst,
  }
}
