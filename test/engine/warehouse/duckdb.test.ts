import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { withStorageVersion } from '../../support/storage-version.ts'
import { startChild } from './child-process.ts'
import { describeWarehouse } from './conformance.ts'
import { duckdbUnderTest } from './engines.ts'

describeWarehouse(duckdbUnderTest)

describe('a DuckDB file', () => {
  let root: string
  const sessions: WarehouseSession[] = []

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-duckdb-'))
  })

  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close()
    rmSync(root, { recursive: true, force: true })
  })

  async function open(path = './w.duckdb', options = {}): Promise<WarehouseSession> {
    const warehouse = await openWarehouse(`duckdb:${path}`, { root, project: 'shop' })
    const session = await warehouse.open('write', options)
    sessions.push(session)
    return session
  }

  it('has wide tables written while others are built, so that they are not all in memory', async () => {
    const session = await open()
    const columns = Array.from({ length: 1000 }, (_, index) => `range + ${index} AS c${index}`)
    const inMemory = async () => {
      const [row] = await session.query(
        "SELECT memory_usage_bytes / 1e6 AS mb FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'",
      )
      return Number(row?.['mb'])
    }
    const found: number[] = []
    for (const name of ['a', 'b', 'c']) {
      const sql = `SELECT ${columns.join(', ')} FROM range(3)`
      const task = { id: name, target: { schema: 'main', name }, kind: 'table', sql } as const
      await session.build(task, { record: () => [], onEnd: () => undefined })
      found.push(await inMemory())
    }
    // Of the first it waits for more, the second is written with it, and the third waits again.
    expect(found[0]).toBeGreaterThan(10)
    expect(found[1]).toBeLessThan(1)
    expect(found[2]).toBeLessThan((found[0] ?? 0) * 1.5)
    expect(await session.query('SELECT sum(c999) AS s FROM a')).toEqual([{ s: 3000 }])
  })

  it('leaves nothing beside it but itself', async () => {
    const session = await open()
    await session.execute(['CREATE TABLE t AS SELECT 1 AS n'])
    await session.close()
    expect(readdirSync(root)).toEqual(['w.duckdb'])
  })

  it('is one instance, whatever names it goes by', async () => {
    const first = await open()
    symlinkSync('w.duckdb', join(root, 'link.duckdb'))
    mkdirSync(join(root, 'folder'))
    const others = [
      await open('./link.duckdb'),
      await open('./folder/../w.duckdb'),
      await open(join(root, 'w.duckdb')),
    ]
    for (const [index, session] of [first, ...others].entries()) {
      await session.execute([`CREATE TABLE t${index} AS SELECT ${index} AS n`])
    }
    expect(await first.relations('main')).toHaveLength(4)
    for (const session of sessions.splice(0)) await session.close()
    expect(await (await open()).relations('main')).toHaveLength(4)
  })

  it('made by two sessions at once is one file', async () => {
    const [a, b] = await Promise.all([open(), open()])
    await a.execute(['CREATE TABLE a AS SELECT 1 AS n'])
    expect(await b.relations('main')).toEqual([{ name: 'a', kind: 'table' }])
  })

  it('lets a writer wait for readers of its own process', async () => {
    await (await open()).close()
    const warehouse = await openWarehouse('duckdb:./w.duckdb', { root, project: 'shop' })
    const reader = await warehouse.open('read')
    await expect(open('./w.duckdb', { waitMs: 20 })).rejects.toMatchObject({ code: 'warehouse-locked' })
    const opening = open()
    await reader?.close()
    await (await opening).execute(['CREATE TABLE t AS SELECT 1 AS n'])
  })

  it.each(['write', 'read'])('held by another process to %s is said to be, with the process', async mode => {
    await (await open()).close()
    const holding = startChild(['hold', 'duckdb', 'duckdb:./w.duckdb', root, mode])
    try {
      expect(await holding.line()).toBe('holding')
      const told: string[] = []
      const refused = open('./w.duckdb', { waitMs: 200, onWait: (who: string) => told.push(who) })
      await expect(refused).rejects.toMatchObject({
        code: 'warehouse-locked',
        message: expect.stringMatching(
          new RegExp(`^w.duckdb is held by node.* \\(process ${holding.pid}\\)$`),
        ),
      })
      expect(told).toEqual([expect.stringContaining(`(process ${holding.pid})`)])
      const controller = new AbortController()
      const stopped = open('./w.duckdb', { signal: controller.signal, onWait: () => controller.abort() })
      await expect(stopped).rejects.toMatchObject({ code: 'interrupted' })
      const reading = (await openWarehouse('duckdb:./w.duckdb', { root, project: 'shop' })).open('read', {
        waitMs: 50,
      })
      if (mode === 'write') await expect(reading).rejects.toMatchObject({ code: 'warehouse-locked' })
      else await (await reading)?.close()
    } finally {
      await holding.kill()
    }
    await open()
  })

  it('held by a run is said to be held by that run', async () => {
    await (await open()).close()
    const running = startChild(['run', 'duckdb', 'duckdb:./w.duckdb', root, 'r42'])
    try {
      expect(await running.line()).toBe('holding')
      await expect(open('./w.duckdb', { waitMs: 50 })).rejects.toThrow(
        /svc run \(run r42 of someone, process \d+\)/,
      )
    } finally {
      await running.kill()
    }
  })

  it('gives every type as a JSON-safe value', async () => {
    const session = await open()
    for (const [sql, expected] of types) {
      const [row] = await session.query(`SELECT ${sql} AS value`)
      expect({ sql, value: row?.['value'] }).toEqual({ sql, value: expected })
      expect(JSON.parse(JSON.stringify(row))).toEqual(row)
    }
  })

  it('keeps columns of any name, also __proto__ and twice the same', async () => {
    const [row] = await (await open()).query('SELECT 1 AS "__proto__", 2 AS a, 3 AS a, 4 AS "constructor"')
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', 1],
      ['a', 2],
      ['a:1', 3],
      ['constructor', 4],
    ])
  })

  it('computes in UTC wherever it is', async () => {
    const query =
      "SELECT CAST(TIMESTAMPTZ '2020-01-01 00:00:00Z' AS VARCHAR) AS t, date_trunc('day', TIMESTAMPTZ '2020-01-01 01:00:00+03') AS d"
    expect(await (await open()).query(query)).toEqual([
      { t: '2020-01-01 00:00:00+00', d: '2019-12-31T00:00:00Z' },
    ])
  })

  it('downloads no extension', async () => {
    const session = await open()
    await expect(session.query("SELECT * FROM read_csv('https://127.0.0.1:1/x.csv')")).rejects.toThrow(
      /httpfs/,
    )
    expect(await session.query("SELECT current_setting('autoload_known_extensions') AS value")).toEqual([
      { value: false },
    ])
  })

  it.each([
    ['text', Buffer.from('id,name\n1,a\n'.repeat(2000)), 'warehouse-not-a-database'],
    ['nothing', Buffer.alloc(0), 'warehouse-not-a-database'],
    ['zeros', Buffer.alloc(40_000), 'warehouse-not-a-database'],
  ])('that holds %s is refused and left as it is', async (_, content, code) => {
    writeFileSync(join(root, 'w.duckdb'), content)
    await expect(open()).rejects.toMatchObject({ name: 'SvcError', code, hint: expect.any(String) })
    expect(readFileSync(join(root, 'w.duckdb'))).toEqual(content)
  })

  it.each([
    [99n, 'warehouse-newer', /newer DuckDB \(storage 99\)/],
    [39n, 'warehouse-failed', /too old to be read \(storage 39\)/],
  ])('of storage version %s is said to be that', async (version, code, message) => {
    await (await open()).close()
    const file = join(root, 'w.duckdb')
    writeFileSync(file, withStorageVersion(readFileSync(file), version))
    await expect(open()).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it('that is damaged is said to be that', async () => {
    await (await open()).close()
    const file = join(root, 'w.duckdb')
    const content = readFileSync(file)
    content.fill(7, 20, 60)
    writeFileSync(file, content)
    await expect(open()).rejects.toMatchObject({
      name: 'SvcError',
      message: expect.stringContaining('w.duckdb'),
    })
  })

  it('that is a folder, or in no folder, is refused by name', async () => {
    mkdirSync(join(root, 'folder.duckdb'))
    await expect(open('./folder.duckdb')).rejects.toMatchObject({ code: 'warehouse-not-a-database' })
    await expect(open('./no/such/w.duckdb')).rejects.toMatchObject({
      code: 'file-failed',
      message: 'the folder of no/such/w.duckdb does not exist',
    })
    const warehouse = await openWarehouse('duckdb:./no/such/w.duckdb', { root, project: 'shop' })
    expect(await warehouse.open('read')).toBeUndefined()
    await expect(warehouse.acquireLease('prod', anyHolder)).rejects.toMatchObject({ code: 'file-failed' })
  })

  it('in a folder that must not be written is refused with the reason', async () => {
    const folder = join(root, 'kept')
    mkdirSync(folder, { mode: 0o555 })
    await asOrdinaryUser(root, async () => {
      await expect(open('./kept/w.duckdb')).rejects.toMatchObject({
        code: 'file-failed',
        message: expect.stringContaining('permission'),
      })
      const warehouse = await openWarehouse('duckdb:./kept/w.duckdb', { root, project: 'shop' })
      await expect(warehouse.acquireLease('prod', anyHolder)).rejects.toMatchObject({ code: 'file-failed' })
    })
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['a file', true],
    ['a file that the first run will make', false],
  ])('has one lease under all its names: a link to %s', async (_, exists) => {
    if (exists) await (await open()).close()
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync('../w.duckdb', join(root, 'elsewhere/link.duckdb'))
    symlinkSync('elsewhere', join(root, 'folder'))
    const leased = async (path: string) => {
      const warehouse = await openWarehouse(`duckdb:${path}`, { root, project: 'shop' })
      return warehouse.acquireLease('prod', { ...anyHolder, host: hostname(), pid: process.pid })
    }
    const lease = await leased('./w.duckdb')
    for (const other of ['./elsewhere/link.duckdb', './folder/link.duckdb', './folder/../w.duckdb'])
      await expect(leased(other), other).rejects.toMatchObject({ code: 'lease-held' })
    await lease.release()
    await (await leased('./folder/link.duckdb')).release()
    expect(readdirSync(root).filter(name => name.endsWith('.lease'))).toEqual([])
  })

  it('on a full disk keeps what it had', async () => {
    await (await open()).close()
    const fill = 'CREATE TABLE filler AS SELECT i, md5(CAST(i AS VARCHAR)) AS h FROM range(1000000) t(i)'
    const child = startChild(['fill', 'duckdb', 'duckdb:./w.duckdb', root, fill], {
      shell: "trap '' XFSZ; ulimit -f 4096",
    })
    expect(await child.line()).toBe('file-failed the disk of w.duckdb is full')
    await child.ended
    expect(await (await open()).relations('main')).toEqual([])
  })
})

