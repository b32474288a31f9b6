/**
 * The log files: where they are, in which order they were begun, which are deleted, and how one is read. The order is a record
 * of its own: ids of runs have the time of a clock, which may have been ahead, and machines that share a folder have several.
 */
import { appendFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from '../artifacts/read-file.ts'

export interface LogFile {
  readonly runId: string
  readonly bytes: number
  readonly changedAt: Date
}

/** The newest logs are kept, up to these limits. */
const mostFiles = 50
const mostBytes = 100_000_000

export function logsFolder(root: string): string {
  return join(root, '.svc', 'logs')
}

export function logPath(root: string, runId: string): string {
  return join(logsFolder(root), `${runId}.ndjson`)
}

/** The file that a running command touches each second: what is killed leaves it behind, with the time of its last sign of life. */
export function alivePath(root: string, runId: string): string {
  return join(logsFolder(root), `${runId}.alive`)
}

/** Returns when the files of a run were last touched, in milliseconds; none if they are not here. */
export function signsOfLife(root: string, runId: string): number[] {
  return [logPath(root, runId), alivePath(root, runId)].flatMap(
    path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? [],
  )
}

/** Returns the logs, the one that was begun last first. */
export function listLogs(root: string): LogFile[] {
  const names = namesOf(root).filter(name => /^[0-9a-z]+\.ndjson$/.test(name))
  if (names.length === 0) return []
  const places = new Map(beginnings(root).map((runId, place) => [`${runId}.ndjson`, place]))
  // A log without a beginning is older than the record of them: its id is all that there is.
  const placeOf = (name: string) => places.get(name) ?? -1
  return names
    .sort((a, b) => placeOf(b) - placeOf(a) || (a < b ? 1 : -1))
    .flatMap(name => describe(root, name) ?? [])
}

/** The file with the ids of runs in the order in which their logs were begun; the folder has logs alone. */
function orderPath(root: string): string {
  return join(root, '.svc', 'log_order')
}

function beginnings(root: string): readonly string[] {
  return readText(orderPath(root))?.split('\n') ?? []
}

/** Many times what is kept, so that two runs hardly ever write the record anew at the same moment. */
const mostBeginnings = 2_000

/** Enters a run as the one whose log is begun last. */
export function enterLog(root: string, runId: string): void {
  const path = orderPath(root)
  appendFileSync(path, `${runId}\n`, { mode: 0o600 })
  const all = beginnings(root)
  if (all.length <= mostBeginnings) return
  const draft = `${path}.${process.pid}.new`
  writeFileSync(draft, all.slice(-mostBeginnings / 2).join('\n'), { mode: 0o600 })
  renameSync(draft, path)
}

/** Returns undefined if there is no log of that run. */
export function readLog(root: string, runId: string): string | undefined {
  return /^[0-9a-z]+$/.test(runId) ? readText(logPath(root, runId)) : undefined
}

/** Deletes old logs to make room for one more. */
export function pruneLogs(root: string): void {
  let bytes = 0
  for (const [index, file] of listLogs(root).entries()) {
    bytes += file.bytes
    if (index < mostFiles - 1 && bytes <= mostBytes) continue
    for (const path of [logPath(root, file.runId), alivePath(root, file.runId)]) rmSync(path, { force: true })
  }
}

function namesOf(root: string): readonly string[] {
  try {
    return readdirSync(logsFolder(root))
  } catch {
    return []
  }
}

function describe(root: string, name: string): LogFile | undefined {
  try {
    const { size, mtime } = statSync(join(logsFolder(root), name))
    return { runId: name.replace(/\.ndjson$/, ''), bytes: size, changedAt: mtime }
  } catch {
    // It was deleted meanwhile, or belongs to somebody else.
    return undefined
  }
}
