/** POST: the query of a service in the body of the request, and every way of paging through it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type RestRequest, type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { contextFor, type Project, temporaryProject } from './fetching.ts'
import { fetchFast } from './rest-fetching.ts'

const records = Array.from({ length: 23 }, (_, id) => ({ id, at: { day: id % 7 } }))
const size = 5

let project: Project
let server: RestServer

type Body = Readonly<Record<string, unknown>>
/** Answers with the page that begins at a record. */
type Page = (from: number) => readonly unknown[]
const page: Page = from => records.slice(from, from + size)

beforeAll(async () => {
  project = temporaryProject()
  server = await startRestServer()
  const answer = (path: string, make: (body: Body, request: RestRequest) => unknown) =>
    server.route(path, (request, response) => {
      if (request.method !== 'POST') return sendJson(response, { error: 'POST it' }, 405)
      sendJson(response, make(JSON.parse(request.body), request))
    })
  answer('/cursor', ({ after }) => ({
    items: page(Number((after as Body)?.['at'] ?? 0)),
    next:
      Number((after as Body)?.['at'] ?? 0) + size < records.length
        ? { at: Number((after as Body)?.['at'] ?? 0) + size }
        : null,
  }))
  answer('/page', ({ page: number }) => ({
    items: page((Number(number) - 1) * size),
    pages: Math.ceil(records.length / size),
  }))
  answer('/offset', ({ query }) => {
    const [{ from, limit }] = query as readonly [{ from: number; limit: number }]
    return { items: records.slice(from, from + limit), more: from + limit < records.length }
  })
  answer('/keyset', ({ after }) => {
    const from = records.findIndex(({ id }) => id > Number(after ?? -1))
    return { items: from < 0 ? [] : page(from), more: from >= 0 && from + size < records.length }
  })
  answer('/next', (_body, { query }) => {
    const from = Number(query.get('from') ?? 0)
    return { items: page(from), next: from + size < records.length ? `/next?from=${from + size}` : null }
  })
  server.route('/link', (request, response) => {
    const from = Number(request.query.get('from') ?? 0)
    const link = `</link?from=${from + size}>; rel="next"`
    sendJson(response, page(from), 200, from + size < records.length ? { link } : {})
  })
  answer('/graphql', body => graphql(body))
})
afterAll(async () => {
  await server.close()
  project.remove()
})
beforeEach(() => server.forget())

const queryText =
  'query ($n: Int, $after: String, $shop: String) { orders { nodes { id } pageInfo { endCursor hasNextPage } } }'

function graphql({ query, variables }: Body): unknown {
  const { n, after, shop } = variables as { n?: number; after?: string; shop?: string }
  if (query !== queryText || n !== size)
    return { data: null, errors: [{ message: `no such query for ${shop}` }] }
  const from = after === undefined ? 0 : Number(after.slice(1))
  const orders = {
    nodes: page(from),
    pageInfo: { endCursor: `c${from + size}`, hasNextPage: from + size < records.length },
  }
  return { data: { orders }, ...(shop === 'half' && { errors: [{ message: 'orders.paid: timeout' }] }) }
}

const post = (resource: string, ...more: string[]) =>
  ['ingest:', '  type: rest_api', `  endpoint: ${server.origin}`, `  resource: ${resource}`, '  method: POST']
    .concat(more.map(line => `  ${line}`))
    .join('\n')

const bodies = () => server.requests.map(({ body }) => (body === '' ? undefined : JSON.parse(body)))

