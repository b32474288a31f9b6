/** Web services that are asked along the cursor: newest first, oldest first, and window by window. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { showsSource } from '../../support/features/shows.ts'
import { projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

interface Order {
  readonly id: number
  readonly changedAt: string
}

let server: Server
/** What the service has, in the order in which it delivers. */
let orders: Order[] = []
let asked: string[] = []
/** From this request on the service refuses. */
let healthy = Number.POSITIVE_INFINITY

/** Pages of two records, by `since`, `until` and `page`. */
beforeEach(async () => {
  asked = []
  healthy = Number.POSITIVE_INFINITY
  server = createServer((request, response) => {
    const parameters = new URL(request.url ?? '/', 'http://x').searchParams
    asked.push([...parameters.values()].join(' '))
    if (asked.length > healthy) {
      response.writeHead(503).end()
      return
    }
    const [since, until] = [parameters.get('since') ?? '', parameters.get('until') ?? '~']
    const found = orders.filter(({ changedAt }) => changedAt >= since && changedAt < until)
    const page = Number(parameters.get('page') ?? 1)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(found.slice((page - 1) * 2, page * 2)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => server.close())

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00Z`
const order = (id: number) => ({ id, changedAt: day(id) })

function projectOf(incremental: string, more = ''): TestProject {
  const { port } = server.address() as AddressInfo
  return project({
    orders: `ingest:
  type: rest_api
  endpoint: http://127.0.0.1:${port}
  resource: orders
  paginate: page
  write: merge
  primary_key: id
  incremental: {cursor: changed_at, ${incremental}}
${more.replace('limits: {', 'limits: {concurrency: 1, retries: 0, ') || '  limits: {concurrency: 1, retries: 0}\n'}transform: SELECT * FROM {{ source }}`,
  })
}

const ids = async (p: TestProject) =>
  (await p.query('SELECT id FROM analytics.orders ORDER BY id')).map(({ id }) => Number(id))

describe('newest first', () => {
  test('no page is asked for behind the one that reaches the load before', async () => {
    showsSource(['rest_api'], ['newest'])
    orders = [6, 5, 4, 3, 2, 1].map(order)
    const p = projectOf('order: desc')
    await p.run()
    expect(asked).toEqual(['1', '2', '3', '4'])
    orders = [8, 7, 6, 5, 4, 3, 2, 1].map(order)
    asked = []
    await p.run()
    // The second page has the last record of before, and one behind it.
    expect(asked).toEqual(['1', '2'])
    expect(await ids(p)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    asked = []
    expect((await p.run()).status).toBe('deployed')
    expect(asked).toEqual(['1'])
  })

  test('a record out of order fails the load, because those behind it would be lost', async () => {
    orders = [6, 5, 7, 4].map(order)
    const { failure } = await projectOf('order: desc').run()
    expect(failure).toMatchObject({ code: 'source-shape' })
    expect(failure?.message).toMatch(
      /^page 2 \(.*\), record 1: "changed_at" is behind the record that came before it, and incremental.order says desc$/,
    )
  })
})

describe('oldest first', () => {
  const limited = '  params: {since: "{cursor}"}\n  limits: {max_rows: 3}\n'

  test('a limit ends a load, and the next one goes on there', async () => {
    showsSource(['rest_api'], ['order'])
    orders = [1, 2, 3, 4, 5, 6].map(order)
    const p = projectOf('order: asc', limited)
    const loads: number[][] = []
    const told: string[] = []
    for (let run = 0; run < 3; run++) {
      expect((await p.run()).failure).toBeUndefined()
      loads.push(await ids(p))
      told.push(...p.events.flatMap(event => (event.type === 'fetch-progress' ? (event.note ?? []) : [])))
      expect(p.events.some(({ type }) => type === 'warning')).toBe(false)
    }
    // The last record of a load comes again with the next one.
    expect(loads).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5, 6],
    ])
    const ended = 'the load ended after 3 records, as limits.max_rows says; the next load goes on there'
    expect(told).toEqual([ended, ended])
    expect((await p.run()).failure).toBeUndefined()
  })

  test('a limit that lets nothing new through is an error, and no standstill', async () => {
    orders = [1, 2, 3, 4].map(id => ({ id, changedAt: day(1) }))
    const p = projectOf('order: asc', limited)
    await p.run()
    expect((await p.run()).failure?.message).toBe(
      'limits.max_rows lets through no record behind "changed_at" of the load before',
    )
    expect(await ids(p)).toEqual([1, 2, 3])
  })

  test('a time far in the future ends no load before the others, and lets through no standstill', async () => {
    const far = [20, 21, 22].map(id => ({ id, changedAt: '9999-12-31T00:00:00Z' }))
    orders = [...[1, 2].map(order), ...far]
    const p = projectOf('order: asc', limited)
    await p.run()
    orders = [...[1, 2, 3, 4].map(order), ...far]
    expect((await p.run()).failure).toBeUndefined()
    expect(await ids(p)).toEqual([1, 2, 3, 4, 20])
    for (const last of [21, 22]) {
      orders = [order(4), ...far.filter(({ id }) => id <= last)]
      await p.run()
    }
    expect((await p.run()).failure?.message).toContain('lets through no record behind "changed_at"')
  })

  test('a record out of order fails the load', async () => {
    orders = [1, 3, 2].map(order)
    expect((await projectOf('order: asc').run()).failure?.message).toContain('incremental.order says asc')
  })
})

describe('in windows', () => {
  const requests = '  params: {since: "{{ cursor }}", until: "{{cursor.end}}"}\n  limits: {timeout: 10s}\n'
  const windows = 'start: 2026-01-01, window: 10d'

  test('a load asks for one after the other up to now, and the next one begins at its last value', async () => {
    showsSource(['rest_api'], ['window'])
    orders = [1, 10, 11, 12, 13, 25].map(order)
    const p = projectOf(windows, requests)
    p.clock = new Date('2026-01-26T12:00:00Z')
    expect((await p.run()).failure).toBeUndefined()
    expect(asked.filter(text => text.endsWith(' 1'))).toEqual([
      '2026-01-01 2026-01-11 1',
      '2026-01-11 2026-01-21 1',
      '2026-01-21 2026-01-31 1',
    ])
    expect(await ids(p)).toEqual([1, 10, 11, 12, 13, 25])
    asked = []
    orders.push(order(26))
    expect((await p.run()).failure).toBeUndefined()
    expect(asked[0]).toBe('2026-01-25T00:00:00Z 2026-01-26T12:00:02.000Z 1')
    expect(await ids(p)).toEqual([1, 10, 11, 12, 13, 25, 26])
  })

  test('a load that fails leaves production and the cursor, and goes on at its last page', async () => {
    showsSource(['rest_api'], ['resume'])
    orders = [1, 2, 3, 4, 12, 22].map(order)
    const p = projectOf(windows, requests)
    p.clock = new Date('2026-01-26T12:00:00Z')
    healthy = 5
    expect((await p.run()).status).toBe('Failed')
    expect(await p.query("SELECT 1 FROM information_schema.tables WHERE table_schema = 'analytics'")).toEqual(
      [],
    )
    healthy = Number.POSITIVE_INFINITY
    asked = []
    expect((await p.run()).failure).toBeUndefined()
    expect(asked.some(text => text.startsWith('2026-01-01 2026-01-11 2'))).toBe(false)
    expect(await ids(p)).toEqual([1, 2, 3, 4, 12, 22])
  })
})