describe('warehouse URLs', () => {
  it.each([
    ['duckdb::memory:', 'wrong-usage', /memory/],
    ['duckdb:', 'wrong-usage', /names no file/],
    ['duckdb://host/w.duckdb', 'wrong-usage', /no host/],
    ['duckdb:./w.duckdb?threads=1', 'wrong-usage', /no options/],
    ['postgres://ada:secret@ho st/db', 'wrong-usage', /postgres/],
    ['mysql://ada:secret@host/db', 'wrong-usage', /"mysql"/],
    ['ada:secret@host', 'wrong-usage', /kind/],
    ['', 'wrong-usage', /kind/],
  ])('%s is refused without its secret', async (url, code, message) => {
    const refused = openWarehouse(url, { root: '/', project: 'shop' })
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    await expect(refused).rejects.not.toThrow(/secret/)
  })

  it('name a file in the project or anywhere', async () => {
    const labelOf = async (url: string) =>
      (await openWarehouse(url, { root: '/project', project: 'shop' })).label
    expect(await labelOf('duckdb:./warehouse.duckdb')).toBe('duckdb: warehouse.duckdb')
    expect(await labelOf('duckdb:data/w.duckdb')).toBe('duckdb: data/w.duckdb')
    expect(await labelOf('duckdb:/elsewhere/w.duckdb')).toBe('duckdb: w.duckdb')
    expect(await labelOf('DuckDB:///elsewhere/w.duckdb')).toBe('duckdb: w.duckdb')
  })
})

