/** Writes `history.json` and `test_history.json` of an environment, which only the dashboard reads. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HistoryFile, RunVerdict, TestResult } from '@svc/server/contract'
import { listLogs } from '../log/log-files.ts'
import { endingOf, summarizeLog } from '../log/log-summary.ts'
import { recordVerdict } from '../run/run-verdict.ts'
import type { HistoryRecord, StateSnapshot } from '../state/state.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { historyText, longestHistory, makeHistory, parseHistory } from './history.ts'
import { makeTestHistory, parseTestHistory, testHistoryText, testKeys } from './test-history.ts'
import { writeWhole } from './write-file.ts'

export const historyFile = 'history.json'
export const testHistoryFile = 'test_history.json'

export interface HistoryNews {
  readonly state: StateSnapshot | undefined
  /** The tests of this run, including those with reused results. */
  readonly tests: readonly TestResult[]
  /** ISO 8601 UTC. */
  readonly at: string
  /** Whether the files of assets may have other tests than at the last run. */
  readonly hasChangedFiles: boolean
  readonly clean: (text: string) => string
  /** The verdict of the run that has just ended, which its record may not tell. */
  readonly ended?: { readonly runId: string; readonly verdict: RunVerdict } | undefined
}

/** Throws SvcError `file-failed`. */
export async function writeHistory(workspace: OpenedWorkspace, news: HistoryNews): Promise<void> {
  const folder = await workspace.stateFolder()
  const { pid } = workspace.world
  const { stateName } = workspace.environment
  const path = join(folder, historyFile)
  const before = parseHistory(textOf(path))
  const isKnown = before?.environment === stateName
  const newest = news.state?.history ?? []
  const isOfOthers = isKnown && !isContinued(before, newest)
  const records = await recordsOf(workspace, newest, isKnown && !isOfOthers)
  const kept = isOfOthers ? withoutForgotten(before, records) : before
  const verdict = verdictsIn(workspace.root, news)
  writeWhole(path, historyText(makeHistory(kept, records, stateName, news.clean, verdict)), pid)
  writeTestHistory(workspace, join(folder, testHistoryFile), news)
}

function writeTestHistory(workspace: OpenedWorkspace, path: string, news: HistoryNews): void {
  const { at, clean, tests: results, hasChangedFiles } = news
  if (!hasChangedFiles && !results.some(({ ran, kind }) => ran || kind === 'unit')) return
  const known = testKeys(workspace.project)
  const before = parseTestHistory(textOf(path))
  const made = makeTestHistory(before, { results, at, known, clean })
  if (made !== undefined) writeWhole(path, testHistoryText(made), workspace.world.pid)
}

/** The log of a run knows how it ended better than its record; it is read where the run failed alone. */
function verdictsIn(root: string, { ended }: HistoryNews): (record: HistoryRecord) => RunVerdict {
  const logs = new Map(listLogs(root).map(log => [log.runId, log]))
  return record => {
    if (record.run_id === ended?.runId) return ended.verdict
    const log = record.status === 'Failed' ? logs.get(record.run_id) : undefined
    if (log === undefined) return recordVerdict(record)
    const summary = summarizeLog(root, log)
    // A row that has ended and a log that has not are of a process that is gone.
    return recordVerdict(record, endingOf(summary, new Set([log.runId])))
  }
}

/** Returns whether the tables still have the newest run of the file: a backup that took the place of the warehouse may not. */
function isContinued({ runs }: HistoryFile, newest: readonly HistoryRecord[]): boolean {
  const last = runs.find(({ kind, status }) => kind !== 'publish' && status !== 'running')
  return last === undefined || newest.some(({ run_id }) => run_id === last.run_id)
}

/** Returns the file without runs that the tables do not have; attempts to publish are in another table. */
function withoutForgotten(file: HistoryFile, records: readonly HistoryRecord[]): HistoryFile {
  const known = new Set(records.map(({ run_id }) => run_id))
  const first = records.length < longestHistory ? '' : records.reduce(earlier, records[0]?.started_at ?? '')
  return {
    ...file,
    runs: file.runs.filter(
      ({ run_id, kind, started_at }) => kind === 'publish' || known.has(run_id) || started_at < first,
    ),
  }
}

function earlier(time: string, { started_at }: HistoryRecord): string {
  return started_at < time ? started_at : time
}

/**
 * Returns the newest records of a snapshot. If the file has none of this environment (deleted, or another git
 * branch), more are read once from the tables.
 */
async function recordsOf(
  workspace: OpenedWorkspace,
  newest: readonly HistoryRecord[],
  isKnown: boolean,
): Promise<readonly HistoryRecord[]> {
  if (isKnown || newest.length < usualHistory) return newest
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', { signal: workspace.signal })
  if (session === undefined) return newest
  try {
    return await session.state.history(workspace.environment.stateName, longestHistory)
  } finally {
    await session.close()
  }
}

/** A snapshot has at least so many records, if there are as many. */
const usualHistory = 10

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
