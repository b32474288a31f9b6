/** Conditional requests: an answer that is as it was costs nothing, and its marks belong to the load behind production. */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import { type RestRequest, type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()
let server: RestServer
let records: readonly { readonly id: number; readonly name?: string }[]
/** The statuses of all answers. */
let statuses: number[]
let mark: 'etag' | 'last-modified' | undefined

const size = 2
const changedAt = 'Wed, 21 Oct 2026 07:28:00 GMT'

beforeAll(async () => {
  server = await startRestServer()
  const serve = (path: string, answer: (page: number) => readonly [unknown, Record<string, string>?]) =>
    server.route(path, (request, response) => {
      const [value, headers = {}] = answer(Number(request.query.get('page') ?? 1))
      const text = JSON.stringify(value)
      const etag = `"${createHash('sha1').update(text).digest('hex')}"`
      const own: Record<string, string> =
        mark === 'etag' ? { etag } : mark === undefined ? {} : { [mark]: changedAt }
      const isSame = mark === 'etag' ? request.headers['if-none-match'] === etag : isSince(request)
      statuses.push(isSame ? 304 : 200)
      if (isSame) response.writeHead(304, { ...own, ...headers }).end()
      else sendJson(response, text, 200, { ...own, ...headers })
    })
  const pages = () => Math.max(1, Math.ceil(records.length / size))
  const items = (page: number) => records.slice((page - 1) * size, page * size)
  serve('/orders', page => [{ items: items(page), pages: pages() }])
  serve('/linked', page => [
    items(page),
    page < pages() ? { link: `</linked?page=${page + 1}>; rel="next"` } : {},
  ])
})
afterAll(() => server.close())
beforeEach(() => {
  records = [1, 2, 3, 4].map(id => ({ id }))
  statuses = []
  mark = 'etag'
  server.forget()
})

/** A server that goes by time: nothing has changed since. */
function isSince({ headers }: RestRequest): boolean {
  return mark === 'last-modified' && headers['if-modified-since'] === changedAt
}

const orders = (resource = 'orders', paginate = '{type: page, total: pages}') => `ingest:
  type: rest_api
  endpoint: ${server.origin}
  resource: ${resource}
  paginate: ${paginate}
  limits: {concurrency: 1}
transform: SELECT * FROM {{ source }}`

async function again(p: TestProject, request: Parameters<TestProject['run']>[0] = {}) {
  statuses = []
  return outcomes(await p.run(request))
}
const ids = async (p: TestProject) =>
  (await p.query('SELECT id FROM analytics.orders ORDER BY id')).map(({ id }) => Number(id))

describe('answers that are as they were', () => {
  test.each(['etag', 'last-modified'] as const)('cost no body and are nothing new, by %s', async kind => {
    mark = kind
    const p = project({ orders: orders() })
    await p.run()
    expect(statuses).toEqual([200, 200])
    expect(await again(p)).toEqual(['orders unchanged'])
    expect(statuses).toEqual([304, 304])
    expect(p.events).toContainEqual(
      expect.objectContaining({ type: 'fetch-finished', unchanged: true, bytes: 0 }),
    )
    expect(await again(p)).toEqual(['orders unchanged'])
    expect(await ids(p)).toEqual([1, 2, 3, 4])
  })

  test('are built upon when only the query changes', async () => {
    const p = project({ orders: orders() })
    await p.run()
    p.files['orders'] = orders().replace('SELECT *', 'SELECT id, 7 AS seven')
    expect(await again(p)).toEqual(['orders built'])
    expect(statuses).toEqual([304, 304])
    expect(await p.query('SELECT min(seven) AS seven FROM analytics.orders')).toEqual([{ seven: 7 }])
  })

  test('without marks are fetched each time', async () => {
    mark = undefined
    const p = project({ orders: orders() })
    await p.run()
    expect(await again(p)).toEqual(['orders unchanged'])
    expect(statuses).toEqual([200, 200])
  })
})

describe('answers that are others', () => {
  test('are fetched whole, the first page once', async () => {
    const p = project({ orders: orders() })
    await p.run()
    records = [{ id: 9 }, ...records.slice(1)]
    expect(await again(p)).toEqual(['orders built'])
    expect(statuses).toEqual([200, 200])
    expect(await ids(p)).toEqual([2, 3, 4, 9])
  })

  test('are found on later pages too, and where a page was added', async () => {
    const p = project({ orders: orders() })
    await p.run()
    records = [...records.slice(0, 3), { id: 5 }]
    expect(await again(p)).toEqual(['orders built'])
    expect(statuses).toEqual([304, 200, 200, 200])
    records = [...records, { id: 6 }]
    expect(await again(p)).toEqual(['orders built'])
    expect(await ids(p)).toEqual([1, 2, 3, 5, 6])
  })

  test('are found where only a header tells of a further page', async () => {
    const p = project({ orders: orders('linked', 'auto') })
    await p.run()
    expect(await again(p)).toEqual(['orders unchanged'])
    expect(statuses).toEqual([304, 200])
    records = [...records, { id: 5 }]
    expect(await again(p)).toEqual(['orders built'])
    expect(await ids(p)).toEqual([1, 2, 3, 4, 5])
  })

  test('are those of another request', async () => {
    const p = project({ orders: orders() })
    await p.run()
    p.files['orders'] = orders().replace('resource: orders', 'resource: orders\n  params: {all: 1}')
    await again(p)
    expect(statuses).toEqual([200, 200])
  })
})

describe('the marks', () => {
  test('belong to the load behind production: a rollback has those of before', async () => {
    const p = project({ orders: orders() })
    await p.run()
    const first = records
    records = [{ id: 7 }]
    await p.run()
    const workspace = await p.workspace()
    try {
      await rollback(workspace, {}, () => undefined)
    } finally {
      await workspace.close()
    }
    // The service has what the run before the rollback brought: that is new to production now.
    expect(await again(p)).toEqual(['orders taken_over'])
    expect(statuses).toEqual([200])
    records = first
    expect(await again(p)).not.toEqual(['orders failed'])
    expect(await ids(p)).toEqual([1, 2, 3, 4])
    expect(await again(p)).toEqual(['orders unchanged'])
    expect(statuses).toEqual([304, 304])
  })

  test('of a run that did not come into production do not count', async () => {
    const p = project({ orders: orders() })
    await p.run()
    const first = records
    records = [{ id: 1 }, { id: 1, name: 'twice' }]
    p.files['orders'] = `${orders()}\ntests:\n  - unique: id`
    const failed = await p.run()
    expect(failed.status).toBe('Failed')
    records = first
    expect(await again(p)).toEqual(['orders unchanged'])
    expect(statuses).toEqual([304, 304])
  })

  test('hold no secret, and without them everything is fetched', async () => {
    const p = project({
      orders: orders().replace('resource: orders', 'resource: orders\n  params: {key: env:KEY}'),
    })
    p.env = { KEY: 's3cr3t-key' }
    await p.run()
    const file = join(p.root, '.svc', 'prod', 'answers.json')
    expect(readFileSync(file, 'utf8')).not.toContain('s3cr3t')
    expect(await again(p)).toEqual(['orders unchanged'])
    expect(statuses).toEqual([304, 304])
    rmSync(file)
    expect(await again(p)).toEqual(['orders unchanged'])
    expect(statuses).toEqual([200, 200])
    statuses = []
    await p.run({ refresh: 'all' })
    expect(statuses).toEqual([200, 200])
  })
})
