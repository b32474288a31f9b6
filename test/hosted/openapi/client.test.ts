import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createHostedClient,
  HostedError,
  type Operation,
  Unreachable,
  UnreadableAnswer,
  uploadContextPack,
} from '../../../hosted-api/client/index.ts'
import { describedRoutes } from '../../../hosted-api/routes.ts'
import { bootstrapToken, type EngineCase, engines, useHosted } from '../support/engines.ts'

interface Term {
  readonly id: number
  readonly version: number
  readonly description: string
}

const createTerm = operation<{ readonly term: Term }>('createTerm')
const getTerm = operation<Term>('getTerm')
const updateTerm = operation<{ readonly term: Term }>('updateTerm')
const listTerms = operation<unknown>('listTerms')

/** A route of the service as the client takes it. */
function operation<Gives>(id: string): Operation<object, Gives> {
  const route = describedRoutes('0').find(each => each.id === id)
  if (route === undefined) throw new Error(`the service has no route ${id}`)
  return { method: route.method, path: route.path }
}

it('svc uploads to a route that the service has', () => {
  expect(uploadContextPack).toEqual(operation('uploadContextPack'))
})

describe('the client', () => {
  const hosted = useHosted(engines[0] as EngineCase)
  const client = () => createHostedClient({ url: `${hosted.service.url}/`, token: bootstrapToken })

  it('makes, reads and changes records, typed', async () => {
    const made = await client().call(createTerm, { body: { project: 1, name: 'Typed', id: 'term.typed' } })
    const { id, version } = made.data.term
    const read = await client().call(getTerm, { path: { ref: 'term.typed' }, query: { project: 1 } })
    expect(read.data.id).toBe(id)
    const tag = read.headers.get('etag') ?? ''
    const changed = await client().call(
      updateTerm,
      { path: { ref: String(id) }, body: { description: 'x' } },
      { ifMatch: tag },
    )
    expect(changed.data.term.version).toBe(version + 1)
    const late = client().call(updateTerm, { path: { ref: String(id) }, body: {} }, { ifMatch: tag })
    await expect(late).rejects.toMatchObject({ status: 412, code: 'version_mismatch' })
  })

  it('sends long bodies compressed', async () => {
    const body = { project: 1, name: 'Long', description: 'long '.repeat(1000) }
    const made = await client().call(createTerm, { body }, { compress: true })
    expect(made.data.term.description).toBe(body.description)
  })
})

