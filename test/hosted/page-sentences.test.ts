/** Sentences of docs/hosted that no other test holds; `test/contract/held` says which test holds which. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTokenText } from '../../hosted-api/access/token-text.ts'
import { noLimits } from '../../hosted-api/limits/index.ts'
import { svcHosted } from './support/command-line.ts'
import {
  bootstrapToken,
  describeEngines,
  type EngineCase,
  engines,
  hasSqlite3,
  useHosted,
} from './support/engines.ts'
import { speak } from './support/raw.ts'
import { glossary, make, makeAsset, makeProject, makeTerm } from './support/records.ts'

const engine = engines[0] as EngineCase

describeEngines('what docs/hosted says of tokens and the audit log, on $name', each => {
  let now = new Date('2026-11-01T00:00:00.000Z')
  const hosted = useHosted(each, { clock: () => now })
  const order = { name: 'ci', scopes: ['glossary:read', 'glossary:write'], projects: [1] as unknown }

  it('a token of all projects has those that are made later', async () => {
    const { secret } = (await hosted.admin.post('/api/svc/tokens', { ...order, projects: 'all' })).body
    const project = await makeProject(hosted)
    const made = await hosted.client(secret).post(`${glossary}/terms`, { project, name: 'Later' })
    expect(made.status).toBe(201)
  })

  it('a token whose checksum is wrong is refused without a question to the database', async () => {
    const { reads } = hosted.service.storage
    const asked = [vi.spyOn(reads, 'first'), vi.spyOn(reads, 'all')]
    const questions = async (token: string) => {
      for (const spy of asked) spy.mockClear()
      expect((await hosted.client(token).get('/api/svc/tokens/self')).status).toBe(401)
      return asked.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
    }
    const token = createTokenText()
    expect(await questions(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`)).toBe(0)
    expect(await questions(token)).toBeGreaterThan(0)
    for (const spy of asked) spy.mockRestore()
  })

  it('the audit log is filtered by actor, kind of action, target and time', async () => {
    const { secret } = (await hosted.admin.post('/api/svc/tokens', { ...order, name: 'writer' })).body
    const first = await makeTerm(hosted)
    now = new Date('2026-11-02T00:00:00.000Z')
    const { term } = (await hosted.client(secret).post(`${glossary}/terms`, { project: 1, name: 'W' })).body
    const list = async (query: string) =>
      (
        (await hosted.admin.get(`/api/svc/audit?${query}`)).body as {
          actor: string
          action: string
          target: string
          at: string
          request_id: string
        }[]
      ).map(({ actor, action, target, at, request_id }) => {
        expect([typeof request_id, typeof at]).toEqual(['string', 'string'])
        return `${actor} ${action} ${target}`
      })
    const own = `token:writer term.create term:${term.id}`
    const other = `token:bootstrap term.create term:${first.id}`
    expect(await list('actor=token:writer')).toEqual([own])
    expect(await list('action=term.*&project=1')).toEqual([own, other])
    expect(await list(`target=term:${first.id}`)).toEqual([other])
    expect(await list('since=2026-11-02T00:00:00Z&action=term.*')).toEqual([own])
  })
})

describe('what docs/hosted says of the glossary', () => {
  const hosted = useHosted(engine)
  const own = { owner: 'a@b.co', tags: ['t'], metadata: { a: 1 } }
  const named = { project: 1, name: 'Whole', description: 'D' }

  it.each([
    [
      'terms',
      ['project', 'name'],
      { ...named, ...own, synonyms: ['s'], status: 'draft', reviewers: ['r'], related: [] },
    ],
    [
      'metrics',
      ['project', 'name', 'sql_definition'],
      {
        ...named,
        ...own,
        sql_definition: 'select 1',
        time_grain: 'month',
        source_assets: ['a'],
        unit: 'EUR',
      },
    ],
    ['dimensions', ['project', 'name'], { ...named, ...own, type: 'categorical', values: ['x'] }],
    [
      'policies',
      ['project', 'name', 'rule'],
      {
        ...{ ...named, ...own, rule: 'R', pii_columns: ['c'], applies_to: ['a'] },
        ...{ enforcement: 'warn', derived: 'deny' },
      },
    ],
  ])('each kind takes the fields of its row, and needs those it says: %s', async (plural, needed, body) => {
    const missing = await hosted.admin.post(`${glossary}/${plural}`, {})
    const pointers = (missing.body.errors as { pointer: string }[]).map(({ pointer }) => pointer.slice(1))
    expect([missing.status, pointers.sort()]).toEqual([422, [...needed].sort()])
    expect(await make(hosted.admin, plural, body)).toMatchObject(body)
  })

  it('a link takes the fields of its row, and needs a term and an asset', async () => {
    const missing = await hosted.admin.post(`${glossary}/links`, {})
    const pointers = (missing.body.errors as { pointer: string }[]).map(({ pointer }) => pointer)
    expect([missing.status, pointers.sort()]).toEqual([422, ['/asset', '/term']])
    const { id: term } = await makeTerm(hosted)
    const link = { term, asset: await makeAsset(hosted, 'whole'), column: 'id', role: 'primary_key' }
    expect(await make(hosted.admin, 'links', link)).toMatchObject(link)
  })

  it('a bulk call takes any column where not all are known, and does not say it', async () => {
    const { id: term } = await makeTerm(hosted)
    const items = [{ term, asset: await makeAsset(hosted, 'dark'), column: 'anything' }]
    const { status, body } = await hosted.admin.post(`${glossary}/links/bulk`, { project: 1, items })
    expect([status, body.summary.created, body.warnings]).toEqual([200, 1, undefined])
  })

  it('pages stay right while records are deleted', async () => {
    const project = await makeProject(hosted)
    const ids: number[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      ids.push((await make(hosted.admin, 'terms', { project, name })).id)
    const first = await hosted.admin.get(`${glossary}/terms?project=${project}&limit=2`)
    await hosted.admin.delete(`${glossary}/terms/${ids[1]}`)
    await hosted.admin.delete(`${glossary}/terms/${ids[2]}`)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const { body } = await hosted.admin.get(next)
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['d', 'e'])
  })

  it('a purge needs projects:admin', async () => {
    const { id } = await makeTerm(hosted)
    const order = { name: 'writer', scopes: ['glossary:read', 'glossary:write'], projects: [1] }
    const { secret } = (await hosted.admin.post('/api/svc/tokens', order)).body
    const purge = `${glossary}/terms/${id}?purge=true`
    const refused = await hosted.client(secret).delete(purge)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('scope="projects:admin"'),
    ])
    expect((await hosted.admin.delete(purge)).status).toBe(200)
  })

  it('a bug is told by its code alone, and the log has what it was', async () => {
    const { storage } = hosted.service
    const write = vi.spyOn(storage, 'write').mockRejectedValueOnce(new Error('a bug for this test'))
    const { status, body, text } = await hosted.admin.post(`${glossary}/terms`, named)
    write.mockRestore()
    expect([status, body.code]).toEqual([500, 'internal'])
    expect(text).not.toContain('a bug for this test')
    expect(hosted.errors.map(String).join()).toContain('a bug for this test')
  })
})

describe('what docs/hosted says of limits of uploads', () => {
  const limits = { ...noLimits, uploads: 2, body: 1000, import: 3000, upload: 5000 }
  const hosted = useHosted(engine, { limits })
  const pack = (length: number) => ({ project: { id: 'p' }, assets: [], description: 'x'.repeat(length) })
  const upload = (length: number) => hosted.admin.post('/api/svc/metadata/projects/1/upload', pack(length))

  it('uploads and imports have limits of their own for their bodies', async () => {
    const told = async (path: string, length: number) =>
      (await hosted.admin.post(path, { filler: 'x'.repeat(length) })).status
    const imports = `${glossary}/projects/1/import`
    expect([await told(`${glossary}/terms`, 2000), await told(imports, 2000)]).toEqual([413, 422])
    expect(await told(imports, 4000)).toBe(413)
    expect([(await upload(4000)).status, (await upload(6000)).status]).toEqual([422, 413])
  })

  it('a token has so many uploads a minute', async () => {
    const { status, headers } = await upload(1)
    expect([status, headers.get('ratelimit-policy')]).toEqual([429, '"upload";q=2;w=60'])
    expect((await hosted.admin.get('/api/svc/metadata/projects/1/uploads')).status).toBe(200)
  })
})

describe('what docs/hosted says of requests at the same moment', () => {
  const hosted = useHosted(engine)
  const body = 'Content-Type: application/json\r\nContent-Length: 10\r\n\r\n'
  /** Two requests whose bodies do not come: 0 stands for the one that is waited for. */
  const pair = async (path: string, tokens: readonly [string, string]) => {
    const answers = await Promise.all(
      tokens.map(token =>
        speak(
          hosted.service.url,
          [`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${body}`],
          0,
          700,
        ),
      ),
    )
    return answers.map(({ status }) => status).sort()
  }
  const other = async () => {
    const order = { name: 'other', scopes: ['glossary:write', 'metadata:upload'], projects: [1] }
    return (await hosted.admin.post('/api/svc/tokens', order)).body.secret as string
  }

  it('a token has so many requests at the same moment', async () => {
    const second = await other()
    await hosted.restart({ limits: { ...noLimits, tokenInFlight: 1 } })
    expect(await pair(`${glossary}/terms`, [bootstrapToken, bootstrapToken])).toEqual([0, 503])
    expect(await pair(`${glossary}/terms`, [bootstrapToken, second])).toEqual([0, 0])
  })

  it('all tokens have so many uploads at the same moment', async () => {
    const second = await other()
    await hosted.restart({ limits: { ...noLimits, parallelUploads: 1 } })
    const upload = '/api/svc/metadata/projects/1/upload'
    expect(await pair(upload, [bootstrapToken, second])).toEqual([0, 503])
  })

  it('an upload has a time of its own to come in', async () => {
    await hosted.restart({ limits: { ...noLimits, requestTime: 60, uploadTime: 1 } })
    const drip = Array.from({ length: 30 }, () => ' ')
    const head = `Host: x\r\nAuthorization: Bearer ${bootstrapToken}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`
    const slow = await speak(
      hosted.service.url,
      [`POST /api/svc/metadata/projects/1/upload HTTP/1.1\r\n${head}`, ...drip],
      100,
    )
    expect(slow.status).toBe(408)
  })
})

