/** Web services behind an OAuth 2 server: which tokens are asked for, when, and what goes wrong. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ContextChanges, load, type Project, temporaryProject } from './fetching.ts'

interface TokenCall {
  readonly authorization: string | undefined
  readonly form: Readonly<Record<string, string>>
}

let project: Project
let tokenServer: Server
let service: Server
let calls: TokenCall[]
let used: (string | undefined)[]
let giveToken: (response: ServerResponse, count: number) => void
let isValid: (token: string | undefined) => boolean

beforeAll(async () => {
  project = temporaryProject()
  tokenServer = await listening((request, response) => void takeCall(request, response))
  service = await listening((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '')
    used.push(token)
    if (!isValid(token)) return void response.writeHead(401).end('who are you?')
    const page = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('page') ?? 1)
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ items: [{ id: page }], pages: 4 }))
  })
})
afterAll(() => {
  tokenServer.close()
  service.close()
  project.remove()
})
beforeEach(() => {
  calls = []
  used = []
  giveToken = (response, count) => json(response, { access_token: `token-${count}`, expires_in: 3600 })
  isValid = token => token !== undefined
})

async function takeCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const piece of request) text += piece
  calls.push({
    authorization: request.headers.authorization,
    form: Object.fromEntries(new URLSearchParams(text)),
  })
  giveToken(response, calls.length)
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value))
}

async function listening(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

const placeOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const ingest = (more = '', limits = '') => `ingest:
  type: rest_api
  endpoint: ${placeOf(service)}
  resource: orders
  records: items
  auth: {type: oauth2, token_url: "${placeOf(tokenServer)}/token", client_id: shop${more}}
  paginate: {type: page, param: page, total: pages}
${limits}`

const env = { SOURCE__ORDERS__CREDENTIALS: 's3cret/+' }
const ids = async (text: string, changes: ContextChanges = { env }) =>
  (await load(project, text, changes)).rows['']?.map(({ id }) => Number(id))

it('get one token for all requests, with the credentials as the secret of the client', async () => {
  expect(await ids(ingest(', scope: orders.read'))).toEqual([1, 2, 3, 4])
  expect(calls).toEqual([
    {
      authorization: `Basic ${Buffer.from('shop:s3cret%2F%2B').toString('base64')}`,
      form: { grant_type: 'client_credentials', scope: 'orders.read' },
    },
  ])
  expect(new Set(used)).toEqual(new Set(['token-1']))
})

it('may be asked in the form, and with a refresh token', async () => {
  await ids(ingest(', client: form, refresh_token: env:REFRESH, audience: api'), {
    env: { ...env, REFRESH: 'r-1' },
  })
  expect(calls).toEqual([
    {
      authorization: undefined,
      form: {
        grant_type: 'refresh_token',
        refresh_token: 'r-1',
        audience: 'api',
        client_id: 'shop',
        client_secret: 's3cret/+',
      },
    },
  ])
})

it('get a new token when the service does not take the old one any more', async () => {
  isValid = token => token !== undefined && (used.length < 2 || token !== 'token-1')
  expect(await ids(ingest('', '  limits: {concurrency: 1}'))).toEqual([1, 2, 3, 4])
  expect(calls).toHaveLength(2)
})

it('get a new token before the old one expires', async () => {
  giveToken = (response, count) => json(response, { access_token: `token-${count}`, expires_in: 60 })
  let minutes = 0
  const now = () => new Date(Date.parse('2026-01-01T00:00:00Z') + minutes * 60_000)
  isValid = () => {
    minutes++
    return true
  }
  await ids(ingest('', '  limits: {concurrency: 1}'), { env, now })
  expect(used).toEqual(['token-1', 'token-2', 'token-3', 'token-4'])
})

it('are told when the token server refuses, in words without the secret', async () => {
  giveToken = response => response.writeHead(401).end('{"error":"invalid_client","hint":"s3cret/+ is wrong"}')
  const refused = await ids(ingest()).catch((error: Error) => error)
  expect(refused).toMatchObject({ code: 'http-status', hint: expect.stringContaining('ingest.auth') })
  expect(String(refused)).toContain('the token (http://127.0.0.1')
  expect(String(refused)).not.toContain('s3cret')
  giveToken = response => json(response, { token: 'x' })
  await expect(ids(ingest())).rejects.toMatchObject({
    code: 'http-body',
    message: expect.stringContaining('answers without an access_token'),
  })
  await expect(ids(ingest(), { env: {} })).rejects.toMatchObject({ code: 'missing-credentials' })
})

it('are asked no third time by a service that takes no token', async () => {
  isValid = () => false
  await expect(ids(ingest())).rejects.toMatchObject({ code: 'http-status' })
  expect(used).toEqual(['token-1', 'token-2'])
})

it('try again when the token server is busy', async () => {
  giveToken = (response, count) => {
    if (count === 1) response.writeHead(503, { 'Retry-After': '0' }).end()
    else json(response, { access_token: 'later' })
  }
  expect(await ids(ingest())).toEqual([1, 2, 3, 4])
})
