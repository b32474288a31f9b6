import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openStorage, type Storage, sqlitePath } from '../../../hosted-api/storage/index.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { svcHosted } from '../support/command-line.ts'
import { describeEngines, hasSqlite3 } from '../support/engines.ts'

describeEngines('opening a database on $name', engine => {
  let folder = ''
  let server: PostgresServer | undefined
  let count = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-opening-'))
    server = engine.isPostgres ? await startPostgres() : undefined
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const newAddress = async () =>
    (await server?.createDatabase()) ?? `sqlite://${join(folder, `${++count}.db`)}`
  const open = (address: string, shared = true): Promise<Storage> =>
    openStorage({ address, driver: engine.driver, clock: () => new Date(), shared })

  it('several servers may start on an empty one at the same moment', async () => {
    const address = await newAddress()
    // Three: each that waits for the lock holds one of Node's four threads, and in life each is a process.
    const opened = await Promise.all(Array.from({ length: 3 }, () => open(address)))
    const rows = await opened[0]?.reads.all('select name from project')
    expect(rows).toEqual([{ name: 'default' }])
    await Promise.all(opened.map(storage => storage.close()))
  })

  it('one that a newer version has changed is refused', async () => {
    const address = await newAddress()
    const storage = await open(address)
    await storage.write(tx => tx.all(`insert into migration (name, at) values ('9999_future', 'now')`))
    await storage.close()
    await expect(open(address)).rejects.toThrow(/newer svc-hosted .*9999_future/)
  })
})

describe.skipIf(!hasSqlite3)('opening a SQLite file', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-opening-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const open = (address: string) => openStorage({ address, driver: 'sqlite3', clock: () => new Date() })

  it('is closed after the long writes that pause for others are done', async () => {
    const storage = await open(`sqlite://${join(folder, 'pausing.db')}`)
    const insert = (key: string, owner: number, more?: () => void) =>
      storage.write(
        async tx => {
          await tx.all('insert into setting (key, value) values (?, ?)', [key, 'x'])
          more?.()
          return tx.all('select value from setting where key = ?', [key])
        },
        { isLong: more !== undefined, owner },
      )
    // Nothing ends its pause but the end of the storage.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const shorts: Promise<unknown>[] = []
      const long = insert('long', 1, () => {
        if (shorts.length < 5) shorts.push(insert(`short-${shorts.length}`, 2))
      })
      await expect.poll(() => shorts).toHaveLength(5)
      await Promise.all(shorts)
      await storage.close()
      expect(await long).toEqual([{ value: 'x' }])
    } finally {
      vi.useRealTimers()
    }
  })

  it('is for one server', async () => {
    const address = `sqlite://${join(folder, 'one.db')}`
    const first = await open(address)
    await expect(open(address)).rejects.toThrow(/another svc-hosted serves/)
    await first.close()
    const second = await open(address)
    await second.close()
  })

  it('makes the folders above it', async () => {
    const storage = await open(`sqlite://${join(folder, 'a', 'b', 'deep.db')}`)
    await storage.close()
  })

  it('refuses what is no database', async () => {
    const path = join(folder, 'text.db')
    writeFileSync(path, 'this is a letter, and no database at all, however long one looks at it')
    await expect(open(`sqlite://${path}`)).rejects.toThrow(/not a database/)
  })

  it.each([
    ['mysql://x/y', /no database address/],
    ['sqlite://host/x', /three slashes/],
    ['sqlite:', /names no file/],
    ['data.db', /no database address/],
  ])('%s is no address', async (address, message) => {
    await expect(open(address)).rejects.toThrow(message)
  })

  it('is told by every command that cannot read it, and nothing is written', async () => {
    const good = join(folder, 'whole.db')
    await (await open(`sqlite://${good}`)).close()
    const files = { random: randomBytes(20_000), cut: readFileSync(good).subarray(0, 30_000) }
    for (const [name, bytes] of Object.entries(files)) {
      const path = join(folder, `${name}.db`)
      writeFileSync(path, bytes)
      const commands = [
        ['backup', join(folder, `${name}.backup`)],
        ['audit', 'verify'],
        ['token', 'list'],
        ['prune', '--keep', '30'],
        ['serve', '--port', '0'],
      ]
      for (const words of commands) {
        const { code, stdout, stderr } = await svcHosted([...words, '--db', `sqlite://${path}`])
        expect([words[0], code, stdout]).toEqual([words[0], 3, ''])
        expect(stderr).toMatch(/^error: the file is (no SQLite database|damaged): /)
      }
      expect(readFileSync(path).equals(bytes)).toBe(true)
      expect(existsSync(join(folder, `${name}.backup`))).toBe(false)
    }
  })

  it.runIf(process.platform !== 'win32')('is readable by its owner alone where it is new', async () => {
    const path = join(folder, 'private.db')
    const storage = await open(`sqlite://${path}`)
    const modes = [path, `${path}-wal`, `${path}-shm`].map(each => statSync(each).mode & 0o777)
    await storage.close()
    expect(modes).toEqual([0o600, 0o600, 0o600])
  })

  it('three slashes begin an absolute path, none a relative one', () => {
    expect(sqlitePath('sqlite:///var/lib/a%20b.db')).toBe('/var/lib/a b.db')
    expect(sqlitePath('sqlite:data/a.db')).toBe(join(process.cwd(), 'data', 'a.db'))
  })
})