const ways: readonly (readonly [string, string, readonly string[], unknown])[] = [
  [
    'cursor',
    'cursor',
    ['body: {q: all}', 'paginate: {type: cursor, path: next, param: after, in: body}'],
    { q: 'all', after: { at: 5 } },
  ],
  [
    'page',
    'page',
    ['body: {q: all}', 'paginate: {type: page, total: pages, in: body}'],
    { q: 'all', page: 2 },
  ],
  [
    'offset',
    'offset',
    [
      'body: {query: [{q: all}]}',
      'paginate: {type: offset, param: query.0.from, size_param: query.0.limit, size: 5, more: more, in: body}',
    ],
    { query: [{ q: 'all', limit: 5, from: 5 }] },
  ],
  [
    'keyset',
    'keyset',
    ['body: {q: all}', 'paginate: {type: keyset, param: after, more: more, in: body}'],
    { q: 'all', after: 4 },
  ],
  ['next_url', 'next', ['body: {q: all}', 'paginate: {type: next_url, path: next}'], { q: 'all' }],
  [
    'link_header',
    'link',
    ['body: {q: all}', 'paginate: {type: link_header, size_param: n, size: 5, in: body}'],
    { q: 'all', n: 5 },
  ],
  ['auto', 'next', ['body: {q: all}'], { q: 'all' }],
  [
    'cursor of GraphQL',
    'graphql',
    [
      `body: {query: "${queryText}", variables: {n: 5, shop: env:SHOP}}`,
      'records: data.orders.nodes',
      'paginate: {type: cursor, path: data.orders.pageInfo.endCursor, more: data.orders.pageInfo.hasNextPage, param: variables.after, in: body}',
    ],
    { query: queryText, variables: { n: 5, shop: 'my "shop"', after: 'c5' } },
  ],
]

it.each(ways)(
  'paging by %s brings every record once, and the rest of the body with each request',
  async (_way, resource, keys, second) => {
    const { fetched } = await fetchFast(
      post(resource, ...keys, 'limits: {concurrency: 1}'),
      { env: { SHOP: 'my "shop"' } },
      project,
    )
    expect(fetched.rows).toBe(records.length)
    expect(bodies()).toHaveLength(5)
    expect(bodies()[1]).toEqual(second)
  },
)

it('a keyset may be a value inside a record, and its absence is an error', async () => {
  server.route('/days', (request, response) => {
    const day = request.query.get('day')
    sendJson(response, day === null ? [{ at: { day: 3 } }] : day === '3' ? [{ at: {} }] : [])
  })
  const get = post('days', 'paginate: {type: keyset, key: at.day, param: day}').replace('POST', 'GET')
  await expect(fetchFast(get, {}, project)).rejects.toMatchObject({
    code: 'http-body',
    message: expect.stringContaining('the last record of page 2 has no "at.day"'),
  })
})

it('errors of GraphQL fail the fetch, beside data too', async () => {
  const keys = (shop: string, n = 5) =>
    post(
      'graphql',
      `body: {query: "${queryText}", variables: {n: ${n}, shop: ${shop}}}`,
      'records: data.orders.nodes',
      'paginate: none',
    )
  const refusal = (text: string) => ({ code: 'http-body', message: expect.stringContaining(text) })
  await expect(fetchFast(keys('env:SHOP', 1), { env: { SHOP: 's3cr3t' } }, project)).rejects.toMatchObject(
    refusal('says "errors" beside its data: no such query for ***'),
  )
  await expect(fetchFast(keys('half'), {}, project)).rejects.toMatchObject(refusal('orders.paid: timeout'))
})

it('what is kept of an interrupted fetch has no secret of the body', async () => {
  let count = 0
  server.route('/broken', (request, response) => {
    count++
    const { after } = JSON.parse(request.body) as { after?: string }
    if (count > 2) return sendJson(response, { error: 'gone' }, 403)
    sendJson(response, { items: [{ id: count }], next: `c${after ?? 0}` })
  })
  const keys = ['body: {key: env:KEY}', 'paginate: {type: cursor, path: next, param: after, in: body}']
  const env = { KEY: 'a"b\\c-s3cr3t' }
  const text = post('broken', ...keys, 'limits: {concurrency: 1}')
  let folder = ''
  const changes = {
    env,
    get spoolFolder() {
      return folder
    },
  }
  folder = contextFor(project, text, { env }).spoolFolder
  await expect(fetchFast(text, changes, project)).rejects.toMatchObject({ code: 'http-status' })
  const kept = readFileSync(join(folder, 'progress.json'), 'utf8')
  expect(kept).toContain('"after')
  expect(kept).not.toContain('s3cr3t')
})
