/**
 * The log files: where they are, which are deleted, and how one is read. Run ids sort by time, and so do the
 * files.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
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

/** Returns the logs, newest first. */
export function listLogs(root: string): LogFile[] {
  return namesOf(root)
    .filter(name => /^[0-9a-z]+\.ndjson$/.test(name))
    .sort()
    .reverse()
    .flatMap(name => describe(root, name) ?? [])
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
    if (index >= mostFiles - 1 || bytes > mostBytes) rmSync(logPath(root, file.runId), { force: true })
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