describe('what docs/hosted says of uploads', () => {
  const hosted = useHosted(engine)
  const metadata = '/api/svc/metadata/projects/1'

  it('the first hundred mistakes of a pack are reported', async () => {
    const assets = Array.from({ length: 150 }, (_, index) => ({ id: `a${index}`, shema: {} }))
    const { status, body } = await hosted.admin.post(`${metadata}/upload`, { project: { id: 'p' }, assets })
    expect([status, body.errors.length]).toEqual([422, 100])
    expect(body.errors[99].pointer).toBe('/assets/99/shema')
  })

  it('assets are listed by owner, and with those that are removed', async () => {
    const pack = (...assets: readonly object[]) =>
      hosted.admin.post(`${metadata}/upload`, { project: { id: 'p' }, assets })
    const mine = { id: 'mine', blocks: { owner: 'ops@x.co' } }
    await pack(mine, { id: 'other' })
    const names = async (query: string) =>
      ((await hosted.admin.get(`${metadata}/assets${query}`)).body as { name: string }[]).map(
        ({ name }) => name,
      )
    expect(await names('?owner=ops@x.co')).toEqual(['mine'])
    await pack(mine)
    expect(await names('')).toEqual(['mine'])
    expect(await names('?include=removed')).toEqual(['mine', 'other'])
  })
})

