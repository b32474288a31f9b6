/**
 * Every run that was asked for: those of the history, and those of which only a log is left, because they were
 * killed or refused. A log knows the real end of a run that was killed: the time of its last line.
 */
import type { AttemptedRun, HistoryRun } from '@svc/server/contract'
import { verdictOf } from '@svc/server/verdicts'
import { byStart } from '../engine/artifacts/history.ts'
import { listLogs } from '../engine/log/log-files.ts'
import {
  endingOf,
  killedAmong,
  killedWords,
  type LogSummary,
  logVerdict,
  summarizeLog,
} from '../engine/log/log-summary.ts'
import { causesOf } from '../engine/run/run-verdict.ts'
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
  const first = firstFailure(recorded)
  const warned = Math.max(recorded.warnings?.length ?? 0, log?.warned ?? 0)
  const about = {
    ...recorded,
    ...whatToDo(first),
    ...whatToDo(log?.failure),
    has_log: log !== undefined,
    failed_asset: log?.failure?.asset ?? first?.name ?? null,
    warned,
  }
  if (log === undefined) {
    const ending = recorded.status === 'running' ? 'running' : 'finished'
    return { ...about, ending, verdict: recordedVerdict(recorded), ...causesIn(recorded, log) }
  }
  const ending = endingOf(log, killed)
  if (ending === 'running') return { ...about, ending, verdict: 'Running', ...causesIn(recorded, log) }
  if (ending === 'killed') {
    // What it had promoted is live, whatever became of its process.
    const ended = wasKilled(log, recorded.error)
    const run = {
      ...about,
      ...ended,
      status: recorded.status === 'deployed' ? recorded.status : ended.status,
    }
    return { ...run, ...causesIn({ ...recorded, error: ended.error }, log) }
  }
  const { startedAt: started_at = recorded.started_at, finishedAt: finished_at = recorded.finished_at } = log
  const verdict = log.verdict ?? recorded.verdict ?? logVerdict(log, ending)
  return { ...about, started_at, finished_at, ending, verdict, ...causesIn(recorded, log) }
}

/** A file of an older svc has no verdicts. */
function recordedVerdict({ verdict, kind, status, error, warnings = [] }: HistoryRun) {
  const isPart = status === 'deployed' && error !== null
  return verdict ?? verdictOf({ kind, status, isPart, warnings: warnings.length, isIdle: false })
}

/** Returns all that failed: the history has every asset, the log the first of them. */
function causesIn(
  { assets, error, status }: Pick<HistoryRun, 'assets' | 'error' | 'status'>,
  log: LogSummary | undefined,
): Pick<AttemptedRun, 'causes' | 'more_causes'> {
  const whole =
    error === null || status === 'running' ? undefined : { asset: null, message: error, place: null }
  const own = causesOf(assets, undefined)
  const known = log === undefined ? undefined : { causes: log.causes, more: log.moreCauses }
  const { causes, more } =
    [own, known].find(each => each !== undefined && each.causes.length > 0) ?? causesOf([], whole)
  return { causes: [...causes], more_causes: more }
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
  const ending = endingOf(log, killed)
  const run = { run_id, kind, selector, started_at, generation: null, unchanged: 0, assets: [] }
  const told = { causes: [...log.causes], more_causes: log.moreCauses, warned: log.warned }
  const about = { ...run, ...told, has_log: true, failed_asset: failure?.asset ?? null, ...whatToDo(failure) }
  if (ending === 'killed') return [{ ...about, ...wasKilled(log, null) }]
  const finished_at = ending === 'running' ? null : (log.finishedAt ?? null)
  const end = { ending, verdict: logVerdict(log, ending), finished_at, error: failure?.message ?? null }
  return [{ ...about, status: log.status, ...end }]
}

/** The process wrote no end, so its last sign of life is that. */
function wasKilled(log: LogSummary, error: string | null) {
  const finished_at = log.lastAt ?? null
  const end = { ending: 'killed', verdict: 'Killed', finished_at, error: error ?? killedWords } as const
  return { status: 'Failed', ...end } as const
}

/** Summaries of the logs of a project; a log that has not grown is not read again. */
export function logSummaries(root: string): () => readonly LogSummary[] {
  let known = new Map<string, LogSummary>()
  return () => {
    const now = listLogs(root).map(log => {
      const before = known.get(log.runId)
      // A run without an end may be alive without a line.
      return before?.bytes === log.bytes && before.status !== 'running' ? before : summarizeLog(root, log)
    })
    known = new Map(now.map(summary => [summary.runId, summary]))
    return now
  }
}
