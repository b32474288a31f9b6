import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createPace } from '../../../hosted-api/http/pace.ts'
import { readBody } from '../../../hosted-api/http/read-body.ts'
import { noLimits, standardLimits } from '../../../hosted-api/limits/index.ts'
import { createPackJob } from '../../../hosted-api/metadata/upload/pack-job.ts'
import { withinTime } from '../../../hosted-api/metadata/upload/within-time.ts'
import type { Answer } from '../support/client.ts'
import { type EngineCase, engines, bootstrapToken as token, useHosted } from '../support/engines.ts'
import { speak } from '../support/raw.ts'
import { newName } from '../support/records.ts'

const terms = '/api/svc/glossary/terms'
// None of this is the database's business.
const engine = engines[0] as EngineCase
const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n`

describe('a body', () => {
  const hosted = useHosted(engine, { limits: { ...noLimits, body: 10_000, depth: 8, requestTime: 1 } })
  const term = (description: string) => JSON.stringify({ project: 1, name: 'A term', description })
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    hosted.admin.send('POST', terms, {
      body: typeof body === 'string' ? body : Uint8Array.from(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    })

  it('is as long as is allowed, and not a byte longer', async () => {
    const frame = term('').length
    expect((await post(term('x'.repeat(10_000 - frame)))).status).toBe(201)
    const longer = await post(term('x'.repeat(10_001 - frame)))
    expect([longer.status, longer.body.code]).toEqual([413, 'too_large'])
  })

  it('is refused before it has come, also without a length', async () => {
    const declared = await speak(hosted.service.url, [
      `POST ${terms} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n{`,
    ])
    expect(declared.status).toBe(413)
    const chunk = `1000\r\n${'x'.repeat(4096)}\r\n`
    const chunked = await speak(hosted.service.url, [
      `POST ${terms} HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 20 }, () => chunk),
    ])
    expect(chunked.status).toBe(413)
  })

  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
  it.each(Object.entries(packers))(
    'is read compressed with %s, and cannot be a bomb',
    async (encoding, pack) => {
      const headers = { 'Content-Encoding': encoding }
      expect((await post(pack(term('hello'.repeat(100))), headers)).status).toBe(201)
      const bomb = pack(Buffer.alloc(50_000_000, ' '))
      const answer = await post(bomb.subarray(0, 9000), headers)
      expect([answer.status, answer.body.code]).toEqual([413, 'too_large'])
    },
  )

  it('has to be what its headers say', async () => {
    const wrong: readonly (readonly [string | Buffer, Record<string, string>, number, string])[] = [
      ['not gzip', { 'Content-Encoding': 'gzip' }, 400, 'malformed_json'],
      [gzipSync('{"project":1}').subarray(0, 15), { 'Content-Encoding': 'gzip' }, 400, 'malformed_json'],
      ['{}', { 'Content-Encoding': 'zstd' }, 415, 'unsupported_media_type'],
      ['{}', { 'Content-Encoding': 'gzip, gzip' }, 415, 'unsupported_media_type'],
      ['{}', { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['{}', { 'Content-Type': 'application/json; charset=latin1' }, 415, 'unsupported_media_type'],
      [Buffer.from([0x22, 0xff, 0x22]), {}, 400, 'malformed_json'],
      ['{"name": "x"', {}, 400, 'malformed_json'],
      ['', {}, 400, 'malformed_json'],
      ['  ', {}, 400, 'malformed_json'],
      ['[1,2', {}, 400, 'malformed_json'],
      ['NaN', {}, 400, 'malformed_json'],
      ['null', {}, 422, 'invalid'],
      ['[]', {}, 422, 'invalid'],
      [`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`, {}, 400, 'malformed_json'],
      ['{"project":1,"name":"a","name":"b"}', {}, 400, 'malformed_json'],
      ['{"project":1,"n\\u0061me":"a","name":"b"}', {}, 400, 'malformed_json'],
      ['{"project":1,"name":"a","__proto__":{"x":1}}', {}, 422, 'invalid'],
      ['{"project":1,"name":"a","constructor":{"x":1}}', {}, 422, 'invalid'],
      ['{"project":1,"name":"a\\u0000"}', {}, 422, 'invalid'],
      ['{"project":1,"name":"\\ud800"}', {}, 422, 'invalid'],
      ['{"project":1e400,"name":"a"}', {}, 422, 'invalid'],
    ]
    for (const [body, headers, status, code] of wrong) {
      const answer = await post(body, headers)
      expect([answer.status, answer.body?.code], String(body).slice(0, 60)).toEqual([status, code])
    }
  })

  it('that comes too slowly is not waited for', async () => {
    const drip = Array.from({ length: 30 }, () => ' ')
    const request = `POST ${terms} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n`
    const [slow, good] = await Promise.all([
      speak(hosted.service.url, [request, ...drip], 100),
      hosted.admin.get(terms),
    ])
    expect(slow.status).toBe(408)
    expect(slow.text).toContain('Connection: close')
    expect(good.status).toBe(200)
  })
})

