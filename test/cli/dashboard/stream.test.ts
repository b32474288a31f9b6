/** Runs that a dashboard starts: streamed, cut and resumed, cancelled, one at a time, and never twice. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { shop } from '../shop-project.ts'
import { createDashboard, type Ground, type Streamed } from './ground.ts'
import { type SlowSource, slowAsset, slowSource } from './slow-source.ts'

let source: SlowSource
let ground: Ground
beforeEach(async () => {
  source = await slowSource()
  ground = await createDashboard({ ...shop, 'models/slow.svc': slowAsset(source) })
})
afterEach(async () => {
  await ground.dispose()
  source.close()
})

const ids = (events: readonly Streamed[]) => events.map(({ id }) => id)
const numbers = (events: readonly Streamed[]) => ids(events).map(id => Number(id.split(':')[1]))
const isEnd = ({ type }: Streamed) => type === 'end'
const isRunning = ({ type, data }: Streamed) => type === 'status' && data['status'] === 'running'
const id = '0b0e7c1c-1111-4222-8333-944455556666'
const path = `/api/stream/run?asset=slow&run=${id}`
const run = async () =>
  ((await ground.json('/api/dashboard.json')) as { run: { running: boolean } | null }).run

describe('a run', () => {
  it('tells its lines, the marks of its assets and its end, in order', async () => {
    source.answer()
    // In a query `+` is a space; a run reads its parents too.
    const stream = await ground.stream('/api/stream/run?asset=+best_customers', ground.bearer)
    await stream.ended
    const { events } = stream
    expect(numbers(events)).toEqual(events.map((_, place) => place))
    const marks = events.filter(({ type }) => type === 'status').map(({ data }) => data)
    for (const asset of ['orders', 'customers', 'best_customers']) {
      const own = marks.filter(mark => mark['asset'] === asset).map(mark => mark['status'])
      expect(own).toContain('running')
      expect(own.at(-1)).toBe('done')
    }
    expect(new Set(marks.map(mark => mark['asset'])).size).toBe(3)
    expect(marks.findLast(mark => mark['asset'] === 'orders')).toMatchObject({ rows: 3 })
    const lines = events.filter(({ type }) => type === 'log').map(({ data }) => String(data['line']))
    expect(lines.join('\n')).toMatch(/orders.*3 rows/)
    expect(lines.join('\n')).not.toContain('{"')
    expect(events.at(-1)?.data).toMatchObject({ type: 'end', status: 'deployed', exit_code: 0 })
    const { runs } = (await ground.json('/api/history.json')) as { runs: unknown[] }
    expect(runs).toMatchObject([{ selector: '+best_customers', status: 'deployed' }])
  })

  it('that fails ends so, with the reason and the asset marked', async () => {
    ground.project.write(
      'models/customers.svc',
      shop['models/customers.svc']?.replace('name: Ana', 'name: ~') ?? '',
    )
    const stream = await ground.stream('/api/stream/run?asset=customers', ground.bearer)
    await stream.ended
    expect(stream.events.at(-1)?.data).toMatchObject({ status: 'Failed', exit_code: 1 })
    const marks = stream.events.filter(
      ({ data }) => data['asset'] === 'customers' && data['status'] === 'failed',
    )
    expect(marks).toHaveLength(1)
    expect(stream.events.some(({ data }) => /Failed.*:$/.test(String(data['line'])))).toBe(true)
  })

  it('goes on when the connection is cut, and is resumed with every event exactly once', async () => {
    const first = await ground.stream(path, ground.bearer)
    await first.until(isRunning)
    await source.asked()
    first.cut()
    await first.ended
    const last = ids(first.events).at(-1) ?? ''
    const second = await ground.stream(path, { ...ground.bearer, 'last-event-id': last })
    source.answer()
    await second.until(isEnd)
    await second.ended
    const all = [...first.events, ...second.events]
    expect(numbers(all)).toEqual(all.map((_, place) => place))
    expect(all.filter(isEnd)).toHaveLength(1)
    expect(source.requests()).toBe(1)
    // An EventSource asks once more, and is told to stop.
    const end = ids(all).at(-1) ?? ''
    expect((await ground.ask(path, { headers: { ...ground.bearer, 'last-event-id': end } })).status).toBe(204)
    expect(((await ground.json('/api/history.json')) as { runs: unknown[] }).runs).toHaveLength(1)
  })

  it('is one run, however often its id is asked for, and is told whole to who comes late', async () => {
    source.answer()
    const [one, two] = await Promise.all([
      ground.stream(path, ground.bearer),
      ground.stream(path, ground.bearer),
    ])
    await Promise.all([one.ended, two.ended])
    const three = await ground.stream(path, ground.bearer)
    await three.ended
    expect(two.events).toEqual(one.events)
    expect(three.events).toEqual(one.events)
    expect(((await ground.json('/api/history.json')) as { runs: unknown[] }).runs).toHaveLength(1)
  })

  it('is not begun by a page that comes back to another dashboard', async () => {
    const headers = { ...ground.bearer, 'last-event-id': `${id}:3` }
    expect((await ground.ask(path, { headers })).status).toBe(204)
    expect(await run()).toBeNull()
  })

  it('goes on without its page; a second one is refused with the way to the first, which can be cancelled', async () => {
    const first = await ground.stream(path, ground.bearer)
    await source.asked()
    first.cut()
    await first.ended
    expect(await run()).toMatchObject({ running: true })
    const refused = await ground.ask('/api/stream/run?asset=customers', { headers: ground.bearer })
    expect(refused.status).toBe(409)
    expect(JSON.parse(refused.text)).toMatchObject({
      error: 'a run of slow is in progress',
      run: { run: id, selector: 'slow' },
      stream: `/api/stream/run?run=${id}`,
    })
    const again = await ground.stream(`/api/stream/run?run=${id}`, ground.bearer)
    const headers = { ...ground.bearer, origin: `http://${ground.host}` }
    expect((await ground.ask(`/api/run/cancel?run=${id}`, { method: 'POST', headers })).status).toBe(202)
    await again.until(isEnd)
    expect(again.events.find(isEnd)?.data).toMatchObject({ status: 'cancelled', exit_code: 130 })
    expect(await run()).toMatchObject({ running: false })
    source.answer()
    const next = await ground.stream('/api/stream/run?asset=slow', ground.bearer)
    await next.ended
    expect(next.events.at(-1)?.data).toMatchObject({ status: 'deployed' })
  })

  it('ends in order when the dashboard is closed', async () => {
    const stream = await ground.stream(path, ground.bearer)
    await source.asked()
    await ground.dashboard.close()
    await stream.ended
    expect(stream.events.find(isEnd)?.data).toMatchObject({ status: 'cancelled' })
    source.answer()
    expect((await ground.project.svc(['run', 'slow'])).code).toBe(0)
  })
})

describe('a page', () => {
  it('is told of a run that another page began', async () => {
    const changes = await ground.stream('/api/changes', ground.bearer)
    const other = await ground.stream(path, ground.bearer)
    await changes.until(({ type }) => type === 'run')
    expect(changes.events[0]?.data).toMatchObject({ run: id, kind: 'run', selector: 'slow', running: true })
    source.answer()
    await changes.until(({ type }) => type === 'change')
    await other.ended
    changes.cut()
  })

  it('is told when a run has written the catalogue, whoever started it', async () => {
    const changes = await ground.stream('/api/changes', ground.bearer)
    const before = (await ground.json('/api/catalog.json')) as { assets: { status: string | null }[] }
    expect(before.assets).toHaveLength(5)
    expect(before.assets.every(({ status }) => status === null)).toBe(true)
    expect(await ground.json('/api/dashboard.json')).toMatchObject({ has_run: false, stale: false })
    expect((await ground.project.svc(['run', 'customers'])).code).toBe(0)
    await changes.until(({ type }) => type === 'change')
    changes.cut()
    const after = (await ground.json('/api/catalog.json')) as {
      assets: { name: string; status: string | null }[]
    }
    expect(after.assets.filter(({ status }) => status === 'deployed').map(({ name }) => name)).toEqual([
      'customers',
    ])
    const quality = (await ground.json('/api/quality.json')) as {
      overall: unknown
      assets: { name: string; tests: { name: string }[] }[]
    }
    expect(quality.overall).toEqual({ total_tests: 3, passed: 3, failed: 0, pass_rate: 1 })
    expect(quality.assets.find(({ name }) => name === 'customers')?.tests[0]).toMatchObject({
      kind: 'not_null',
      column: 'id',
      severity: 'error',
      status: 'pass',
      message: null,
      history: [{ status: 'pass' }],
    })
  })

  it('is told that files are newer than the catalogue', async () => {
    await ground.project.svc(['run', 'customers'])
    expect(await ground.json('/api/dashboard.json')).toMatchObject({ has_run: true, stale: false })
    ground.project.write('models/new.svc', 'name: new\ningest: none\ntransform: SELECT 1 AS one\n')
    expect(await ground.json('/api/dashboard.json')).toMatchObject({ stale: true })
    ground.project.remove('models/new.svc')
    expect(await ground.json('/api/dashboard.json')).toMatchObject({ stale: false })
    ground.project.remove('models/customers.svc')
    expect(await ground.json('/api/dashboard.json')).toMatchObject({ stale: true })
  })

  it('hears of a file that changes, and sees an asset that is new before it has run', async () => {
    await ground.project.svc(['run', 'customers,orders'])
    const changes = await ground.stream('/api/changes', ground.bearer)
    const names = async () =>
      ((await ground.json('/api/catalog.json')) as { assets: { name: string }[] }).assets.map(
        each => each.name,
      )
    expect(await names()).not.toContain('fresh')
    ground.project.write(
      'models/fresh.svc',
      "name: fresh\ningest: none\ntransform: SELECT id FROM {{ ref('orders') }}\n",
    )
    await changes.until(({ type }) => type === 'stale')
    await changes.until(({ type }) => type === 'change')
    const { assets } = (await ground.json('/api/catalog.json')) as {
      assets: { name: string; status: string | null; upstream: string[]; downstream: string[] }[]
    }
    expect(assets.find(({ name }) => name === 'fresh')).toMatchObject({ status: null, upstream: ['orders'] })
    const orders = assets.find(({ name }) => name === 'orders')
    expect(orders).toMatchObject({ status: 'deployed', downstream: expect.arrayContaining(['fresh']) })
    const run = await ground.stream('/api/stream/run?asset=fresh', ground.bearer)
    await run.ended
    expect(run.events.at(-1)?.data).toMatchObject({ status: 'deployed' })
    changes.cut()
  })

  it('is told of the run that goes on when it comes', async () => {
    const first = await ground.stream(path, ground.bearer)
    await source.asked()
    const late = await ground.stream('/api/changes', ground.bearer)
    await late.until(({ type }) => type === 'run')
    expect(late.events[0]?.data).toMatchObject({ run: id, selector: 'slow', running: true })
    late.cut()
    source.answer()
    await first.ended
    expect((await ground.ask('/api/stream/run?run=12345678-nobody', { headers: ground.bearer })).status).toBe(
      404,
    )
  })

  it('is told the way of a column', async () => {
    const told = await ground.json('/api/column-path.json?asset=orders&column=amount')
    expect(told).toMatchObject({
      columns: expect.arrayContaining([{ asset: 'daily_sales', column: 'total', pii: false }]),
    })
    expect((await ground.ask('/api/column-path.json?asset=orders&column=no')).status).toBe(404)
  })
})
