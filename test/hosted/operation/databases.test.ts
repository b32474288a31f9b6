/** Which database a command opens, and what it leaves alone. */
import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage } from '../../../hosted-api/storage/index.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { svcHosted } from '../support/command-line.ts'
import { engines, hasSqlite3 } from '../support/engines.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-databases-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string) => join(folder, name)
const sqlite = (name: string) => `sqlite://${file(name)}`
const clock = () => new Date()
const order = ['--name', 'x', '--scope', 'reader', '--all-projects']
const create = (address: string) => svcHosted(['token', 'create', '--create', '--db', address, ...order])

describe.skipIf(!hasSqlite3)('a SQLite file', () => {
  it.each([
    ['backup', ['backup', '/dev/null/x']],
    ['token list', ['token', 'list']],
    ['token create', ['token', 'create', ...order]],
    ['audit verify', ['audit', 'verify']],
    ['serve', ['serve', '--log-level', 'silent', '--port', '0']],
  ])('that does not exist is not made by %s', async (_, words) => {
    const result = await svcHosted([...words, '--db', sqlite('mistyped.db')])
    expect(result).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: there is no file ${file('mistyped.db')}: look at --db, or make a new database there with --create`,
    })
    expect(readdirSync(folder).filter(name => name.startsWith('mistyped'))).toEqual([])
  })

  it('of another application is not filled with tables', async () => {
    const { default: driver } = await import('sqlite3')
    await new Promise<void>(done => {
      const other = new driver.Database(file('other.db'))
      other.exec('create table other (id integer)', () => other.close(() => done()))
    })
    const result = await svcHosted(['token', 'list', '--db', sqlite('other.db')])
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining('has no tables of svc-hosted') })
  })

  it('is read and written by either driver', async () => {
    const each = (driver: string, ...words: string[]) =>
      svcHosted([...words, '--db', sqlite('both.db'), '--db-driver', driver])
    const made = (name: string) => ['token', 'create', '--create', '--name', name, ...order.slice(2)]
    expect((await each('sqlite3', ...made('first'))).code).toBe(0)
    expect((await each('libsql', ...made('second'))).code).toBe(0)
    for (const driver of ['sqlite3', 'libsql']) {
      const { code, stdout } = await each(driver, 'token', 'list')
      expect([code, /first/.test(stdout), /second/.test(stdout)]).toEqual([0, true, true])
    }
  })

  it('has one server, whatever links lead to it', async () => {
    expect((await create(sqlite('real.db'))).code).toBe(0)
    symlinkSync(file('real.db'), file('link.db'))
    const first = await openStorage({ address: sqlite('real.db'), driver: 'sqlite3', clock })
    const second = openStorage({ address: sqlite('link.db'), driver: 'sqlite3', clock })
    await expect(second).rejects.toThrow(`another svc-hosted serves ${file('real.db')}`)
    await first.close()
    const third = await openStorage({ address: sqlite('link.db'), driver: 'sqlite3', clock })
    await third.close()
    expect(existsSync(file('link.db.lock'))).toBe(false)
  })

  it('of two hard links is refused, since nobody can follow them', async () => {
    await create(sqlite('hard.db'))
    linkSync(file('hard.db'), file('twin.db'))
    const opened = openStorage({ address: sqlite('twin.db'), driver: 'sqlite3', clock })
    await expect(opened).rejects.toThrow(/has a second name \(a hard link\)/)
  })

  it('is made where a link leads that leads nowhere yet', async () => {
    symlinkSync('later.db', file('early.db'))
    expect((await create(sqlite('early.db'))).code).toBe(0)
    expect(existsSync(file('later.db'))).toBe(true)
  })
})

describe.skipIf(!hasSqlite3)('a backup', () => {
  it('into a folder that does not exist says so, and names no other file', async () => {
    await create(sqlite('whole.db'))
    const backup = (path: string) => svcHosted(['backup', path, '--db', sqlite('whole.db')])
    expect(await backup(file('missing/x.backup'))).toMatchObject({
      code: 3,
      stderr: `error: there is no folder ${file('missing')}: make it first`,
    })
    expect(await backup(folder)).toMatchObject({
      code: 3,
      stderr: `error: ${folder} is a folder: give the name of a file`,
    })
  })

  it('that cannot be restored leaves nothing behind', async () => {
    const failed = await svcHosted(['restore', file('whole.db'), '--db', sqlite('new.db')])
    expect(failed).toMatchObject({ code: 3, stderr: expect.stringContaining('is no backup') })
    expect(readdirSync(folder).filter(name => name.startsWith('new.db'))).toEqual([])
  })
})

it.each(['70000', '-1', 'x'])('--port %s is wrong usage', async port => {
  const result = await svcHosted(['serve', '--db', sqlite('p.db'), '--port', port])
  expect(result.code).toBe(2)
  expect(result.stderr).toContain('it is a whole number from 0 to 65535.')
})

describe.skipIf(!engines.some(({ isPostgres }) => isPostgres))('a PostgreSQL database', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  it('without our tables is left as it is, unless a command is told to make them', async () => {
    const address = await server.createDatabase()
    const refused = await svcHosted(['token', 'list', '--db', address])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('has no tables of svc-hosted') })
    expect(await tablesOf(address)).toEqual([])
    expect((await create(address)).code).toBe(0)
    expect((await svcHosted(['token', 'list', '--db', address])).code).toBe(0)
  })

  it('is reached through a Unix socket too', async () => {
    const address = server.socketAddress(await server.createDatabase())
    expect((await create(address)).code).toBe(0)
    const listed = await svcHosted(['backup', file('socket.backup'), '--db', address])
    expect(listed.stdout).toMatch(/rows of postgres \/.*svc-postgres-/)
  })

  it('keeps the tables of other applications when a backup is restored', async () => {
    const address = await server.createDatabase()
    await create(address)
    await ask(address, 'create table invoices (id integer); insert into invoices values (7)')
    const backup = file('shared.backup')
    expect((await svcHosted(['backup', backup, '--db', address])).code).toBe(0)
    const refused = await svcHosted(['restore', backup, '--db', address])
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('--force') })
    const restored = await svcHosted(['restore', backup, '--db', address, '--force'])
    expect(restored.stderr).toBe('')
    expect(await ask(address, 'select id from invoices')).toEqual([{ id: 7 }])
    const empty = await server.createDatabase()
    await ask(empty, 'create table invoices (id integer)')
    expect((await svcHosted(['restore', backup, '--db', empty])).stderr).toBe('')
    await ask(address, 'create view many as select id from term')
    const inUse = await svcHosted(['restore', backup, '--db', address, '--force'])
    expect(inUse).toMatchObject({ code: 3, stderr: expect.stringContaining('depends on the tables') })
  })

  it('of another application that has a table of the same name is not touched', async () => {
    const [address, other] = [await server.createDatabase(), await server.createDatabase()]
    await create(address)
    await svcHosted(['backup', file('names.backup'), '--db', address])
    await ask(other, 'create table project (id integer)')
    const result = await svcHosted(['restore', file('names.backup'), '--db', other, '--force'])
    expect(result).toMatchObject({
      code: 3,
      stderr:
        'error: the schema has a table "project" that is not of svc-hosted: give another database or schema',
    })
  })

  it('is not restored while a server runs, and not served while it is restored', async () => {
    const address = await server.createDatabase()
    await create(address)
    await svcHosted(['backup', file('busy.backup'), '--db', address])
    const restore = () => svcHosted(['restore', file('busy.backup'), '--db', address, '--force'])
    const storage = await openStorage({ address, driver: 'sqlite3', clock })
    expect(await restore()).toMatchObject({
      code: 3,
      stderr: 'error: a svc-hosted serves this database; stop all servers on it first',
    })
    await storage.close()
    expect((await restore()).code).toBe(0)
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query('select pg_advisory_lock(7421762, hashtext(current_schema()))')
    const second = openStorage({ address, driver: 'sqlite3', clock })
    await expect(second).rejects.toThrow(/a restore runs on this database/)
    await client.end()
  })

  async function ask(address: string, text: string): Promise<unknown> {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return rows
  }

  function tablesOf(address: string) {
    return ask(address, 'select tablename from pg_tables where schemaname = current_schema()')
  }
})
