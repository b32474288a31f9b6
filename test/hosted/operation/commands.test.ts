import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTokenText } from '../../../hosted-api/access/token-text.ts'
import { openStorage } from '../../../hosted-api/storage/index.ts'
import { svcHosted } from '../support/command-line.ts'
import { describeEngines, type EngineCase, engines, useHosted } from '../support/engines.ts'
import { makeTerm } from '../support/records.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-commands-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string) => join(folder, name)
const sqlite = (name: string) => `sqlite://${file(name)}`

describeEngines('beside a running service on $name', engine => {
  const hosted = useHosted(engine)
  const db = () => ['--db', hosted.address, '--db-driver', engine.driver]

  it('a token is made, used, rotated and revoked', async () => {
    const made = await svcHosted([
      'token',
      'create',
      ...db(),
      '--name',
      'ci',
      '--scope',
      'ci',
      '--project',
      '1',
    ])
    expect(made.code).toBe(0)
    expect(isTokenText(made.stdout)).toBe(true)
    expect(made.stderr).toContain('It is shown this once')
    const use = (secret: string) => hosted.client(secret).get('/api/svc/tokens/self')
    const own = await use(made.stdout)
    expect(own.body.token).toMatchObject({ name: 'ci', projects: [1], created_by: 'svc-hosted' })
    const id = String(own.body.token.id)

    const list = await svcHosted(['token', 'list', ...db()])
    expect(list.stdout).toMatch(new RegExp(`^${id} +ci +svc_.{4}….{4} +active +project 1 +until `, 'm'))
    expect(list.stdout).not.toContain(made.stdout)

    const rotated = await svcHosted(['token', 'rotate', id, ...db(), '--json'])
    const fresh = JSON.parse(rotated.stdout) as { secret: string; token: { id: number } }
    expect((await use(made.stdout)).status).toBe(401)
    expect((await use(fresh.secret)).status).toBe(200)

    const revoked = await svcHosted(['token', 'revoke', String(fresh.token.id), ...db()])
    expect(revoked).toMatchObject({ code: 0, stdout: `token ${fresh.token.id} (ci) is revoked` })
    expect((await use(fresh.secret)).status).toBe(401)
  })

  it.each([
    [
      ['create', '--name', 'x', '--scope', 'glosary:read', '--all-projects'],
      '"glosary:read" is no scope and no role',
    ],
    [
      ['create', '--name', 'x', '--scope', 'reader'],
      'give --project with the numbers of projects, or --all-projects',
    ],
    [['create', '--name', 'x', '--scope', 'reader', '--project', '77'], 'there is no project 77'],
    [['revoke', '7777'], 'there is no token 7777'],
    [['rotate', '7777'], 'there is no token 7777 that could be rotated'],
  ])('token %j is wrong usage', async (words, message) => {
    const { code, stderr } = await svcHosted(['token', ...words, ...db()])
    expect(code).toBe(2)
    expect(stderr).toBe(`error: ${message}`)
  })

  it('a backup has everything, and every engine can take it', async () => {
    const term = await makeTerm(hosted, {
      name: 'Ümläut "\'\n\t😀',
      synonyms: ['a', 'b'],
      metadata: { n: 1.5, x: null },
    })
    await hosted.admin.patch(`/api/svc/glossary/terms/${term.id}`, { description: 'changed' })
    const gone = await makeTerm(hosted)
    const backup = file(`${engine.name}.backup`)
    const made = await svcHosted(['backup', backup, ...db()])
    expect(made.code, made.stderr).toBe(0)
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    const read = async (client: typeof hosted.admin) => ({
      terms: (await client.get('/api/svc/glossary/terms')).body,
      versions: (await client.get(`/api/svc/glossary/terms/${term.id}/versions`)).body,
      audit: (await client.get('/api/svc/audit?project=1')).body,
      found: (await client.get(`/api/svc/search?q=${encodeURIComponent('ümläut')}`)).body,
    })
    const before = await read(hosted.admin)
    for (const [index, other] of engines.entries()) {
      await withDatabase(other, `${engine.name}-${index}.db`, async target => {
        const restored = await svcHosted(['restore', backup, ...target, '--force'])
        expect(restored.code, restored.stderr).toBe(0)
        expect((await svcHosted(['audit', 'verify', ...target])).code).toBe(0)
        await hosted.beside(other, target[1] ?? '', async client => {
          expect(await read(client)).toEqual(before)
          const next = await client.post('/api/svc/glossary/terms', { project: 1, name: 'Next' })
          expect(next.body.term.id).toBe(gone.id + 1)
        })
      })
    }
  })

  it('an audit log that somebody changed is noticed', async () => {
    await makeTerm(hosted)
    await makeTerm(hosted)
    const verify = () => svcHosted(['audit', 'verify', ...db()])
    expect(await verify()).toMatchObject({ code: 0, stderr: '' })
    const { storage } = hosted.service
    const rows = await storage.reads.all('select * from audit where ledger_id = 1 order by id desc limit 2')
    const [last, before] = rows.map(row => Number(row['id']))
    const change = (text: string, values: readonly (string | number | null)[]) =>
      storage.write(tx => tx.all(text, values))

    await change('update audit set actor = ? where id = ?', ['somebody else', before ?? 0])
    expect(await verify()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`project 1: entry ${before} is not`),
    })
    await change('update audit set actor = ? where id = ?', [rows[1]?.['actor'] ?? null, before ?? 0])
    expect((await verify()).code).toBe(0)
    await change('delete from audit where id = ?', [last ?? 0])
    expect(await verify()).toMatchObject({
      code: 1,
      stderr: 'error: project 1: entries at the end are missing',
    })
  })
})

