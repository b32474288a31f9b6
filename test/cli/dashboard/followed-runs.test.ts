/** Runs that are begun in a terminal beside the dashboard: told to its pages, streamed, and never doubled. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AttemptedRuns } from '../../../server/contract/index.ts'
import { svcLauncher } from '../../support/cli.ts'
import { deadPid } from '../../support/dead-pid.ts'
import { shop } from '../shop-project.ts'
import { createDashboard, type Ground, type Stream, type Streamed } from './ground.ts'
import { type SlowSource, slowAsset, slowSource } from './slow-source.ts'

let source: SlowSource
let ground: Ground
let changes: Stream
beforeEach(async () => {
  source = await slowSource()
  ground = await createDashboard({ ...shop, 'models/slow.svc': slowAsset(source) })
  changes = await ground.stream('/api/changes', ground.bearer)
})
afterEach(async () => {
  changes.cut()
  await ground.dispose()
  source.close()
})

function terminal(...words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [svcLauncher, ...words], { cwd: ground.project.root, stdio: 'ignore' })
}

const isRun = ({ type }: Streamed) => type === 'run'

async function begun(): Promise<Readonly<Record<string, unknown>>> {
  await changes.until(isRun)
  return changes.events.findLast(isRun)?.data ?? {}
}

function follow(run: unknown): Promise<Stream> {
  return ground.stream(`/api/stream/run?run=${String(run)}`, ground.bearer)
}

const marksOf = ({ events }: Stream) =>
  events
    .filter(({ data }) => data['asset'] === 'slow' && data['type'] === 'status')
    .map(({ data }) => data['status'])

it('a run in a terminal is told while it runs, with the marks of its assets and its end', async () => {
  const child = terminal('run', 'slow')
  const ended = once(child, 'close')
  const { run, ...facts } = await begun()
  expect(facts).toMatchObject({
    kind: 'run',
    selector: 'slow',
    running: true,
    origin: 'elsewhere',
    pid: child.pid,
  })
  const stream = await follow(run)
  await stream.until(({ data }) => data['status'] === 'running')
  expect(await ground.json('/api/dashboard.json')).toMatchObject({ run: { run, running: true } })
  source.answer()
  await Promise.all([ended, stream.ended])
  expect(marksOf(stream).at(-1)).toBe('done')
  expect(stream.events.at(-1)?.data).toMatchObject({ type: 'end', status: 'deployed', exit_code: 0 })
  expect(await ground.json('/api/dashboard.json')).toMatchObject({ run: { run, running: false } })
})

it('while it runs no other is begun and it is not cancelled from here', async () => {
  const ended = once(terminal('run', 'slow'), 'close')
  const { run } = await begun()
  const refused = await ground.ask('/api/stream/run?asset=orders', { headers: ground.bearer })
  expect(refused.status).toBe(409)
  expect(JSON.parse(refused.text)).toMatchObject({
    run: { run },
    stream: `/api/stream/run?run=${String(run)}`,
  })
  const headers = { ...ground.bearer, origin: `http://${ground.host}`, 'content-type': 'application/json' }
  const cancelled = await ground.ask(`/api/run/cancel?run=${String(run)}`, { method: 'POST', headers })
  expect([cancelled.status, cancelled.text]).toEqual([409, expect.stringContaining('begun elsewhere')])
  source.answer()
  await ended
})

it('a dashboard to look at only follows it too, and starts none', async () => {
  const looking = await createDashboard({ ...shop, 'models/slow.svc': slowAsset(source) }, { readOnly: true })
  const told = await looking.stream('/api/changes', looking.bearer)
  const child = spawn(process.execPath, [svcLauncher, 'run', 'slow'], {
    cwd: looking.project.root,
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  await told.until(isRun)
  const run = String(told.events.find(isRun)?.data['run'])
  const stream = await looking.stream(`/api/stream/run?run=${run}`, looking.bearer)
  source.answer()
  await Promise.all([ended, stream.ended])
  expect(stream.events.at(-1)?.data).toMatchObject({ type: 'end', status: 'deployed' })
  const refused = await looking.ask('/api/stream/run?asset=orders', { headers: looking.bearer })
  expect([refused.status, refused.text]).toEqual([403, '{"error":"this dashboard is read-only"}'])
  told.cut()
  await looking.dispose()
})

it('one that is killed has an end too', async () => {
  const child = terminal('run', 'slow')
  const { run } = await begun()
  await source.asked()
  child.kill('SIGKILL')
  const stream = await follow(run)
  await stream.ended
  expect(stream.events.at(-1)?.data).toMatchObject({
    type: 'end',
    status: 'killed',
    exit_code: null,
    seconds: expect.any(Number),
    verdict: 'Killed',
    reason: 'its process ended without a word: it was killed, or the machine stopped',
  })
  const { runs } = (await ground.json('/api/history.json')) as AttemptedRuns
  const killed = runs.find(({ run_id }) => run_id === run)
  expect(killed).toMatchObject({ status: 'Failed', ending: 'killed', has_log: true })
  const lines = readFileSync(join(ground.project.root, `.svc/logs/${String(run)}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
  // Between its lines the process says that it is alive.
  const last = (JSON.parse(lines.at(-1) ?? '{}') as { at: string }).at
  expect(Date.parse(killed?.finished_at ?? '')).toBeGreaterThanOrEqual(Date.parse(last))
})

it('the lines of one that ended before the dashboard was opened are there when they are asked for', async () => {
  const other = await createDashboard(shop)
  expect((await other.project.svc(['run', 'customers'])).code).toBe(0)
  const { runs } = (await other.json('/api/history.json')) as AttemptedRuns
  expect(runs).toMatchObject([
    { selector: 'customers', status: 'deployed', ending: 'finished', has_log: true },
  ])
  const past = await other.stream(`/api/stream/run?run=${runs[0]?.run_id}`, other.bearer)
  await past.ended
  expect(past.events.at(-1)?.data).toMatchObject({ type: 'end', status: 'deployed', exit_code: 0 })
  expect(past.events.some(({ data }) => String(data['line']).includes('customers'))).toBe(true)
  const unknown = await other.ask('/api/stream/run?run=06fcg00000', { headers: other.bearer })
  expect(unknown.status).toBe(404)
  await other.dispose()
})

it('one that died before the dashboard was opened is not told', async () => {
  const log = [
    {
      type: 'run-started',
      kind: 'run',
      environment: 'dev',
      selector: 'orders',
      pid: deadPid(),
      host: hostname(),
    },
    { type: 'fetch-started', asset: 'orders' },
  ]
  const other = await createDashboard(shop)
  other.project.write('.svc/logs/06fcg.ndjson', `${log.map(line => JSON.stringify(line)).join('\n')}\n`)
  const told = await other.stream('/api/changes', other.bearer)
  const own = await other.stream('/api/stream/run?asset=customers', other.bearer)
  await own.ended
  expect(own.status).toBe(200)
  expect(told.events.filter(isRun).map(({ data }) => data['selector'])).toEqual(['customers'])
  told.cut()
  await other.dispose()
})

it('one of another environment is not told, and a run of the dashboard itself once', async () => {
  source.answer()
  await once(terminal('run', 'orders', '--env', 'prod'), 'close')
  const own = await ground.stream('/api/stream/run?asset=customers', ground.bearer)
  await own.ended
  // The marks of this one come after all that the others could have told.
  await once(terminal('run', 'slow'), 'close')
  await changes.until(({ type, data }) => type === 'run' && data['selector'] === 'slow')
  const told = changes.events.filter(isRun).map(({ data }) => [data['selector'], data['origin']])
  expect(told).toEqual([
    ['customers', 'dashboard'],
    ['slow', 'elsewhere'],
  ])
})

it('is told to who opens the dashboard in the middle of it', async () => {
  const ended = once(terminal('run', 'slow'), 'close')
  const { run } = await begun()
  const late = await ground.stream('/api/changes', ground.bearer)
  await late.until(({ type, data }) => type === 'run' && data['run'] === run)
  late.cut()
  source.answer()
  await ended
})
