/** Gives the log of a run that was killed the end that the run could not write. */
import { appendFileSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import type { EventOf } from '@svc/server/contract'
import { alivePath, listLogs, logPath } from './log-files.ts'
import { killedCode, killedWords, summarizeLog } from './log-summary.ts'

type Recovered = EventOf<'recovered'>

/** The log may be on another machine, or may have been deleted; what cannot be written changes nothing. */
export function endDeadLog(root: string, { stopped_run_id: runId, production }: Recovered): void {
  const file = listLogs(root).find(log => log.runId === runId)
  if (file === undefined) return
  const { status, kind, environment, selector = null, startedAt, lastAt } = summarizeLog(root, file)
  if (status !== 'running' || kind === undefined || environment === undefined || lastAt === undefined) return
  const promoted = production === 'promoted'
  const failure = { code: killedCode, message: killedWords, asset: null, place: null }
  const end: EventOf<'run-finished'> = {
    type: 'run-finished',
    ...{ run_id: runId, kind, environment, selector, promoted },
    status: promoted ? 'deployed' : 'Failed',
    verdict: 'Killed',
    causes: [{ asset: null, message: killedWords, place: null }],
    failure,
    seconds: Math.max(0, (Date.parse(lastAt) - Date.parse(startedAt ?? lastAt)) / 1000),
    at: lastAt,
  }
  try {
    append(logPath(root, runId), JSON.stringify(end), new Date(lastAt))
    rmSync(alivePath(root, runId), { force: true })
  } catch {
    // Whoever lists the logs finds by its process that it was killed.
  }
}

/** The last line may be half written. The file keeps the time of its last sign of life. */
function append(path: string, line: string, at: Date): void {
  const isWhole = readFileSync(path).at(-1) === 10
  appendFileSync(path, `${isWhole ? '' : '\n'}${line}\n`)
  utimesSync(path, at, at)
}
