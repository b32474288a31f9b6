/** What servers do to people: each time the run says what happened, and production stays as it was. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RestHandler, type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { createGround, expectNoStack, expectRefusal, type Ground } from './command-line.ts'

const good = [
  { id: 1, name: 'Ana', day: '2026-01-01' },
  { id: 2, name: '日本', day: '2026-01-02' },
]

let server: RestServer
let ground: Ground
let answer: RestHandler

const asset = (name: string, endpoint: string, more = '') => `name: ${name}
ingest:
  type: rest_api
  endpoint: ${endpoint}
  resource: things
  limits: {retries: 1, timeout: 1s}
${more}transform: SELECT * FROM {{ source }}
`

beforeAll(async () => {
  server = await startRestServer()
  server.route('/things', (request, response) => answer(request, response))
  ground = createGround({ 'svc.yaml': 'name: servers\n', 'models/api.svc': asset('api', server.origin) })
  answer = (_request, response) => sendJson(response, good)
  const said = await ground.line(['run', '--env', 'prod'])
  expect(said.code, said.stderr).toBe(0)
})

afterAll(async () => {
  ground.dispose()
  await server.close()
})

async function rowsLive(): Promise<unknown> {
  const said = await ground.line(['sample', 'api', '--env', 'prod', '--json'])
  return (JSON.parse(said.stdout) as { rows: unknown }).rows
}

const raw =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RestHandler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }

const whole = JSON.stringify(good)

describe('a run ends with 3, in words, and production stays', () => {
  it.each<[string, RestHandler, readonly string[]]>([
    ['it never answers', () => undefined, ['1 s', '127.0.0.1']],
    [
      'it stops in the middle',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(whole.slice(0, 20))
      },
      ['1 s'],
    ],
    [
      'it hangs up in the middle',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
        response.write(whole.slice(0, 20), () => response.destroy())
      },
      ['the server closed the connection'],
    ],
    ['401', raw('{"message": "who are you?"}', {}, 401), ['401', 'who are you?']],
    ['403', raw('no', { 'content-type': 'text/plain' }, 403), ['403']],
    ['404', raw('{}', {}, 404), ['404', '/things']],
    ['410', raw('', {}, 410), ['410']],
    ['429 for two hours', raw('{}', { 'retry-after': '7200' }, 429), ['429', 'asks to wait 2 h']],
    ['500 every time', raw('oh', {}, 500), ['500', '2 tries']],
    [
      'a page instead of JSON',
      raw('<!doctype html><title>Please log in</title>', { 'content-type': 'text/html' }),
      ['HTML'],
    ],
    ['a page that calls itself JSON', raw('<html><body>Oops</body></html>'), ['HTML']],
    ['truncated JSON', raw(whole.slice(0, -10)), ['JSON']],
    ['malformed JSON', raw('[{"id": 1,, "name": "x"}]'), ['JSON']],
    ['two JSON values', raw(`${whole}${whole}`), ['JSON']],
    ['brackets without end', raw('['.repeat(200_000)), ['levels of nesting']],
    ['bytes that are no UTF-8', raw(Buffer.from('[{"id": 1, "name": "Z\xfcrich"}]', 'latin1')), ['UTF-8']],
    ['a number', raw('42'), ['neither a list nor an object']],
    ['nothing at all', raw(''), ['empty']],
    ['gzip that is none', raw('not gzip', { 'content-encoding': 'gzip' }), ['not compressed as it says']],
    [
      'half of a gzip',
      raw(gzipSync(whole).subarray(0, 30), { 'content-encoding': 'gzip' }),
      ['not compressed as it says'],
    ],
    [
      'a redirect to another host',
      raw('', { location: 'http://elsewhere.invalid/things' }, 302),
      ['elsewhere.invalid', 'allow_hosts'],
    ],
    ['a redirect in a circle', raw('', { location: '/things' }, 302), ['redirect']],
    ['a redirect to nowhere', raw('', { location: 'http://[' }, 302), ['redirect']],
    ['a redirect to a file', raw('', { location: 'file:///etc/passwd' }, 302), ['file:']],
    [
      'a next page on another host',
      raw(JSON.stringify({ results: good, next: 'http://elsewhere.invalid/things?p=2' })),
      ['elsewhere.invalid', 'allow_hosts'],
    ],
    ['a next page that is this one', raw(JSON.stringify({ results: good, next: '/things' })), ['page']],
  ])('%s', async (_what, handler, says) => {
    answer = handler
    const said = await ground.line(['run', '--env', 'prod'])
    expectRefusal(said, 3, 'api', 'Nothing was promoted', ...says)
    expect(await rowsLive()).toMatchObject(good.map(({ id, name }) => ({ id, name })))
  })

  it('nobody listens, or the name is not known', async () => {
    const probe = createServer()
    await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve))
    const { port } = probe.address() as AddressInfo
    await new Promise(resolve => probe.close(resolve))
    ground.write('models/down.svc', asset('down', `http://127.0.0.1:${port}`))
    ground.write('models/lost.svc', asset('lost', 'http://nowhere.invalid'))
    expectRefusal(await ground.line(['run', 'down']), 3, 'refused', `127.0.0.1:${port}`)
    expectRefusal(await ground.line(['run', 'lost']), 3, 'nowhere.invalid')
    expectRefusal(await ground.line(['sample', 'down']), 1, 'down')
    const doctor = await ground.line(['doctor'])
    expectRefusal(doctor, 1, 'FAIL', 'nowhere.invalid')
  })
})

describe('what passes', () => {
  it('500 first, well the second time', async () => {
    let calls = 0
    answer = (request, response) => (calls++ === 0 ? raw('', {}, 500) : raw(whole))(request, response)
    const said = await ground.line(['run', 'api', '--env', 'prod'])
    expect(said.code, said.stderr).toBe(0)
    expect(calls).toBeGreaterThanOrEqual(2)
  })

  it('an empty source is an empty table with its columns where that is allowed', async () => {
    answer = raw('[]')
    expect((await ground.line(['run', 'api', '--env', 'prod'])).code).toBe(1)
    expect(await rowsLive()).toHaveLength(2)
    ground.write('models/api.svc', asset('api', server.origin, 'contract: {allow_empty: true}\n'))
    const said = await ground.line(['run', 'api', '--env', 'prod'])
    expectNoStack(said)
    expect(said.code, said.stderr).toBe(0)
    expect(await rowsLive()).toEqual([])
    answer = raw(whole)
    expect((await ground.line(['run', 'api', '--env', 'prod'])).code).toBe(0)
    expect(await rowsLive()).toHaveLength(2)
  })

  it('odd values come through as they are', async () => {
    const odd = String.raw`[{"id": 9223372036854775807, "name": "nul \u0000 end", "day": "x"},
      {"id": 9223372036854775808, "name": "lone \ud800 end", "day": null},
      {"id": -9223372036854775809, "name": "\ud83d\ude00", "day": "2026-02-30"},
      {"id": 1e400, "name": "\u202e", "day": ""},
      {"id": 0.1, "name": "", "day": "' OR 1=1; --"},
      {"id": null, "name": "{{ source }}", "__proto__": 1, "constructor": 2, "US Gross": 3}]`
    answer = raw(odd)
    ground.write('models/api.svc', asset('api', server.origin, 'contract: {evolution: evolve}\n'))
    const said = await ground.line(['run', 'api', '--env', 'prod'])
    expectNoStack(said)
    expect(said.code, said.stderr).toBe(0)
    const sample = await ground.line(['sample', 'api', '--env', 'prod', '--source', 'raw', '--json'])
    const { rows } = JSON.parse(sample.stdout) as { rows: Record<string, unknown>[] }
    expect(rows.map(row => String(row['id']))).toMatchObject({
      0: '9223372036854775807',
      1: '9223372036854775808',
    })
    expect(rows.map(row => row['day'])).toEqual(['x', null, '2026-02-30', '', "' OR 1=1; --", null])
    expect(rows[2]).toMatchObject({ name: '😀' })
    expect(rows[5]).toMatchObject({ us_gross: 3 })
    const shown = await ground.line(['sample', 'api', '--env', 'prod'])
    expect(shown.stdout).not.toContain('\0')
  })

  it('a date that is none is refused where the contract says date', async () => {
    ground.write(
      'models/api.svc',
      asset(
        'api',
        server.origin,
        'contract: {enforce_types: true, columns: {id: bigint, name: varchar, day: date}}\n',
      ),
    )
    answer = raw(JSON.stringify([...good, { id: 3, name: 'x', day: '2026-02-30' }]))
    const before = await rowsLive()
    const said = await ground.line(['run', 'api', '--env', 'prod'])
    expectRefusal(said, 1, 'day', '2026-02-30', 'Nothing was promoted')
    expect(await rowsLive()).toEqual(before)
  })
})
