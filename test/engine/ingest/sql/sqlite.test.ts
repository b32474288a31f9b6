/** Files of SQLite as a source: what their values become, while others write to them, and what is said where they cannot be read. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runProject } from '../../../../cli/engine/run/run-project.ts'
import { createGround, type Ground } from '../../../cli/bad-input/command-line.ts'
import { showsSource } from '../../../support/features/shows.ts'
import { projectMaker } from '../../run/test-project.ts'

const project = projectMaker()

let ground: Ground
const children: ChildProcess[] = []
beforeEach(() => {
  ground = createGround({ 'svc.yaml': 'name: shop\n' })
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  ground.dispose()
})

function sqlite(...statements: readonly string[]): void {
  const database = new Database(join(ground.root, 'shop.db'))
  for (const sql of statements) database.exec(sql)
  database.close()
}

function asset(keys = 'resource: t', sql = 'SELECT * FROM {{ source }}'): void {
  ground.write(
    'models/t.svc',
    `name: t\ningest: {type: sql, endpoint: "sqlite:shop.db", limits: {retries: 0}, ${keys}}\ntransform: ${sql}\n`,
  )
}

async function loaded(sql = 'FROM analytics_dev.t') {
  const said = await ground.line(['run'])
  expect(said.code, said.stdout + said.stderr).toBe(0)
  const instance = await DuckDBInstance.create(join(ground.root, 'warehouse.duckdb'))
  const connection = await instance.connect()
  const reader = await connection.runAndReadAll(sql)
  const types = reader.columnNames().map((name, index) => [name, String(reader.columnType(index))])
  connection.closeSync()
  instance.closeSync()
  return { types: Object.fromEntries(types), rows: reader.getRowObjectsJson() }
}

async function fails(code: number, ...messages: readonly string[]): Promise<void> {
  const said = await ground.line(['run'])
  const text = `${said.stdout}${said.stderr}`.replace(/\s+/g, ' ')
  for (const message of messages) expect(text).toContain(message)
  expect(said.code).toBe(code)
}

/** Another process that runs statements, holds the file, and says when it has it. */
async function another(...statements: readonly string[]): Promise<void> {
  const program = `const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('libsql'))})
    const database = new Database('shop.db')
    for (const sql of ${JSON.stringify(statements)}) database.exec(sql)
    console.log('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', program], {
    cwd: ground.root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout, 'data')
}

describe('values', () => {
  it('have the type that the column is declared with', async () => {
    showsSource(['sqlite'], ['replace'])
    sqlite(
      'CREATE TABLE t (id INTEGER PRIMARY KEY, small SMALLINT, name VARCHAR(20), amount DECIMAL(10, 2), free NUMERIC, price REAL, paid BOOLEAN, photo BLOB, doc JSON)',
      `INSERT INTO t VALUES (9223372036854775807, 1, 'Ann "A" é, b', 0.1, 12345678901234, 0.1, 1, x'00ff', '{"a": 1}'),
        (-9223372036854775808, NULL, '', 2.25, 0.125, 0.30000000000000004, 0, NULL, NULL), (3, 2, 'two\nlines', NULL, NULL, 1e300, NULL, x'', '[]')`,
    )
    asset()
    const { types, rows } = await loaded()
    expect(types).toEqual({
      id: 'BIGINT',
      small: 'BIGINT',
      name: 'VARCHAR',
      amount: 'DECIMAL(18,2)',
      free: 'DECIMAL(18,3)',
      price: 'DOUBLE',
      paid: 'BOOLEAN',
      photo: 'BLOB',
      doc: 'VARCHAR',
    })
    const byId = new Map(rows.map(row => [row['id'], row]))
    expect((await ground.line(['inspect', 'models/t.svc'])).stdout).toMatch(/doc +JSON/)
    expect(byId.get('9223372036854775807')).toMatchObject({
      name: 'Ann "A" é, b',
      amount: '0.10',
      free: '12345678901234.000',
      price: 0.1,
      paid: true,
      doc: '{"a": 1}',
    })
    expect(byId.get('-9223372036854775808')).toMatchObject({
      small: null,
      name: '',
      free: '0.125',
      price: 0.30000000000000004,
      paid: false,
      photo: null,
    })
    expect(byId.get('3')).toMatchObject({ name: 'two\nlines', amount: null, price: 1e300, photo: '' })
  })

  it('are times in each form that SQLite has: text, seconds, milliseconds, Julian days', async () => {
    sqlite(
      'CREATE TABLE t (id INTEGER, at_time DATETIME, stamp TIMESTAMP, on_day DATE)',
      `INSERT INTO t VALUES (1, '2024-01-31 12:00:00', '2024-01-31T12:00:00.123456+02:00', '2024-01-31'), (2, 1706702400, 1706702400123, 1706702400),
        (3, 2460341.0, 2460341.25, 2460341.0), (4, NULL, NULL, NULL)`,
    )
    asset('resource: main.t')
    const { types, rows } = await loaded('FROM analytics_dev.t ORDER BY id')
    expect(types).toMatchObject({ at_time: 'TIMESTAMP', stamp: 'TIMESTAMP', on_day: 'DATE' })
    expect(rows).toEqual([
      { id: '1', at_time: '2024-01-31 12:00:00', stamp: '2024-01-31 10:00:00.123456', on_day: '2024-01-31' },
      { id: '2', at_time: '2024-01-31 12:00:00', stamp: '2024-01-31 12:00:00.123', on_day: '2024-01-31' },
      { id: '3', at_time: '2024-01-31 12:00:00', stamp: '2024-01-31 18:00:00', on_day: '2024-01-31' },
      { id: '4', at_time: null, stamp: null, on_day: null },
    ])
  })

  it('decide the type of a column without one, and of an expression', async () => {
    sqlite(
      'CREATE TABLE t (id INTEGER, whole, broken, text, bytes, mixed, none_yet)',
      "INSERT INTO t VALUES (1, 1, 1, 'a', x'01', 1, NULL), (2, 2, 2.5, NULL, NULL, 'b', NULL)",
    )
    asset('query: "SELECT *, id * 1.5 AS made FROM t"')
    const { types } = await loaded()
    expect(types).toMatchObject({
      whole: 'BIGINT',
      broken: 'DOUBLE',
      text: 'VARCHAR',
      bytes: 'BLOB',
      mixed: 'VARCHAR',
      made: 'DOUBLE',
    })
  })

  it('that are not of the type are kept apart, and told', async () => {
    const values = Array.from({ length: 30 }, (_, index) => `(${index}, ${index})`).join(', ')
    sqlite('CREATE TABLE t (id INTEGER, n INTEGER)', `INSERT INTO t VALUES ${values}, (99, 'ninety')`)
    asset()
    const { types, rows } = await loaded('FROM analytics_dev.t WHERE id = 99')
    expect(types).toEqual({ id: 'BIGINT', n: 'BIGINT' })
    expect(rows).toEqual([{ id: '99', n: null }])
    expect((await ground.line(['rejects'])).stdout).toContain('ninety')
  })

  it.each([
    ['few', 30, ''],
    ['many', 2, ''],
    ['few and promised', 30, 'contract: {columns: {amount: "decimal(10,2)"}, max_rejects: 5}'],
    ['many and promised', 2, 'contract: {columns: {amount: "decimal(10,2)"}, max_rejects: 5}'],
    [
      'promised and enforced',
      2,
      'contract: {columns: {amount: "decimal(10,2)"}, enforce_types: true, max_rejects: 5}',
    ],
  ])('that are texts in a decimal column are kept apart, or told: %s', async (_, count, contract) => {
    const values = Array.from({ length: count }, (_, index) => `(${index}, ${index}.25)`).join(', ')
    sqlite(
      'CREATE TABLE t (id INTEGER, amount DECIMAL(10, 2))',
      `INSERT INTO t VALUES ${values}, (99, 'ninety')`,
    )
    ground.write(
      'models/t.svc',
      `name: t\ningest: {type: sql, endpoint: "sqlite:shop.db", resource: t}\n${contract === '' ? '' : `${contract}\n`}transform: SELECT * FROM {{ source }}\n`,
    )
    const said = await ground.line(['run'])
    const rejects = await ground.line(['rejects'])
    expect(said.code, said.stderr).toBe(0)
    expect(rejects.stdout).toMatch(/which cannot hold\s+"ninety"/)
  })

  it('of bytes that are no text end nothing but their own load', async () => {
    sqlite('CREATE TABLE t (id INTEGER, name TEXT)', "INSERT INTO t VALUES (1, CAST(x'ff41' AS TEXT))")
    asset()
    const said = await ground.line(['run'])
    expect([1, 3]).toContain(said.code)
    expect(said.stdout + said.stderr).toMatch(/UTF-8|unicode|utf-8/i)
  })
})

describe('beside another process', () => {
  it('reads what is committed while another one writes in WAL mode, and leaves the file as it was', async () => {
    sqlite('PRAGMA journal_mode = WAL', 'CREATE TABLE t (id INTEGER)', 'INSERT INTO t VALUES (1)')
    await another(
      'PRAGMA journal_mode = WAL',
      'INSERT INTO t VALUES (2)',
      'BEGIN IMMEDIATE',
      'INSERT INTO t VALUES (3)',
    )
    const before = readFileSync(join(ground.root, 'shop.db'))
    asset()
    expect((await loaded('SELECT id FROM analytics_dev.t ORDER BY id')).rows).toEqual([
      { id: '1' },
      { id: '2' },
    ])
    expect(readFileSync(join(ground.root, 'shop.db')).equals(before)).toBe(true)
  })

  it('says that the file is locked, and tries again', async () => {
    showsSource(['sqlite'], ['retries'])
    sqlite('CREATE TABLE t (id INTEGER)')
    await another('BEGIN EXCLUSIVE')
    asset()
    await fails(3, 'sqlite:shop.db is being written by another program')
    ground.write(
      'models/t.svc',
      'name: t\ningest: {type: sql, endpoint: "sqlite:shop.db", resource: t, limits: {retries: 20}}\ncontract: {columns: {id: bigint}}\ntransform: SELECT id FROM {{ source }}\n',
    )
    const running = ground.line(['run'])
    const [child] = children
    child?.kill('SIGKILL')
    const said = await running
    expect(said.code, said.stderr).toBe(0)
  })

  it('never writes, not even by a query, and makes no file', async () => {
    sqlite('CREATE TABLE t (id INTEGER)', 'INSERT INTO t VALUES (1)')
    const { mtimeMs } = statSync(join(ground.root, 'shop.db'))
    asset('query: DELETE FROM t RETURNING id')
    await fails(3, 'Check ingest.query')
    expect(statSync(join(ground.root, 'shop.db')).mtimeMs).toBe(mtimeMs)
    ground.remove('shop.db')
    asset()
    await fails(3, 'there is no such file')
    expect(existsSync(join(ground.root, 'shop.db'))).toBe(false)
  })
})

describe('what is wrong', () => {
  it.each([
    ['resource: nope', 'no such table: nope'],
    ['query: SELECT nope FROM t', 'no such column: nope'],
    ['resource: t, where: id >', 'syntax error'],
  ])('%s', async (keys, message) => {
    sqlite('CREATE TABLE t (id INTEGER)')
    asset(keys)
    await fails(3, message)
  })

  it('is a file of something else', async () => {
    ground.write('shop.db', 'a text that is longer than the header of a database '.repeat(20))
    asset()
    await fails(3, 'file is not a database', 'Check that the file is one of SQLite')
  })
})

it('loads the rows of the condition, masked, and no more than the limit', async () => {
  showsSource(['sqlite'], ['where', 'mask', 'max_rows'])
  sqlite(
    'CREATE TABLE t (id INTEGER PRIMARY KEY, mail TEXT)',
    "INSERT INTO t VALUES (1, 'a@x'), (2, 'b@x'), (3, 'c@x'), (4, 'd@x')",
  )
  ground.write(
    'models/t.svc',
    'name: t\ningest: {type: sql, endpoint: "sqlite:shop.db", resource: t, where: id > 1, mask: {mail: redact}, limits: {max_rows: 2}}\ntransform: SELECT * FROM {{ source }}\n',
  )
  const { rows } = await loaded('FROM analytics_dev.t ORDER BY id')
  expect(rows).toEqual([
    { id: '2', mail: '***' },
    { id: '3', mail: '***' },
  ])
})

it('loads what is new, by a number and by a time', async () => {
  showsSource(['sqlite'], ['append'])
  sqlite(
    'CREATE TABLE t (id INTEGER, changed DATETIME)',
    'INSERT INTO t VALUES (1, 1706702400), (2, 1706702500)',
  )
  for (const cursor of ['id', 'changed']) {
    asset(`resource: t, write: append, incremental: {cursor: ${cursor}}`)
    await loaded()
    sqlite('INSERT INTO t SELECT max(id) + 1, max(changed) + 100 FROM t')
    const { rows } = await loaded(
      'SELECT count(*)::INTEGER AS n, max(id)::INTEGER AS last FROM analytics_dev.t',
    )
    const last = cursor === 'id' ? 3 : 4
    expect(rows).toEqual([{ n: last, last }])
  }
})

it('is discovered, one asset a table and view', async () => {
  showsSource(['sqlite'], ['discover'])
  sqlite(
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, email TEXT NOT NULL)',
    "INSERT INTO orders VALUES (1, 'ann@example.com')",
    'CREATE VIEW "all ids" AS SELECT id FROM orders',
  )
  const said = await ground.line(['discover', `sqlite://${join(ground.root, 'shop.db')}`, '--all'])
  expect(said.code, said.stderr).toBe(0)
  expect(readFileSync(join(ground.root, 'models/orders.svc'), 'utf8')).toContain('primary_key: id')
  expect(readFileSync(join(ground.root, 'models/orders.svc'), 'utf8')).toContain(
    'email: {type: varchar, nullable: false, pii: true}',
  )
  expect((await ground.line(['run', '--all'])).code).toBe(0)
})

it.each([
  ['sorts', 'SELECT x FROM n ORDER BY -x'],
  ['counts', 'SELECT CAST(count(*) AS INTEGER) AS x FROM n'],
])('is interrupted while it %s without end, before its first row', async (_what, query) => {
  const p = project({
    t: `ingest: {type: sql, endpoint: "sqlite:shop.db", query: "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) ${query}"}\ntransform: SELECT * FROM {{ source }}`,
  })
  new Database(join(p.root, 'shop.db')).close()
  const controller = new AbortController()
  const workspace = await p.workspace('prod', controller.signal)
  const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
  const run = runProject(workspace, request, ({ type }) => {
    if (type === 'fetch-started') setTimeout(() => controller.abort(), 300)
  })
  await expect(run).rejects.toThrow(/was stopped; production is as before/)
  await workspace.close()
})
