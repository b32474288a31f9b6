/** The list of runs: what the history knows and what only a log knows, with the times and the reason of each. */
import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { attemptedRuns } from '../../../cli/dashboard/attempted-runs.ts'
import type { LogSummary } from '../../../cli/engine/log/log-summary.ts'
import { processStart } from '../../../cli/engine/warehouse/lease/process-identity.ts'
import type { HistoryRun } from '../../../server/contract/index.ts'
import { deadPid } from '../../support/dead-pid.ts'

const started = '2026-05-01T10:00:00.000Z'
const lastSign = '2026-05-01T10:00:10.000Z'

function log(runId: string, change: Partial<LogSummary> = {}): LogSummary {
  return {
    runId,
    bytes: 1,
    changedAt: new Date(0),
    kind: 'run',
    environment: 'dev',
    selector: null,
    status: 'deployed',
    promoted: true,
    startedAt: started,
    finishedAt: lastSign,
    lastAt: lastSign,
    pid: deadPid(),
    host: hostname(),
    processStart: undefined,
    seconds: 10,
    failure: null,
    verdict: undefined,
    warned: 0,
    causes: [],
    moreCauses: 0,
    ...change,
  }
}

const unended = { status: 'running', promoted: false, finishedAt: undefined, failure: undefined } as const

function row(run_id: string, change: Partial<HistoryRun> = {}): HistoryRun {
  return {
    run_id,
    kind: 'run',
    status: 'deployed',
    selector: null,
    started_at: started,
    finished_at: lastSign,
    generation: 1,
    error: null,
    unchanged: 0,
    assets: [],
    ...change,
  }
}

it('has a run of which only a log is left, and how it ended', () => {
  const failure = { code: 'unit-test-failed', message: 'unit test "week" fails', asset: 'daily', place: null }
  const runs = attemptedRuns(
    [],
    [
      log('f', { kind: undefined }),
      log('e', { environment: 'prod' }),
      log('d', { ...unended, pid: process.pid }),
      log('c', unended),
      log('b', { status: 'Failed', failure: { ...failure, code: 'interrupted', message: 'interrupted' } }),
      log('a', { status: 'Failed', failure }),
    ],
    'dev',
  )
  expect(runs.map(({ run_id, ending, finished_at }) => [run_id, ending, finished_at])).toEqual([
    ['d', 'running', null],
    ['c', 'killed', lastSign],
    ['b', 'cancelled', lastSign],
    ['a', 'finished', lastSign],
  ])
  expect(runs[3]).toMatchObject({
    status: 'Failed',
    error: failure.message,
    failed_asset: 'daily',
    has_log: true,
  })
  expect(runs[1]?.error).toContain('killed')
})

it('takes a run without an end for killed when another of its environment has begun since, whoever has its process id', () => {
  const elsewhere = { ...unended, host: 'another' }
  const endings = (logs: readonly LogSummary[]) => attemptedRuns([], logs, 'dev').map(({ ending }) => ending)
  expect(endings([log('b', elsewhere), log('a', { ...unended, pid: process.pid })])).toEqual([
    'running',
    'killed',
  ])
  expect(endings([log('b', { environment: 'prod' }), log('a', elsewhere)])).toEqual(['running'])
  // A promotion that was refused tells nothing of the run that it met.
  expect(endings([log('b', { kind: 'promote', pid: undefined }), log('a', elsewhere)])).toEqual([
    'finished',
    'running',
  ])
  const reused = { ...unended, pid: process.pid, processStart: 'of an earlier process' }
  if (processStart(process.pid) !== undefined) expect(endings([log('a', reused)])).toEqual(['killed'])
})

it('gives a run that was killed the time of its last sign of life, not of the command that found it', () => {
  const found = row('a', {
    status: 'Failed',
    finished_at: '2026-05-01T10:05:58.000Z',
    error: 'the run stopped',
  })
  const [run] = attemptedRuns([found], [log('a', unended)], 'dev')
  expect(run).toMatchObject({
    status: 'Failed',
    ending: 'killed',
    finished_at: lastSign,
    error: 'the run stopped',
  })
})

it('keeps what the history says of runs whose log was deleted, newest first', () => {
  const later = row('b', { started_at: '2026-05-01T11:00:00.000Z', status: 'Failed', error: 'no' })
  const runs = attemptedRuns([row('a'), later], [], 'dev')
  expect(runs.map(({ run_id, ending, has_log }) => [run_id, ending, has_log])).toEqual([
    ['b', 'finished', false],
    ['a', 'finished', false],
  ])
})

it('the first failure of a run says what to do and where, by its log or by the history alone', () => {
  const error = 'the source has no column "amount"'
  const hint = 'Write it in the contract.'
  const place = 'models/orders.svc:4:9'
  const failure = { code: 'contract-violated', message: error, hint, asset: 'orders', place }
  const failed = { name: 'orders', status: 'failed', rows: null, seconds: 1, definition_hash: 'a' }
  const skipped = { ...failed, name: 'daily', status: 'skipped', because: '"orders" failed' }
  const assets = [skipped, { ...failed, because: error, hint, place }]
  const expected = { failed_asset: 'orders', hint, place }
  const told = row('r1', { status: 'Failed', error, assets })
  expect(attemptedRuns([told], [], 'dev')[0]).toMatchObject(expected)
  expect(attemptedRuns([], [log('r1', { status: 'Failed', failure })], 'dev')[0]).toMatchObject(expected)
  const old = row('r1', { status: 'Failed', error, assets: [failed] })
  expect(attemptedRuns([old], [], 'dev')[0]).not.toHaveProperty('hint')
  expect(attemptedRuns([old], [log('r1', { status: 'Failed', failure })], 'dev')[0]).toMatchObject(expected)
})