const anyHolder = {
  runId: 'r',
  command: 'run',
  user: 'u',
  host: 'h',
  pid: process.pid,
  since: '2026-01-01T00:00:00.000Z',
}

const types: readonly (readonly [string, unknown])[] = [
  ['NULL', null],
  ['true', true],
  ['1::TINYINT', 1],
  ['255::UTINYINT', 255],
  ['-5::SMALLINT', -5],
  ['42', 42],
  ['9007199254740991::BIGINT', 9007199254740991],
  ['9007199254740992::BIGINT', '9007199254740992'],
  ['-9007199254740993::BIGINT', '-9007199254740993'],
  ['18446744073709551615::UBIGINT', '18446744073709551615'],
  ['7::HUGEINT', 7],
  ['170141183460469231731687303715884105727::HUGEINT', '170141183460469231731687303715884105727'],
  ['1.50::DECIMAL(12,2)', '1.50'],
  ['0::DECIMAL(4,1)', '0.0'],
  ["'99999999999999999999999999999999999.999'::DECIMAL(38,3)", '99999999999999999999999999999999999.999'],
  ['0.1::FLOAT', 0.1],
  ['16777216::FLOAT', 16777216],
  ['0.1::DOUBLE', 0.1],
  ['1e-320::DOUBLE', 1e-320],
  ["'nan'::DOUBLE", 'NaN'],
  ["'-inf'::DOUBLE", '-Infinity'],
  ["'inf'::FLOAT", 'Infinity'],
  ["''", ''],
  ["'emoji 🦆 ' || chr(0) || chr(10)", 'emoji 🦆 \0\n'],
  ["DATE '2020-01-02'", '2020-01-02'],
  ["'infinity'::DATE", 'infinity'],
  ["'-infinity'::DATE", '-infinity'],
  ["TIME '10:00:00.5'", '10:00:00.5'],
  ["TIMESTAMP '2020-01-02 03:04:05'", '2020-01-02T03:04:05'],
  ["TIMESTAMP '2020-01-02 03:04:05.678901'", '2020-01-02T03:04:05.678901'],
  ["'2020-01-02 03:04:05.123456789'::TIMESTAMP_NS", '2020-01-02T03:04:05.123456789'],
  ["'2020-01-02 03:04:05.123'::TIMESTAMP_MS", '2020-01-02T03:04:05.123'],
  ["'2020-01-02 03:04:05'::TIMESTAMP_S", '2020-01-02T03:04:05'],
  ["TIMESTAMPTZ '2020-01-02 03:04:05.6+02'", '2020-01-02T01:04:05.6Z'],
  ["'infinity'::TIMESTAMPTZ", 'infinity'],
  ["'-infinity'::TIMESTAMP", '-infinity'],
  ["INTERVAL '1 month 2 days 03:04:05'", '1 month 2 days 03:04:05'],
  ["'c0ffee00-0000-4000-8000-000000000000'::UUID", 'c0ffee00-0000-4000-8000-000000000000'],
  ["'\\x00\\xFFx'::BLOB", '\\x00\\xFFx'],
  ["'101'::BIT", '101'],
  ["'a'::ENUM('a', 'b')", 'a'],
  ['\'{"x": 1}\'::JSON', '{"x": 1}'],
  ['[1, NULL, 9007199254740993]', [1, null, '9007199254740993']],
  ['[[1.5::DECIMAL(3,1)], []]', [['1.5'], []]],
  ['[1, 2]::INTEGER[2]', [1, 2]],
  ["{'a': 1, 'b c': {'d': [DATE '2020-01-01']}}", { a: 1, 'b c': { d: ['2020-01-01'] } }],
  ["MAP {'k': 1, 'l': NULL}", { k: 1, l: null }],
  ["MAP {1: {'a': 'x'}}", { '1': { a: 'x' } }],
  ['union_value(u := 1)', 1],
]

/** The super-user may write anywhere, so a test of permissions gives that up for a while. */
async function asOrdinaryUser(root: string, work: () => Promise<void>): Promise<void> {
  const isSuperUser = process.geteuid?.() === 0
  if (!isSuperUser) return work()
  const { chmodSync } = await import('node:fs')
  chmodSync(root, 0o755)
  process.seteuid?.(65534)
  try {
    await work()
  } finally {
    process.seteuid?.(0)
  }
}
