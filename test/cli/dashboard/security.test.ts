/** Who may ask what of the dashboard: each rule with real HTTP, and no run started by anybody who may not. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { describePort, nextFreePort } from '../../../cli/dashboard/port.ts'
import { serveDashboard } from '../../../cli/dashboard/serve.ts'
import { engine } from '../../support/engine.ts'
import { shop } from '../shop-project.ts'
import { type Ask, createDashboard, type Ground, type Headers } from './ground.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-page-'))
writeFileSync(join(folder, 'index.html'), '<script nonce="{{nonce}}" src="app.js"></script>')
writeFileSync(join(folder, 'app.js'), 'document.title = "svc"')
writeFileSync(join(folder, 'secret.key'), 'not a file of the page')

const reads = ['/api/catalog.json', '/api/quality.json', '/api/history.json', '/api/dashboard.json']
const run = '/api/stream/run?asset=customers'
const json = { 'content-type': 'application/json' }

let ground: Ground
let cookie: Headers
beforeAll(async () => {
  ground = await createDashboard(shop, { page: folder })
  cookie = await ground.page()
})
afterAll(async () => {
  await ground.dispose()
  rmSync(folder, { recursive: true })
})
/** Whatever was tried: nothing ran. */
afterEach(async () => {
  expect(await ground.json('/api/dashboard.json')).toMatchObject({ run: null })
})

const status = async (path: string, ask?: Ask) => (await ground.ask(path, ask)).status
const asPage = (more: Headers = {}) => ({ headers: { ...cookie, ...more } })

describe('a request', () => {
  it.each([
    'evil.example:<port>',
    'localhost.evil.example:<port>',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:1',
    '',
  ])('to host %j is refused, whatever else it has', async name => {
    const host = name.replace('<port>', String(ground.dashboard.port))
    for (const path of [...reads, run, '/']) {
      expect(await status(path, { headers: { ...cookie, ...ground.bearer, host } })).toBe(421)
    }
  })

  it('to localhost and to the other loopback name is taken', async () => {
    for (const name of ['localhost', '[::1]', 'LOCALHOST']) {
      expect(
        await status('/api/catalog.json', { headers: { host: `${name}:${ground.dashboard.port}` } }),
      ).toBe(200)
    }
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost', 'file://'])(
    'of origin %s is refused',
    async origin => {
      for (const path of [...reads, run]) expect(await status(path, asPage({ origin }))).toBe(403)
    },
  )

  it.each(['cross-site', 'same-site', 'unheard-of'])('that a browser calls %s is refused', async site => {
    for (const path of [...reads, run, '/']) {
      expect(await status(path, asPage({ 'sec-fetch-site': site }))).toBe(403)
    }
  })

  it('gets no leave for other origins, and headers that keep it to itself', async () => {
    for (const path of [...reads, '/']) {
      const { headers } = await ground.ask(path, asPage())
      expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
  })

  it('with another method is refused', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect(await status('/api/catalog.json', { method, ...asPage() })).toBe(405)
      expect(await status(run, { method, ...asPage() })).toBe(405)
    }
    expect(await status('/api/rollback', asPage())).toBe(405)
  })
})

