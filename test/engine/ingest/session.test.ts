/** Web services that want a login first: what is sent, what comes back, and that nobody reads it afterwards. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { RequestEntry } from '../../../cli/engine/ingest/source.ts'
import { type RestRequest, type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { type ContextChanges, contextFor, type Project, temporaryProject } from './fetching.ts'
import { fetchFast } from './rest-fetching.ts'

let project: Project
let server: RestServer
let logIn: (request: RestRequest, response: ServerResponse, count: number) => void
let isValid: (request: RestRequest) => boolean
let logins: RestRequest[]
let asked: RestRequest[]

beforeAll(async () => {
  project = temporaryProject()
  server = await startRestServer()
  server.route('/login', (request, response) => {
    logins.push(request)
    logIn(request, response, logins.length)
  })
  server.route('/orders', (request, response) => {
    asked.push(request)
    if (!isValid(request)) return sendJson(response, { error: 'log in first' }, 401)
    const page = Number(request.query.get('page') ?? 1)
    sendJson(response, { items: [{ id: page }], pages: 4 })
  })
})
afterAll(async () => {
  await server.close()
  project.remove()
})
beforeEach(() => {
  logins = []
  asked = []
  logIn = (_request, response, count) => sendJson(response, { data: { token: `t-${count}-secret`, ttl: 60 } })
  isValid = ({ headers }) => headers['authorization']?.startsWith('Bearer t-') ?? false
})

const ingest = (auth: string, more = '') => `ingest:
  type: rest_api
  endpoint: ${server.origin}
  resource: orders
  records: items
  auth: {type: session, login_url: "${server.origin}/login", ${auth}}
  paginate: {type: page, param: page, total: pages}
  limits: {concurrency: 1}
${more}`

const env = { SHOP_PASSWORD: 'hunter/2+' }
const body = 'body: {user: ana, password: env:SHOP_PASSWORD}'

async function fetched(text: string, changes: ContextChanges = { env }): Promise<number> {
  return (await fetchFast(text, changes, project)).fetched.rows
}

it('get one token for all requests, from a login that is JSON', async () => {
  expect(await fetched(ingest(`${body}, token_path: data.token`))).toBe(4)
  expect(logins.map(({ method, headers, body }) => [method, headers['content-type'], body])).toEqual([
    ['POST', 'application/json', '{"user":"ana","password":"hunter/2+"}'],
  ])
  expect(asked.map(({ headers }) => headers['authorization'])).toEqual(Array(4).fill('Bearer t-1-secret'))
})

it('may take a form, and the token in a header, a parameter or a cookie of another name', async () => {
  isValid = ({ headers }) => headers['x-session'] === 't-1-secret'
  expect(await fetched(ingest(`${body}, format: form, token_path: data.token, name: X-Session`))).toBe(4)
  expect(logins[0]?.body).toBe('user=ana&password=hunter%2F2%2B')
  isValid = ({ query }) => query.get('sid') === 't-2-secret'
  expect(await fetched(ingest(`${body}, token_path: data.token, name: sid, in: query`))).toBe(4)
  isValid = ({ headers }) => headers['cookie'] === 'sid=t-3-secret'
  expect(await fetched(ingest(`${body}, token_path: data.token, name: sid, in: cookie`))).toBe(4)
  isValid = ({ headers }) => headers['authorization'] === 'Session t-4-secret'
  expect(await fetched(ingest(`${body}, token_path: data.token, prefix: "Session "`))).toBe(4)
})

it('take the cookies of the answer, also of a redirect to a page for people', async () => {
  logIn = (_request, response) =>
    response
      .writeHead(302, {
        location: '/welcome',
        'set-cookie': ['sid=s3cr3t-1; Expires=Wed, 21 Oct 2099 07:28:00 GMT; HttpOnly', 'lang=en; Path=/'],
      })
      .end()
  isValid = ({ headers }) => headers['cookie'] === 'sid=s3cr3t-1; lang=en'
  expect(await fetched(ingest(`${body}, format: form`))).toBe(4)
  expect(server.requests.map(({ path }) => path)).not.toContain('/welcome')
})

it('are logged in to again when the service refuses, by the statuses that say so', async () => {
  isValid = ({ headers }) => asked.length < 3 || headers['authorization'] === 'Bearer t-2-secret'
  expect(await fetched(ingest(`${body}, token_path: data.token`))).toBe(4)
  expect(logins).toHaveLength(2)
  server.route('/closed', (request, response) => {
    asked.push(request)
    const isNew = request.headers['authorization'] === 'Bearer t-2-secret'
    sendJson(response, isNew ? { items: [{ id: 1 }] } : { error: 'session over' }, isNew ? 200 : 440)
  })
  logins = []
  const closed = ingest(`${body}, token_path: data.token, renew_on: [401, 440]`)
    .replace('resource: orders', 'resource: closed')
    .replace('type: page, param: page, total: pages', 'type: none')
  expect(await fetched(closed)).toBe(1)
  expect(logins).toHaveLength(2)
})

it('are logged in to again before the session ends', async () => {
  let minutes = 0
  const now = () => new Date(Date.parse('2026-01-01T00:00:00Z') + minutes * 60_000)
  isValid = () => {
    minutes++
    return true
  }
  await fetched(ingest(`${body}, token_path: data.token, expires_path: data.ttl`), { env, now })
  expect(asked.map(({ headers }) => headers['authorization'])).toEqual(
    [1, 2, 3, 4].map(count => `Bearer t-${count}-secret`),
  )
})

it('are asked no third time when they take nobody', async () => {
  isValid = () => false
  await expect(fetched(ingest(`${body}, token_path: data.token`))).rejects.toMatchObject({
    code: 'http-status',
    hint: expect.stringContaining('ingest.auth'),
  })
  expect([logins.length, asked.length]).toEqual([2, 2])
})

it('are told of in words and logs without a secret', async () => {
  const log: RequestEntry[] = []
  const onRequest = (entry: RequestEntry) => void log.push(entry)
  const problems: unknown[] = []
  const attempt = (text: string) =>
    fetched(text, { env, onRequest }).catch((error: unknown) => void problems.push(error))
  logIn = (_request, response) => sendJson(response, { error: 'hunter/2+ is wrong' }, 403)
  await attempt(ingest(`${body}, token_path: data.token`))
  logIn = (_request, response) => sendJson(response, { session: { key: 't-9-secret' } })
  await attempt(ingest(`${body}, token_path: data.token`))
  await attempt(ingest(body))
  logIn = (_request, response) => sendJson(response, { data: { token: 't-8-secret' } })
  isValid = () => false
  server.route('/echo', (request, response) => sendJson(response, { said: request.query.get('sid') }, 400))
  await attempt(
    ingest(`${body}, token_path: data.token, name: sid, in: query`).replace(
      'resource: orders',
      'resource: echo',
    ),
  )
  expect(problems.map(error => (error as { code: string }).code)).toEqual([
    'http-status',
    'http-body',
    'http-body',
    'http-status',
  ])
  expect(String(problems[0])).toContain(`the login (${server.origin}/login): status 403`)
  expect((problems[1] as { hint: string }).hint).toContain('The answer has: session.')
  expect(String(problems[2])).toContain('without a cookie')
  const everything = problems.map(error => `${error} ${(error as { hint: string }).hint}`).join('\n')
  expect(`${everything}\n${JSON.stringify(log)}`).not.toMatch(/hunter|t-\d-secret/)
  expect(log.length).toBeGreaterThan(4)
})

it('need their variables', async () => {
  await expect(fetched(ingest(`${body}, token_path: data.token`), { env: {} })).rejects.toMatchObject({
    code: 'missing-credentials',
  })
  expect(logins).toHaveLength(0)
  expect(() => contextFor(project, ingest('token_path: data.token').replace('login_url', 'login'))).toThrow()
})
