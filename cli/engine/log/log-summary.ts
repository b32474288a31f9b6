/**
 * Summarizes the log of a run from its first and last lines, so that listing fifty logs reads only a part of
 * each. A fact is undefined if the log does not contain it (the truncated line of a killed process, or an
 * older format).
 */

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import type {
  Cause,
  EventOf,
  RunEnding,
  RunEvent,
  RunKind,
  RunStatus,
  RunVerdict,
} from '@svc/server/contract'
import { verdictOf } from '@svc/server/verdicts'
import { stateNameOf } from '@svc/server/workspace'
import { jsonLines } from '../artifacts/read-file.ts'
import { isSameProcess } from '../warehouse/lease/process-identity.ts'
import { alivePath, type LogFile, listLogs, logPath } from './log-files.ts'

/** A line of a log: an event with its time. */
type Line = RunEvent & { readonly at: string }
type End = EventOf<'run-finished'>

export interface LogSummary extends LogFile {
  readonly kind: RunKind | undefined
  readonly environment: string | undefined
  /** The name of the environment in `.svc/`: of `dev` that of a branch; absent: the name itself. */
  readonly stateName?: string | undefined
  /** Null means all assets. */
  readonly selector: string | null | undefined
  /** `running` if there is no final event (yet). */
  readonly status: RunStatus
  readonly promoted: boolean
  readonly startedAt: string | undefined
  readonly finishedAt: string | undefined
  /** The last sign of life: the time of the last line, or later, when its process last said that it is alive. */
  readonly lastAt: string | undefined
  readonly pid: number | undefined
  readonly host: string | undefined
  /** When the system says that the process started, in its own words: a later process may have got its id. */
  readonly processStart: string | undefined
  readonly seconds: number | undefined
  readonly failure: End['failure'] | undefined
  /** As its last event says it; undefined of a log of an older svc, or without an end. */
  readonly verdict: RunVerdict | undefined
  /** How many warnings it had. */
  readonly warned: number
  readonly causes: readonly Cause[]
  readonly moreCauses: number
}

/** Returns the summaries of all logs, the newest first. */
export function summarizeLogs(root: string): LogSummary[] {
  return listLogs(root).map(log => summarizeLog(root, log))
}

/**
 * Returns the runs among the logs of a project, newest first, whose process ended without a word: it is gone, or another run
 * of the environment has begun since, which no run does beside another.
 */
export function killedAmong(logs: readonly LogSummary[]): ReadonlySet<string> {
  const killed = new Set<string>()
  const begunSince = new Set<string | undefined>()
  for (const log of logs) {
    const where = log.stateName ?? log.environment
    // The system is asked about the few runs without an end alone.
    const isOpen = log.status === 'running' && (begunSince.has(where) || isGone(log))
    if (isOpen || log.verdict === 'Killed') killed.add(log.runId)
    if (log.pid !== undefined && (log.kind === 'run' || log.kind === 'preview')) begunSince.add(where)
  }
  return killed
}

export function endingOf({ runId, status, failure }: LogSummary, killed: ReadonlySet<string>): RunEnding {
  if (killed.has(runId)) return 'killed'
  if (status === 'running') return 'running'
  return failure?.code === 'interrupted' ? 'cancelled' : 'finished'
}

/** Nothing is known of processes on other machines. */
export function isGone({
  pid,
  host,
  processStart,
}: Pick<LogSummary, 'pid' | 'host' | 'processStart'>): boolean {
  return pid !== undefined && host === hostname() && !isSameProcess(pid, processStart)
}

/** Statements before the first event may fill the beginning. */
const headBytes = 128 * 1024
const tailBytes = 32 * 1024

export function summarizeLog(root: string, log: LogFile): LogSummary {
  const head = linesOf(piece(logPath(root, log.runId), 0, headBytes))
  const tailFrom = Math.max(0, log.bytes - tailBytes)
  const tail = linesOf(piece(logPath(root, log.runId), tailFrom, tailBytes))
  const start = head.find(line => line.type === 'run-started')
  const end = tail.findLast((line): line is Line & End => line.type === 'run-finished')
  const about = end ?? start
  return {
    ...log,
    kind: about?.kind,
    environment: about?.environment,
    stateName: start && stateNameOf({ name: start.environment, branch: start.branch }),
    selector: about?.selector,
    status: end?.status ?? 'running',
    promoted: end?.promoted === true,
    startedAt: start?.at ?? (end === undefined ? head[0]?.at : beganBefore(end)),
    finishedAt: end?.at,
    lastAt: end === undefined ? lastSign(root, log.runId, tail.at(-1)?.at) : end.at,
    pid: start?.pid,
    host: start?.host,
    processStart: start?.process_start,
    seconds: end?.seconds,
    failure: end?.failure,
    verdict: end?.verdict,
    warned: end?.warnings ?? 0,
    causes: end?.causes ?? causeIn(end),
    moreCauses: end?.more_causes ?? 0,
  }
}

/** A promotion and a rollback have no first event: they began before their first line. */
function beganBefore({ at, seconds }: End): string {
  return new Date(Date.parse(at) - seconds * 1000).toISOString()
}

/** Returns the later of the last line and the last touch of a run without an end. */
function lastSign(root: string, runId: string, lineAt: string | undefined): string | undefined {
  const touched = statSync(alivePath(root, runId), { throwIfNoEntry: false })?.mtime.toISOString()
  return touched === undefined || (lineAt !== undefined && lineAt > touched) ? lineAt : touched
}

/** The failure that the log of a killed run is given, and its words. */
export const killedCode = 'killed'
export const killedWords = 'its process ended without a word: it was killed, or the machine stopped'

/** An older svc told the first failure alone. */
function causeIn(end: End | undefined): Cause[] {
  const { failure } = end ?? {}
  return failure == null ? [] : [{ asset: failure.asset, message: failure.message, place: failure.place }]
}

/** `ending`: what is known of its process. */
export function logVerdict(log: Omit<LogSummary, keyof LogFile>, ending: RunEnding): RunVerdict {
  const { kind = 'run', status, failure, verdict, warned: warnings } = log
  if (verdict !== undefined) return verdict
  const isPart = status === 'deployed' && failure != null
  return verdictOf({ kind, status, ending, isPart, warnings, isIdle: false })
}

function piece(path: string, from: number, bytes: number): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const buffer = Buffer.alloc(bytes)
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, bytes, from))
  } catch {
    // The log was deleted after it was listed.
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The first and the last line of a piece may be incomplete. */
function linesOf(piece: string): Line[] {
  return jsonLines<Line>(piece).filter(line => typeof line === 'object')
}