describe('between the client and the service', () => {
  const servers: Server[] = []
  const pauses: number[] = []

  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections()
    pauses.length = 0
  })

  async function against(listener: RequestListener, options: object = {}) {
    const server = createServer(listener)
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    const sleep = async (milliseconds: number) => void pauses.push(milliseconds)
    return createHostedClient({ url, token: 'svc_secret', sleep, ...options })
  }

  const term = { body: { project: 1, name: 'X' } }
  const problem = (status: number, code: string) => JSON.stringify({ status, code, detail: `it is ${code}` })

  it('a service that is busy is asked again, with the same key and the same body', async () => {
    const seen: { readonly key: unknown; readonly body: string }[] = []
    const client = await against(async (request, response) => {
      seen.push({ key: request.headers['idempotency-key'], body: await bodyOf(request) })
      if (seen.length < 3) response.writeHead(503, { 'Retry-After': '7' }).end(problem(503, 'unavailable'))
      else response.writeHead(201).end('{"success":true}')
    })
    expect((await client.call(createTerm, term)).status).toBe(201)
    expect(seen).toHaveLength(3)
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
    expect(seen[0]?.key).toMatch(/^"[0-9a-f-]{36}"$/)
    expect(pauses.every(pause => pause >= 7000)).toBe(true)
  })

  it.each([429, 502, 503, 504])('%i is tried again', async status => {
    let tries = 0
    const client = await against((_, response) => {
      if (++tries === 1) response.writeHead(status).end(problem(status, 'some_code'))
      else response.writeHead(201).end('{"success":true}')
    })
    expect((await client.call(createTerm, term)).status).toBe(201)
    expect(tries).toBe(2)
  })

  it('a connection that breaks is tried again, and not forever', async () => {
    let tries = 0
    const client = await against(request => {
      tries++
      request.socket.destroy()
    })
    await expect(client.call(createTerm, term)).rejects.toThrow(Unreachable)
    expect(tries).toBe(5)
  })

  it.each([400, 401, 403, 404, 409, 413, 422, 500])('%i is told at once', async status => {
    let tries = 0
    const client = await against((_, response) => {
      tries++
      response.writeHead(status).end(problem(status, 'some_code'))
    })
    const refused = await client.call(createTerm, term).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(HostedError)
    expect(refused).toMatchObject({ status, code: 'some_code', message: 'it is some_code' })
    expect(tries).toBe(1)
  })

  it('another request that is in progress is waited for as the service says, and not forever', async () => {
    let tries = 0
    const told: string[] = []
    const busy = (until: number) =>
      against(
        (_, response) => {
          if (++tries < until)
            response.writeHead(409, { 'Retry-After': '5' }).end(problem(409, 'request_in_progress'))
          else response.writeHead(201).end('{}')
        },
        { onWait: ({ detail }: { detail: string }) => told.push(detail) },
      )
    const patient = await busy(15)
    expect((await patient.call(createTerm, term)).status).toBe(201)
    expect(pauses).toEqual(Array.from({ length: 14 }, () => 5000))
    expect(told).toEqual(['it is request_in_progress'])
    tries = 0
    pauses.length = 0
    const forever = await busy(1000)
    await expect(forever.call(createTerm, term)).rejects.toMatchObject({ code: 'request_in_progress' })
    expect(pauses).toHaveLength(24)
  })

  it('a wait ends when the caller is stopped', async () => {
    const client = await against(
      (_, response) =>
        response.writeHead(409, { 'Retry-After': '60' }).end(problem(409, 'request_in_progress')),
      { sleep: undefined },
    )
    const signal = AbortSignal.timeout(300)
    const started = performance.now()
    await expect(client.call(createTerm, term, { signal })).rejects.toThrow(Unreachable)
    expect(performance.now() - started).toBeLessThan(30_000)
  })

  it('who says to come again in an hour is not waited for', async () => {
    const client = await against((_, response) =>
      response.writeHead(429, { 'Retry-After': '3600' }).end(problem(429, 'rate_limited')),
    )
    await expect(client.call(listTerms, {})).rejects.toMatchObject({ code: 'rate_limited' })
    expect(pauses).toEqual([])
  })

  const strangers: readonly (readonly [string, RequestListener, RegExp])[] = [
    [
      'a web page',
      (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
      /200 with a web page/,
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { Location: 'https://login.example/x?token=1' }).end(),
      /redirect to https:\/\/login\.example: /,
    ],
    [
      'half an answer',
      (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a":'),
      /200 with application\/json/,
    ],
    ['a proxy', (_, response) => response.writeHead(413).end('too large'), /413 with something/],
  ]
  it.each(strangers)('%s is no answer', async (_, listener, message) => {
    const client = await against(listener)
    const refused = (await client.call(createTerm, term).catch((error: unknown) => error)) as Error
    expect(refused).toBeInstanceOf(UnreadableAnswer)
    expect(refused.message).toMatch(message)
    expect(refused.message).not.toContain('secret')
  })

  it('who never answers is not waited for', async () => {
    const client = await against(() => {}, { timeout: 100, retries: 0 })
    await expect(client.call(listTerms, {})).rejects.toThrow('no answer within 0.1 s')
  })

  it('a long body goes compressed, a short one as it is', async () => {
    const encodings: unknown[] = []
    const client = await against(async (request, response) => {
      encodings.push(request.headers['content-encoding'])
      await bodyOf(request)
      response.writeHead(201).end('{}')
    })
    const long = { body: { ...term.body, description: 'x'.repeat(2000) } }
    await client.call(createTerm, long, { compress: true })
    await client.call(createTerm, long)
    await client.call(createTerm, term, { compress: true })
    expect(encodings).toEqual(['gzip', undefined, undefined])
  })
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}
