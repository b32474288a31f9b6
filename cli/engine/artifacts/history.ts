/**
 * Makes `.svc/<environment>/history.json`: the runs of an environment, for the dashboard (durations, row
 * counts over time). Pure. The state tables are the source of truth and forget the maps of old runs; this
 * file keeps what the dashboard shows, so it is made from its previous content and the newest records.
 */
import type { HistoryFile, HistoryRun, RunVerdict, Warning } from '@svc/server/contract'
import { recordVerdict } from '../run/run-verdict.ts'
import { versionsByRun } from '../state/asset-versions.ts'
import type { HistoryAsset, HistoryRecord } from '../state/state.ts'

export const longestHistory = 200
/**
 * The limit for all runs except the newest: with 10,000 assets the file would be hundreds of megabytes, read
 * and written by every run.
 */
const mostAssets = 6_000

/**
 * A run that had ended in `before` is kept as it was, because its record in the tables may have been
 * shortened since. `records`: newest first, as the tables give them. `verdictOf`: what is known here of the end of a run.
 */
export function makeHistory(
  before: HistoryFile | undefined,
  records: readonly HistoryRecord[],
  environment: string,
  clean: (text: string) => string,
  verdictOf: (record: HistoryRecord) => RunVerdict = record => recordVerdict(record),
): HistoryFile {
  // A run that was running then and is in no table now has been forgotten with its builds.
  const ended = before?.environment === environment ? before.runs.filter(isEnded) : []
  const runs = new Map(ended.map(run => [run.run_id, run]))
  const once = withoutEarlierRows(records)
  const news = once.filter(record => !runs.has(record.run_id))
  const versions = news.length === 0 ? undefined : versionsByRun(once)
  for (const record of news) {
    const deployed = versions?.get(record.run_id)?.deployed ?? new Set()
    const run = historyRun(record, deployed, clean)
    runs.set(record.run_id, { ...run, verdict: verdictOf(record) })
  }
  const newest = inOrder(runs, once, before?.environment === environment ? before.runs : []).slice(
    0,
    longestHistory,
  )
  return { version: 1, environment, runs: withinBudget(newest) }
}

/**
 * Runs stand as in the tables, which know their order whatever the clocks said; those that the tables did not give stay where they
 * were among the others. Attempts to publish have no place among generations: the clock decides.
 */
function inOrder(
  runs: ReadonlyMap<string, HistoryRun>,
  records: readonly HistoryRecord[],
  before: readonly HistoryRun[],
): HistoryRun[] {
  const isSent = ({ kind }: HistoryRun) => kind === 'publish'
  const ids = records.map(({ run_id }) => run_id)
  const waiting: string[] = []
  for (const { run_id } of before) {
    const place = ids.indexOf(run_id)
    if (place < 0) waiting.push(run_id)
    else ids.splice(place, 0, ...waiting.splice(0))
  }
  const ordered = [...ids, ...waiting].flatMap(id => runs.get(id) ?? []).filter(run => !isSent(run))
  for (const sent of [...runs.values()].filter(isSent).sort(byStart)) {
    const place = ordered.findIndex(run => byStart(sent, run) < 0)
    ordered.splice(place < 0 ? ordered.length : place, 0, sent)
  }
  return ordered
}

/** The row of a run that has just ended may stand before the one that it had while it worked. */
function withoutEarlierRows(records: readonly HistoryRecord[]): HistoryRecord[] {
  const seen = new Set<string>()
  return records.filter(({ run_id }) => !seen.has(run_id) && seen.add(run_id))
}

function isEnded({ status }: HistoryRun): boolean {
  return status !== 'running'
}

/** `deployed`: the assets that show another build since the run. */
function historyRun(
  record: HistoryRecord,
  deployed: ReadonlySet<string>,
  clean: (text: string) => string,
): HistoryRun {
  const { run_id, kind, status, selector, started_at, finished_at, generation, error } = record
  return {
    run_id,
    kind,
    status,
    selector: selector === null ? null : clean(selector),
    started_at,
    finished_at,
    generation,
    error: error === null ? null : clean(error),
    ...(record.warnings?.length ? { warnings: record.warnings.map(each => cleanWarning(each, clean)) } : {}),
    unchanged: record.assets.filter(asset => asset.status === 'unchanged').length,
    assets: record.assets
      .filter(asset => deployed.has(asset.name) || isNews(asset))
      .map(asset => ({ ...historyRunAsset(asset, clean), deployed: deployed.has(asset.name) })),
  }
}

function cleanWarning(warning: Warning, clean: (text: string) => string): Warning {
  const { message, example } = warning
  return {
    ...warning,
    message: clean(message),
    ...(example === undefined ? {} : { example: clean(example) }),
  }
}

function isNews({ status, repaired }: HistoryAsset): boolean {
  return repaired !== undefined || (status !== 'kept' && status !== 'unchanged')
}

function historyRunAsset(
  { name, status, rows, definition_hash, repaired, because, hint, place, ...asset }: HistoryAsset,
  clean: (text: string) => string,
): HistoryRun['assets'][number] {
  return {
    ...{ name, status, rows, seconds: secondsOf({ status, ...asset }), definition_hash },
    ...(repaired === undefined ? {} : { repaired }),
    ...(because === undefined ? {} : { because: clean(because) }),
    ...(hint === undefined ? {} : { hint: clean(hint) }),
    ...(place === undefined ? {} : { place: clean(place) }),
  }
}

/** Returns how long the work of a run for an asset took; null if it did none. */
export function secondsOf({ status, seconds }: Pick<HistoryAsset, 'status' | 'seconds'>): number | null {
  const isNothing =
    status === 'unchanged' ||
    status === 'taken_over' ||
    status === 'skipped' ||
    status === 'kept' ||
    seconds === 0
  return isNothing ? null : seconds
}

type Started = Pick<HistoryRun, 'started_at' | 'run_id'>

/** The newest first; ids of runs sort by time too. */
export function byStart(a: Started, b: Started): number {
  if (a.started_at !== b.started_at) return a.started_at < b.started_at ? 1 : -1
  return a.run_id < b.run_id ? 1 : -1
}

/** The newest run is always kept completely, and does not count towards the limit. */
function withinBudget(runs: readonly HistoryRun[]): HistoryRun[] {
  let listed = 0
  return runs.map((run, place) => {
    if (place === 0) return run
    if (listed + run.assets.length > mostAssets) return { ...run, assets: [] }
    listed += run.assets.length
    return run
  })
}

/** Writes one run per line, which is shorter than indented JSON and still readable. */
export function historyText({ version, environment, runs }: HistoryFile): string {
  const lines = runs.map(run => JSON.stringify(run)).join(',\n')
  return `{"version":${version},"environment":${JSON.stringify(environment)},"runs":[\n${lines}\n]}\n`
}

/** Returns undefined if the text is not such a file, which is then written again. */
export function parseHistory(text: string): HistoryFile | undefined {
  try {
    const value = JSON.parse(text) as HistoryFile
    return value.version === 1 && Array.isArray(value.runs) ? value : undefined
  } catch {
    return undefined
  }
}