describe('what docs/hosted says of a proxy in front', () => {
  const hosted = useHosted(engine, { trustProxy: true, limits: { ...noLimits, failures: 2 } })

  it('the last address of X-Forwarded-For is the one whose failures are counted', async () => {
    const tries = async (forwarded: string) => {
      const headers = { 'X-Forwarded-For': forwarded }
      return (await hosted.client('wrong').get(`${glossary}/terms`, headers)).status
    }
    expect([await tries('10.0.0.1'), await tries('9.9.9.9, 10.0.0.1'), await tries('10.0.0.1')]).toEqual([
      401, 401, 429,
    ])
    expect(await tries('10.0.0.1, 10.0.0.2')).toBe(401)
  })
})

describe.skipIf(!hasSqlite3)('what docs/hosted says of the command line', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-sentences-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('the database may be named by SVC_HOSTED_DB', async () => {
    vi.stubEnv('SVC_HOSTED_DB', `sqlite://${join(folder, 'named.db')}`)
    const create = ['token', 'create', '--create', '--name', 'x', '--scope', 'reader', '--all-projects']
    expect((await svcHosted(create)).code).toBe(0)
    expect((await svcHosted(['token', 'list'])).stdout).toContain('all projects')
    vi.unstubAllEnvs()
    expect((await svcHosted(['token', 'list'])).code).toBe(2)
  })

  it('a token lives 90 days, as long as it is told up to 366, or for ever', async () => {
    const words = ['token', 'create', '--create', '--db', `sqlite://${join(folder, 'lives.db')}`, '--json']
    const days = async (...more: readonly string[]) => {
      const made = await svcHosted([...words, '--name', 'x', '--scope', 'reader', '--all-projects', ...more])
      if (made.code !== 0) return `code ${made.code}`
      const { token } = JSON.parse(made.stdout) as {
        token: { created_at: string; expires_at: string | null }
      }
      if (token.expires_at === null) return 'never'
      return Math.round((Date.parse(token.expires_at) - Date.parse(token.created_at)) / 86_400_000)
    }
    expect(await days()).toBe(90)
    expect(await days('--expires-in-days', '366')).toBe(366)
    expect(await days('--expires-in-days', '367')).toBe('code 2')
    expect(await days('--never-expires')).toBe('never')
  })
})

describe('what docs/hosted says of the files of hosted-api/deploy', () => {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '..', '..', 'hosted-api', 'deploy', name), 'utf8')

  it('the unit may write its own folder alone', () => {
    const unit = read('svc-hosted.service')
    for (const line of [
      'DynamicUser=yes',
      'StateDirectory=svc-hosted',
      'ProtectSystem=strict',
      'ProtectHome=yes',
    ])
      expect(unit.split('\n')).toContain(line)
    expect(unit).not.toContain('ReadWritePaths')
  })

  it('the image keeps its data in a volume, has no rights of root, and is asked by /readyz', () => {
    const image = read('Dockerfile')
    expect(image).toContain('docker build -f hosted-api/deploy/Dockerfile -t svc-hosted .')
    expect(image).toMatch(/^USER node\nVOLUME \/data$/m)
    expect(image).toMatch(/^HEALTHCHECK [\s\S]*\/readyz/m)
    expect(image).toContain('"--db", "sqlite:///data/svc.db"')
  })
})
