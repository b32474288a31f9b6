/**
 * Every run that was asked for: those of the history, and those of which only a log is left, because they were
 * killed or refused. A log knows the real end of a run that was killed: the time of its last line.
 */
import type { AttemptedRun, HistoryRun } from '@svc/server/contract'
import { byStart } from '../engine/artifacts/history.ts'
import { listLogs } from '../engine/log/log-files.ts'
import { killedAmong, type LogSummary, summarizeLog } from '../engine/log/log-summary.ts'
import { hasFailed } from '../engine/state/asset-versions.ts'

/** `logs`: all of the project, the newest first. `stateName`: the environment, of `dev` that of a branch. Newest first. */
export function attemptedRuns(
  history: readonly HistoryRun[],
  logs: readonly LogSummary[],
  stateName: string,
): AttemptedRun[] {
  const byId = new Map(logs.map(log => [log.runId, log]))
  const killed = killedAmong(logs)
  const known = history.map(run => fromHistory(run, byId.get(run.run_id), killed))
  const ids = new Set(history.map(({ run_id }) => run_id))
  const isHere = (log: LogSummary) => (log.stateName ?? log.environment) === stateName
  const others = logs.filter(log => isHere(log) && !ids.has(log.runId))
  return [...known, ...others.flatMap(log => fromLog(log, killed))].sort(byStart)
}

function fromHistory(
  recorded: HistoryRun,
  log: LogSummary | undefined,
  killed: ReadonlySet<string>,
): AttemptedRun {
  const hasLog = log !== undefined
  const first = firstFailure(recorded)
  const failed_asset = log?.failure?.asset ?? first?.name ?? null
  const run = { ...recorded, ...whatToDo(first), ...whatToDo(log?.failure) }
  if (log === undefined || log.status !== 'running') {
    const ending = endingOf(run.status, log?.failure?.code)
    const { startedAt = run.started_at, finishedAt = run.finished_at } = log ?? {}
    return { ...run, started_at: startedAt, finished_at: finishedAt, ending, has_log: hasLog, failed_asset }
  }
  if (!killed.has(log.runId)) return { ...run, ending: 'running', has_log: true, failed_asset }
  return { ...run, ...wasKilled(log, run.error), has_log: true, failed_asset }
}

/** Returns the asset of the first failure of a run whose log is gone. */
function firstFailure({ assets, error }: HistoryRun): HistoryRun['assets'][number] | undefined {
  const failed = assets.filter(hasFailed)
  return failed.find(({ because }) => because !== undefined && because === error)
}

function whatToDo(
  failure:
    | { readonly hint?: string | undefined; readonly place?: string | null | undefined }
    | null
    | undefined,
): Pick<AttemptedRun, 'hint' | 'place'> {
  const { hint, place } = failure ?? {}
  return {
    ...(hint === undefined ? {} : { hint }),
    ...(place === undefined || place === null ? {} : { place }),
  }
}

/** A log without its first event does not say what it is about. */
function fromLog(log: LogSummary, killed: ReadonlySet<string>): AttemptedRun[] {
  const { runId: run_id, kind, startedAt: started_at, selector = null, failure } = log
  if (kind === undefined || started_at === undefined) return []
  const isRunning = log.status === 'running'
  const run = { run_id, kind, selector, started_at, generation: null, unchanged: 0, assets: [] }
  const about = { ...run, has_log: true, failed_asset: failure?.asset ?? null, ...whatToDo(failure) }
  if (killed.has(log.runId)) return [{ ...about, ...wasKilled(log, null) }]
  const ending = isRunning ? 'running' : endingOf(log.status, failure?.code)
  const finished_at = isRunning ? null : (log.finishedAt ?? null)
  return [{ ...about, status: log.status, finished_at, error: failure?.message ?? null, ending }]
}

/** The process wrote no end, so its last line is the last sign of life. */
function wasKilled(log: LogSummary, error: string | null) {
  const finished_at = log.lastAt ?? null
  return { status: 'Failed', ending: 'killed', finished_at, error: error ?? withoutAWord } as const
}

const withoutAWord = 'The process ended without a word: it was killed, or the machine stopped.'

function endingOf(status: HistoryRun['status'], code: string | undefined): AttemptedRun['ending'] {
  if (status === 'running') return 'running'
  return code === 'interrupted' ? 'cancelled' : 'finished'
}

/** Summaries of the logs of a project; a log that has not grown is not read again. */
export function logSummaries(root: string): () => readonly LogSummary[] {
  let known = new Map<string, LogSummary>()
  return () => {
    const now = listLogs(root).map(log => {
      const before = known.get(log.runId)
      return before?.bytes === log.bytes ? before : summarizeLog(root, log)
    })
    known = new Map(now.map(summary => [summary.runId, summary]))
    return now
  }
}