describe('a restore', () => {
  it('replaces nothing unless it is told to, and keeps what it replaces', async () => {
    const db = ['--db', sqlite('old.db')]
    await svcHosted([
      'token',
      'create',
      '--create',
      ...db,
      '--name',
      'first',
      '--scope',
      'reader',
      '--all-projects',
    ])
    await svcHosted(['backup', file('old.backup'), ...db])
    await svcHosted(['token', 'create', ...db, '--name', 'second', '--scope', 'reader', '--all-projects'])
    const refused = await svcHosted(['restore', file('old.backup'), ...db])
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('--force') })
    expect((await svcHosted(['token', 'list', ...db])).stdout).toContain('second')
    expect((await svcHosted(['restore', file('old.backup'), ...db, '--force'])).code).toBe(0)
    expect((await svcHosted(['token', 'list', ...db])).stdout).not.toContain('second')
    const kept = await svcHosted(['token', 'list', '--db', sqlite('old.db.before-restore')])
    expect(kept.stdout).toContain('second')
  })

  it('takes a whole backup or nothing', async () => {
    const db = ['--db', sqlite('whole.db')]
    await svcHosted([
      'token',
      'create',
      '--create',
      ...db,
      '--name',
      'x',
      '--scope',
      'reader',
      '--all-projects',
    ])
    await svcHosted(['backup', file('whole.backup'), ...db])
    const lines = gunzipSync(readFileSync(file('whole.backup')))
      .toString()
      .trimEnd()
      .split('\n')
    const broken: Readonly<Record<string, string | Buffer>> = {
      'without its end': gzipSync(`${lines.slice(0, -1).join('\n')}\n`),
      'with a changed row': gzipSync(`${lines.join('\n').replace('"x"', '"y"')}\n`),
      'with half of its bytes': readFileSync(file('whole.backup')).subarray(0, 300),
      'that is a text': 'hello',
      'that is empty': '',
      'of a later version': gzipSync(`${lines.join('\n').replace('0001_', '9999_')}\n`),
    }
    for (const [name, content] of Object.entries(broken)) {
      writeFileSync(file('broken.backup'), content)
      const result = await svcHosted(['restore', file('broken.backup'), '--db', sqlite('never.db')])
      expect(result.code, name).toBe(3)
      expect(result.stderr.split('\n'), name).toHaveLength(1)
      expect(existsSync(file('never.db')), name).toBe(false)
    }
    const absent = await svcHosted(['restore', file('absent'), '--db', sqlite('never.db')])
    expect(absent).toMatchObject({ code: 3, stderr: `error: there is no file ${file('absent')}` })
  })

  it('does not pull the file from under a server', async () => {
    const storage = await openStorage({
      address: sqlite('busy.db'),
      driver: 'sqlite3',
      clock: () => new Date(),
    })
    try {
      await svcHosted(['backup', file('busy.backup'), '--db', sqlite('busy.db')])
      const result = await svcHosted(['restore', file('busy.backup'), '--db', sqlite('busy.db'), '--force'])
      expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining('another svc-hosted serves') })
    } finally {
      await storage.close()
    }
  })
})