describe('a request', () => {
  const hosted = useHosted(engine, { limits: { ...noLimits, url: 500, headerTime: 1 } })

  it('has an address of a bearable length', async () => {
    expect((await hosted.admin.get(`/healthz?${'x'.repeat(400)}`)).status).toBe(422)
    const long = await hosted.admin.get(`/healthz?${'x'.repeat(500)}`)
    expect([long.status, long.body.code]).toEqual([414, 'uri_too_long'])
  })

  it('has headers of a bearable length', async () => {
    const answer = await speak(hosted.service.url, [
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ])
    expect(answer.status).toBe(431)
    expect(answer.text).toContain('"code":"headers_too_large"')
  })

  it('is HTTP', async () => {
    const answer = await speak(hosted.service.url, ['hello, is anybody there?\r\n\r\n'])
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('application/problem+json')
  })

  it('does not come word by word forever', async () => {
    const words = [
      'GET /healthz HTTP/1.1\r\n',
      ...Array.from({ length: 60 }, (_, index) => `X-${index}: y\r\n`),
    ]
    const [slow, good] = await Promise.all([
      speak(hosted.service.url, words, 100),
      hosted.admin.get('/healthz'),
    ])
    expect(slow.status).toBe(408)
    expect(good.status).toBe(200)
  })

  it('has one length', async () => {
    const answer = await speak(hosted.service.url, [
      `POST ${terms} HTTP/1.1\r\n${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    ])
    expect(answer.status).toBe(400)
  })
})

describe('a token that sends many records at once', () => {
  const hosted = useHosted(engine, { limits: { ...noLimits, writes: 3 } })

  it('pays for the records of a bulk call', async () => {
    const items = Array.from({ length: 450 }, () => ({ name: newName('Bulk') }))
    expect((await hosted.admin.post(`${terms}/bulk`, { project: 1, items })).status).toBe(200)
    const refused = await hosted.admin.post(`${terms}/bulk`, { project: 1, items: items.slice(0, 1) })
    expect(refused.status).toBe(429)
    // Five requests of three a minute: the bucket owes two, and one more has to be there.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
  })
})

describe('a token', () => {
  const hosted = useHosted(engine, { limits: { ...noLimits, reads: 5, writes: 3, failures: 4 } })

  it('has so many reads and writes a minute', async () => {
    const client = hosted.admin
    const reads = []
    for (let index = 0; index < 7; index++) reads.push(await client.get(terms))
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(reads[0]?.headers.get('ratelimit-policy')).toBe('"read";q=5;w=60')
    expect(reads[0]?.headers.get('ratelimit')).toBe('"read";r=4;t=12')
    const refused = reads[6]
    expect(refused?.body).toMatchObject({ code: 'rate_limited', success: false })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    const writes = []
    for (let index = 0; index < 4; index++)
      writes.push(await client.post(terms, { project: 1, name: newName('W') }))
    expect(writes.map(({ status }) => status)).toEqual([201, 201, 201, 429])
  })

  it('that is wrong has only so many tries, of one address', async () => {
    const stranger = hosted.client('svc_nobody_has_this_one_at_all_0000000')
    const tries = []
    for (let index = 0; index < 6; index++) tries.push((await stranger.get(terms)).status)
    expect(tries).toEqual([401, 401, 401, 401, 429, 429])
    // Whoever has a right one is not locked out by his neighbour.
    expect((await hosted.admin.delete(`${terms}/2000000000`)).status).not.toBe(401)
    expect((await hosted.admin.get('/healthz')).status).toBe(200)
  })
})

describe('a client that has gone', () => {
  it('is not waited for, even if it went before its body was read', async () => {
    const server = createServer()
    const body = new Promise<unknown>(resolve => {
      server.on('request', request => request.once('close', () => resolve(readBody(request, noLimits))))
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    const sent = `POST / HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`
    socket.write(sent, () => socket.destroy())
    await expect(body).rejects.toMatchObject({ code: 'timeout' })
    server.close()
  })
})

describe('a crowd', () => {
  const limits = {
    ...standardLimits,
    reads: 0,
    writes: 0,
    failures: 0,
    inFlight: 4,
    connections: 60,
    headerTime: 3,
  }
  const hosted = useHosted(engine, { limits })

  it('is served as far as there is room, and the others are told to come again', async () => {
    const open = await Promise.all(Array.from({ length: 4 }, () => hold(hosted.service.url)))
    try {
      const refused = await hosted.admin.get(terms)
      expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
        503,
        'unavailable',
        '1',
      ])
      expect((await hosted.admin.get('/healthz')).status).toBe(200)
    } finally {
      for (const socket of open) socket.destroy()
    }
    await expect.poll(async () => (await hosted.admin.get(terms)).status).toBe(200)
  })

  it('of sleepers does not keep others from being served', async () => {
    // Good requests keep their connection; sleepers hold all the others, and lose them.
    expect((await hosted.admin.get(terms)).status).toBe(200)
    const { hostname, port } = new URL(hosted.service.url)
    const sleepers = Array.from({ length: 200 }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {}).resume()
      socket.write('GET / HT')
      return socket
    })
    const statuses = []
    for (let index = 0; index < 50; index++) statuses.push((await hosted.admin.get(terms)).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    await expect.poll(() => sleepers.every(socket => socket.destroyed), { timeout: 20_000 }).toBe(true)
  })

  /** A request that is being answered: its body never comes. */
  async function hold(url: string): Promise<Socket> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    const request = `POST ${terms} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n`
    // The server says "go on" when it has begun with it.
    await new Promise(resolve => {
      socket.once('data', resolve)
      socket.write(request)
    })
    return socket
  }
})

interface Stalled {
  readonly socket: Socket
  /** What has come so far. */
  readonly text: () => string
}

describe('the uploads of a token', () => {
  const limits = {
    ...noLimits,
    parallelUploads: 4,
    tokenUploads: 2,
    projectUploads: 3,
    tokenInFlight: 6,
    idleTime: 4,
  }
  const hosted = useHosted(engine, { limits })
  const upload = '/api/svc/metadata/projects/1/upload'
  const pack = { context_pack: { project: { id: 'p' }, assets: [] }, source: 'cli' }

  const makeToken = async () => {
    const order = { name: 'ci', scopes: ['metadata:upload'], projects: [1] }
    return (await hosted.admin.post('/api/svc/tokens', order)).body.secret as string
  }

  /** A request whose body never comes; the server says "go on" when it has begun with it. */
  async function stall(secret: string): Promise<Stalled> {
    const { hostname, port } = new URL(hosted.service.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    socket
      .on('error', () => {})
      .on('data', chunk => {
        text += chunk
      })
    const lines = [
      `POST ${upload} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${secret}`,
      'Content-Type: application/json',
      'Content-Length: 10',
      'Expect: 100-continue',
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await new Promise(resolve => socket.once('data', resolve))
    return { socket, text: () => text }
  }

  it('that stall leave room for those of others, and end when nothing comes', async () => {
    const [first, second] = [await makeToken(), await makeToken()]
    const stalled: Stalled[] = []
    // Node says "go on" before the token is looked up. What is asked in between may take a place itself, and the one that
    // came too late for it begins again.
    const refusalOf = (token: string, count: number) => {
      const own: Stalled[] = []
      return expect.poll(async () => {
        const late = own.filter(({ text }) => text().includes(' 503 '))
        for (const each of late) {
          for (const list of [own, stalled]) list.splice(list.indexOf(each), 1)
          each.socket.destroy()
        }
        while (own.length < count) {
          const one = await stall(token)
          for (const list of [own, stalled]) list.push(one)
        }
        return (await hosted.client(token).post(upload, pack)).body.detail ?? ''
      })
    }
    await refusalOf(first, 2).toBe('The service is busy with 2 uploads of this token: try again in a second.')
    expect((await hosted.client(second).post(upload, pack)).status).toBe(200)
    await refusalOf(second, 1).toBe(
      'The service is busy with 3 uploads to this project: try again in a second.',
    )
    await expect
      .poll(() => stalled.every(({ text }) => text().includes('408 ')), { timeout: 15_000 })
      .toBe(true)
    for (const { socket } of stalled) socket.destroy()
    await expect.poll(async () => (await hosted.client(first).post(upload, pack)).status).toBe(200)
  })
})

describe('the absolute form of an address', () => {
  const hosted = useHosted(engine, { limits: { ...noLimits, inFlight: 1 } })

  it('counts among the requests at the same moment too', async () => {
    const asked = await Promise.all(
      Array.from({ length: 2 }, () =>
        speak(
          hosted.service.url,
          [
            `POST http://x${terms} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n`,
          ],
          0,
          700,
        ),
      ),
    )
    expect(asked.map(({ status }) => status).sort()).toEqual([0, 503])
  })
})

