/**
 * Summarizes the log of a run from its first and last lines, so that listing fifty logs reads only a part of
 * each. A fact is undefined if the log does not contain it (the truncated line of a killed process, or an
 * older format).
 */

import { closeSync, openSync, readSync } from 'node:fs'
import { hostname } from 'node:os'
import type { EventOf, RunEnding, RunEvent, RunKind, RunStatus } from '@svc/server/contract'
import { stateNameOf } from '@svc/server/workspace'
import { jsonLines } from '../artifacts/read-file.ts'
import { isSameProcess } from '../warehouse/lease/process-identity.ts'
import { type LogFile, listLogs, logPath } from './log-files.ts'

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
  /** The time of the last line: the last sign of life of a process that was killed. */
  readonly lastAt: string | undefined
  readonly pid: number | undefined
  readonly host: string | undefined
  /** When the system says that the process started, in its own words: a later process may have got its id. */
  readonly processStart: string | undefined
  readonly seconds: number | undefined
  readonly failure: End['failure'] | undefined
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
    if (log.status === 'running' && (begunSince.has(where) || isGone(log))) killed.add(log.runId)
    if (log.pid !== undefined && (log.kind === 'run' || log.kind === 'preview')) begunSince.add(where)
  }
  return killed
}

export function endingOf({ runId, status, failure }: LogSummary, killed: ReadonlySet<string>): RunEnding {
  if (status === 'running') return killed.has(runId) ? 'killed' : 'running'
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
    startedAt: (start ?? head[0])?.at,
    finishedAt: end?.at,
    lastAt: tail.at(-1)?.at,
    pid: start?.pid,
    host: start?.host,
    processStart: start?.process_start,
    seconds: end?.seconds,
    failure: end?.failure,
  }
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