describe('what stands in the way of a start is said in one line:', () => {
  let server: Server | undefined
  let port = 0

  beforeAll(async () => {
    server = createServer()
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(() => void server?.close())

  async function refusal(words: readonly string[], environment = {}) {
    const result = await svcHosted(['serve', '--create', '--log-level', 'silent', ...words], environment)
    expect(result.stderr.split('\n')).toHaveLength(1)
    expect(result.stderr).toMatch(/^error: /)
    return { code: result.code, line: result.stderr.slice('error: '.length) }
  }

  it('a port that is taken', async () => {
    expect(await refusal(['--db', sqlite('a.db'), '--port', String(port)])).toEqual({
      code: 3,
      line: `the port is taken (127.0.0.1:${port}): give another one with --port, or stop what listens there`,
    })
  })

  it.each([
    ['mysql://root@localhost/x', 'give sqlite:///path/to/file or postgres://user@host/database'],
    ['sqlite://data.db', 'three slashes name a file'],
    ['sqlite:', 'names no file'],
    ['data.db', 'is no database address'],
  ])('the address %s', async (address, part) => {
    const { code, line } = await refusal(['--db', address])
    expect(code).toBe(2)
    expect(line).toContain(part)
  })

  it('a server that is not there', async () => {
    const { code, line } = await refusal(['--db', 'postgres://svc@127.0.0.1:1/x'])
    expect(code).toBe(3)
    expect(line).toBe('no database listens there (127.0.0.1:1): start PostgreSQL, or look at --db')
  })

  it('a file that is none of SQLite', async () => {
    writeFileSync(
      file('text.db'),
      'this is no database, but a text of some length, longer than a header of SQLite. '.repeat(9),
    )
    expect(await refusal(['--db', sqlite('text.db')])).toEqual({
      code: 3,
      line: 'the file is no SQLite database: look at --db',
    })
  })

  it('a file that may only be read', async context => {
    if (process.getuid?.() === 0) context.skip('root may write whatever it likes')
    await svcHosted(['token', 'list', '--db', sqlite('readonly.db')])
    chmodSync(file('readonly.db'), 0o444)
    const { code, line } = await refusal(['--db', sqlite('readonly.db')])
    expect(code).toBe(3)
    expect(line).toContain('may this user write it')
  })

  it('a folder in place of a file', async () => {
    mkdirSync(file('folder.db'))
    const { code, line } = await refusal(['--db', sqlite('folder.db')])
    expect(code).toBe(3)
    expect(line).toBe('SQLite cannot open the file: may this user read and write it, and its folder?')
  })

  it('a database of a later version', async () => {
    const storage = await openStorage({
      address: sqlite('newer.db'),
      driver: 'sqlite3',
      clock: () => new Date(),
    })
    await storage.write(tx => tx.all(`insert into migration (name, at) values ('9999_later', '')`))
    await storage.close()
    const { code, line } = await refusal(['--db', sqlite('newer.db')])
    expect(code).toBe(3)
    expect(line).toContain('a newer svc-hosted has changed this database (9999_later)')
  })

  it('another server on the same file', async () => {
    const storage = await openStorage({
      address: sqlite('twice.db'),
      driver: 'sqlite3',
      clock: () => new Date(),
    })
    const { code, line } = await refusal(['--db', sqlite('twice.db')])
    await storage.close()
    expect(code).toBe(3)
    expect(line).toContain('another svc-hosted serves')
  })

  it('a bootstrap token that could be guessed, and does not say it', async () => {
    const { code, line } = await refusal(['--db', sqlite('b.db')], { SVC_HOSTED_BOOTSTRAP_TOKEN: 'hunter2' })
    expect(code).toBe(2)
    expect(line).toContain('32 to 255')
    expect(line).not.toContain('hunter2')
  })

  it.each([
    ['--max-body', '10 monkeys'],
    ['--rate-limit', '-1'],
    ['--header-timeout', '25h'],
    ['--max-upload', '3GiB'],
    ['--log-level', 'loud'],
    ['--db-driver', 'sqlite4'],
  ])('%s %s', async (option, value) => {
    const { code, stderr } = await svcHosted(['serve', '--create', '--db', sqlite('c.db'), option, value])
    expect(code).toBe(2)
    expect(stderr).toContain(option)
  })
})

async function withDatabase(
  engine: EngineCase,
  name: string,
  work: (options: readonly string[]) => Promise<void>,
): Promise<void> {
  if (!engine.isPostgres) return work(['--db', sqlite(name), '--db-driver', engine.driver])
  const { startPostgres } = await import('../../support/postgres.ts')
  const server = await startPostgres()
  try {
    await work(['--db', await server.createDatabase()])
  } finally {
    await server.stop()
  }
}