describe('a long question', () => {
  const hosted = useHosted(engine, { limits: { ...noLimits, tokenQuestions: 1, questionTime: 1 } })

  it('waits for the one before it, and both are answered', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => hosted.admin.get(`/api/svc/search?q=x${index}`)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('work that takes too long', () => {
  it('is ended, and says which limit it was', async () => {
    const pace = createPace(0.01, 'question-timeout')
    const forever = async () => {
      for (;;) await pace.pause()
    }
    await expect(forever()).rejects.toMatchObject({
      code: 'took_too_long',
      status: 503,
      message: expect.stringContaining('(--question-timeout)'),
    })
  })

  it('of an upload ends with its time, without waiting for the thread', async () => {
    const never = new Promise<never>(() => {})
    const job = { ...createPackJob(), read: () => never }
    const input = {
      bytes: Buffer.from('{}'),
      contentType: '',
      mostDepth: 0,
      mostAssets: 0,
      source: undefined,
    }
    await expect(withinTime(job, 0.05).read(input)).rejects.toMatchObject({ code: 'took_too_long' })
  })
})

describe('a pack of too many assets', () => {
  const hosted = useHosted(engine, { limits: { ...noLimits, packAssets: 3 } })

  it('is refused before anything is made of them', async () => {
    const assets = Array.from({ length: 4 }, (_, index) => ({ id: `a${index}` }))
    const answer = await hosted.admin.post('/api/svc/metadata/projects/1/upload?source=cli', {
      project: { id: 'p' },
      assets,
    })
    expect([answer.status, answer.body.detail]).toEqual([
      413,
      'A context pack may have 3 assets (--max-assets); this one has 4.',
    ])
  })
})

describe('records of a megabyte', () => {
  const hosted = useHosted(engine, { limits: noLimits })

  it('make several pages of a list and of versions, of which none is missing', async () => {
    const made = []
    for (let index = 0; index < 240; index++) {
      const body = { project: 1, name: `Large ${index}`, description: 'x'.repeat(60_000) }
      made.push((await hosted.admin.post(terms, body)).body.term.id)
    }
    const seen: number[] = []
    let pages = 0
    for (let path: string | undefined = `${terms}?project=1`; path !== undefined; pages++) {
      const answer: Answer = await hosted.admin.get(path)
      seen.push(...(answer.body as { id: number }[]).map(({ id }) => id))
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(pages).toBeGreaterThan(1)
    expect(seen).toEqual(made)
    const id = made[0]
    for (let round = 0; round < 50; round++)
      await hosted.admin.patch(`${terms}/${id}`, { description: `${round}${'y'.repeat(50_000)}` })
    const versions: number[] = []
    for (let path: string | undefined = `${terms}/${id}/versions`; path !== undefined; ) {
      const answer: Answer = await hosted.admin.get(path)
      versions.push(...(answer.body as { version: number }[]).map(({ version }) => version))
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(versions).toEqual(Array.from({ length: 51 }, (_, index) => 51 - index))
    expect((await hosted.admin.get(`${terms}/${id}/versions/1`)).body.description).toBe('x'.repeat(60_000))
  })
})

describe('no limit', () => {
  const hosted = useHosted(engine, { limits: noLimits })

  it('holds where all are turned off', async () => {
    const deep = {
      project: 1,
      name: 'Deep',
      metadata: JSON.parse(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`),
    }
    expect((await hosted.admin.post(terms, deep)).status).toBe(201)
    const answers = await Promise.all(Array.from({ length: 400 }, () => hosted.admin.get(terms)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers[0]?.headers.get('ratelimit')).toBe(null)
    expect((await hosted.admin.get(`${terms}?q=${'x'.repeat(12_000)}`)).status).not.toBe(414)
  })
})