describe('reading', () => {
  it('needs no token for a program of this machine', async () => {
    for (const path of reads) expect(await status(path, { headers: { 'user-agent': 'curl/8.0' } })).toBe(200)
  })

  it.each([
    ['Sec-Fetch', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['its name', { 'user-agent': 'Mozilla/5.0 (an old one)' }],
    ['a wrong cookie', { cookie: 'svc_ui=1' }],
  ])('needs one for a browser, known by %s', async (_by, headers) => {
    for (const path of reads) expect(await status(path, { headers })).toBe(401)
    expect(await status('/api/catalog.json', asPage())).toBe(200)
  })
})

describe('a run', () => {
  it('needs a token, also of programs', async () => {
    expect(await status(run)).toBe(401)
    expect(await status(run, { headers: { authorization: 'Bearer no' } })).toBe(401)
    const wrong = ground.bearer['authorization']?.replace(/.$/, '!') ?? ''
    expect(await status(run, { headers: { authorization: wrong } })).toBe(401)
    expect(await status('/api/rollback.json')).toBe(401)
  })

  it.each(['image', 'script', 'document', 'iframe', 'style', 'worker'])(
    'is not started by a %s',
    async aim => {
      expect(await status(run, asPage({ 'sec-fetch-dest': aim }))).toBe(403)
    },
  )

  it('is not started ahead of a click', async () => {
    expect(await status(run, asPage({ 'sec-purpose': 'prefetch;prerender' }))).toBe(403)
    expect(await status(run, asPage({ purpose: 'prefetch' }))).toBe(403)
    expect(await status(run, { method: 'HEAD', ...asPage() })).toBe(204)
  })

  it.each(['', 'customers;rm%20-rf', '--all', '-x', '$(id)', 'nobody', 'customers%0Aorders', '%2B', 'a,b'])(
    'is of a known asset, and %j is none',
    async selector => {
      expect(await status(`/api/stream/run?asset=${selector}`, { headers: ground.bearer })).toBe(400)
    },
  )

  it('has an id of letters and digits', async () => {
    expect(await status(`${run}&run=../../x`, { headers: ground.bearer })).toBe(400)
  })
})

describe('what changes something', () => {
  const origin = () => ({ origin: `http://${ground.host}` })
  const post = (path: string, headers: Headers, body = '{}') =>
    status(path, { method: 'POST', headers: { ...json, ...headers }, body })

  it('names its origin exactly, and has the token', async () => {
    for (const path of ['/api/rollback', '/api/run/cancel?run=12345678']) {
      expect(await post(path, ground.bearer)).toBe(403)
      expect(await post(path, { ...ground.bearer, origin: 'http://localhost:1' })).toBe(403)
      expect(await post(path, { ...cookie, ...origin(), 'sec-fetch-site': 'same-site' })).toBe(403)
      expect(await post(path, origin())).toBe(401)
    }
    expect(await post('/api/run/cancel?run=12345678', { ...cookie, ...origin() })).toBe(404)
  })

  it.each(['', '[]', '{', '{"assets": []}', '{"assets": ["nobody"]}', '{"assets": "x"}', '{"other": 1}'])(
    'has a body that is understood, and %j is not',
    async body => {
      expect(await post('/api/rollback', { ...cookie, ...origin() }, body)).toBe(400)
    },
  )

  it('has a body of JSON: forms of other pages can send none', async () => {
    const headers = { ...cookie, ...origin(), 'content-type': 'text/plain' }
    expect(await status('/api/rollback', { method: 'POST', headers, body: '{}' })).toBe(400)
  })
})

describe('the page', () => {
  it('is opened with the token, which leaves the address for a cookie of this port', async () => {
    const { search } = new URL(ground.dashboard.address)
    const { status: code, headers } = await ground.ask(`/${search}`)
    expect([code, headers['location']]).toEqual([303, '/'])
    expect(String(headers['set-cookie'])).toMatch(
      new RegExp(`^svc_ui_${ground.dashboard.port}=[\\w-]{32}; HttpOnly; SameSite=Strict; Path=/$`),
    )
    expect(String(headers['set-cookie'])).not.toContain(search.slice(7))
    expect(await status('/?token=wrong')).toBe(403)
    expect(await status(`/${search}`, { headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
    expect(await status(`/api/catalog.json${search}`, { headers: { 'sec-fetch-site': 'none' } })).toBe(401)
  })

  it('without its token says to a person what to do, and to a program what is wrong', async () => {
    const person = await ground.ask('/', { headers: { accept: 'text/html,*/*' } })
    expect([person.status, person.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8'])
    expect(person.text).toContain('Open the address that svc ui printed.')
    const wrong = await ground.ask('/?token=wrong', { headers: { accept: 'text/html' } })
    expect([wrong.status, wrong.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    const program = await ground.ask('/')
    expect([program.status, program.text]).toEqual([401, '{"error":"open the address that svc ui printed"}'])
  })

  it('has a policy with a nonce of its own each time', async () => {
    const [one, two] = [await ground.ask('/', asPage()), await ground.ask('/', asPage())]
    const nonceOf = (text: string) => /nonce="([^"]+)"/.exec(text)?.[1] ?? ''
    expect(one.headers['content-security-policy']).toContain(`script-src 'nonce-${nonceOf(one.text)}'`)
    expect(one.headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
    expect(nonceOf(one.text)).not.toBe(nonceOf(two.text))
    expect(await status('/')).toBe(401)
  })

  it('has its files and no others', async () => {
    expect((await ground.ask('/app.js', asPage())).headers['content-type']).toBe(
      'text/javascript; charset=utf-8',
    )
    for (const path of [
      '/secret.key',
      '/../svc.yaml',
      '/..%2fsvc.yaml',
      '/%2e%2e/svc.yaml',
      '/.svc/ui.json',
      '/x',
    ]) {
      expect(await status(path, asPage())).toBe(404)
    }
    expect(await status('//evil.example/', asPage())).toBe(400)
  })
})

describe('the server', () => {
  it.skipIf(process.platform === 'win32')('tells its token to its owner alone', () => {
    expect(statSync(join(ground.project.root, '.svc', 'ui.json')).mode & 0o777).toBe(0o600)
  })

  it('says who has a busy port, and which one is free', async () => {
    const { port } = ground.dashboard
    expect(await describePort(port)).toBe('the dashboard of shop (dev)')
    const free = await nextFreePort(port)
    expect(free).toBeGreaterThan(port)
    await new Promise<void>((resolve, reject) => {
      const socket = connect(free ?? 0, '127.0.0.1')
      socket.on('connect', () => reject(new Error('somebody is there')))
      socket.on('error', () => resolve())
    })
    const twice = serveDashboard({ ...anotherOne(), root: ground.project.root, port })
    await expect(twice).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('that is read-only starts nothing for anybody', async () => {
    const other = await createDashboard(shop, { readOnly: true })
    try {
      const { status: code, text } = await other.ask(run, { headers: other.bearer })
      expect([code, text]).toEqual([403, '{"error":"this dashboard is read-only"}'])
      const headers = { ...json, ...other.bearer, origin: `http://${other.host}` }
      for (const path of ['/api/rollback', '/api/run/cancel']) {
        expect((await other.ask(path, { method: 'POST', headers, body: '{}' })).status).toBe(403)
      }
      expect((await other.ask('/api/rollback.json', { headers: other.bearer })).status).toBe(403)
      expect(await other.json('/api/dashboard.json')).toMatchObject({ read_only: true, run: null })
    } finally {
      await other.dispose()
    }
  })
})

function anotherOne() {
  return {
    environment: 'dev',
    models: 'models',
    engine,
    outline: () => Promise.reject(new Error('not asked')),
    command: [process.execPath] as const,
    env: {},
    now: () => new Date(),
    readOnly: false,
    page: undefined,
    pid: process.pid,
  }
}
