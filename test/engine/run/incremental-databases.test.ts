/** Incremental loads from real servers: each database gets the condition in a form that it takes. */
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'libsql'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runProject } from '../../../cli/engine/run/run-project.ts'
import { showsSource } from '../../support/features/shows.ts'
import { startFragileProxy, through } from '../../support/fragile-proxy.ts'
import { canStartMariadb, type MariadbServer, startMariadb } from '../../support/mariadb.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

const asset = (cursor: string) => `ingest:
  type: sql
  endpoint: env:PLACE
  resource: orders
  write: merge
  primary_key: id
  incremental: {cursor: ${cursor}}
transform: SELECT * FROM {{ source }}`

interface Change {
  readonly run: (sql: string) => Promise<unknown>
  readonly address: string
  readonly cursor: string
}

/** A table of 500 rows, of which one changes and one is added: these and the last one come again. */
async function onlyTheNewOnes({ run, address, cursor }: Change): Promise<void> {
  const p = project({ orders: asset(cursor) })
  p.env = { PLACE: address }
  expect((await p.run()).failure).toBeUndefined()
  expect(fetchedBytes(p)).toBeGreaterThan(5000)
  await run(
    "UPDATE orders SET note = 'changed', changed = '2030-01-02 00:00:00', zoned = '2030-01-02 00:00:00' WHERE id = 7",
  )
  await run('UPDATE orders SET num = 501 WHERE id = 7')
  await run("INSERT INTO orders VALUES (1000, 502, '2030-01-03 10:11:12.5', '2030-01-03 10:11:12.5', 'new')")
  expect((await p.run()).failure).toBeUndefined()
  expect(fetchedBytes(p)).toBeLessThan(400)
  expect(
    await p.query(
      "SELECT count(*) AS n, count(DISTINCT id) AS d, string_agg(note, ',' ORDER BY id) FILTER (WHERE note <> 'old') AS notes FROM analytics.orders",
    ),
  ).toEqual([{ n: 501, d: 501, notes: 'changed,new' }])
  await p.run()
  expect(p.events.find(({ type }) => type === 'fetch-finished')).toMatchObject({ rows: 0, unchanged: true })
}

const along = (cursor: string, keys: string, limits = '{retries: 0}') => `ingest:
  type: sql
  endpoint: env:PLACE
  resource: orders
  write: append
  incremental: {cursor: ${cursor}, ${keys}}
  limits: ${limits}
transform: SELECT * FROM {{ source }}`

const counted =
  'SELECT count(*) AS n, count(DISTINCT id) AS d, CAST(max(num) AS INTEGER) AS most FROM analytics.orders'

/** 500 rows of one hour each, and one years later, to which the empty windows between are passed over. */
async function inWindows({ run, address, cursor }: Change, window: string): Promise<void> {
  await run("INSERT INTO orders VALUES (501, 99999, '2030-01-01 00:00:00', '2030-01-01 00:00:00', 'late')")
  const p = project({ orders: along(cursor, `window: ${window}`) })
  p.env = { PLACE: address }
  // A time in the future would not move the cursor.
  p.clock = new Date('2030-06-01T00:00:00Z')
  expect((await p.run()).failure).toBeUndefined()
  expect(await p.query(counted)).toEqual([{ n: 501, d: 501, most: 99999 }])
  expect(windowsOf(p)).toBeGreaterThan(4)
  expect(windowsOf(p)).toBeLessThan(9)
  await run("INSERT INTO orders VALUES (502, 100000, '2030-01-02 00:00:00', '2030-01-02 00:00:00', 'later')")
  expect((await p.run()).failure).toBeUndefined()
  expect([fetched(p)?.rows, windowsOf(p)]).toEqual([1, 1])
  expect(await p.query(counted)).toEqual([{ n: 502, d: 502, most: 100000 }])
}

/** Each load has the oldest rows behind the one before. */
async function withALimit({ address, cursor }: Change): Promise<void> {
  const p = project({ orders: along(cursor, 'order: asc', '{max_rows: 200}') })
  p.env = { PLACE: address }
  const loaded: unknown[] = []
  for (let load = 0; load < 3; load++) {
    expect((await p.run()).failure).toBeUndefined()
    loaded.push(
      ...(await p.query('SELECT count(*) AS n, CAST(max(num) AS INTEGER) AS most FROM analytics.orders')),
    )
  }
  expect(loaded).toEqual([
    { n: 200, most: 200 },
    { n: 399, most: 399 },
    { n: 500, most: 500 },
  ])
}

const kept = `ingest: {type: sql, endpoint: "env:PLACE", resource: orders, write: scd2, primary_key: id}
transform: SELECT * FROM {{ source }}`

/** Five rows, of which one changes, one goes and comes back, and the others stay as they are. */
async function withTheirHistory({ run, address }: Omit<Change, 'cursor'>): Promise<void> {
  const p = project({ orders: kept })
  p.env = { PLACE: address }
  expect((await p.run()).failure).toBeUndefined()
  await run("UPDATE orders SET note = 'changed' WHERE id = 1")
  await run('DELETE FROM orders WHERE id = 2')
  expect((await p.run()).failure).toBeUndefined()
  await run("INSERT INTO orders SELECT 2, num, changed, zoned, 'back' FROM orders WHERE id = 3")
  expect((await p.run()).failure).toBeUndefined()
  expect((await p.run()).assets).toMatchObject([{ status: 'unchanged' }])
  const versions = await p.query(
    'SELECT id, note, _svc_valid_to IS NULL AS lasts FROM analytics.orders WHERE id <= 3 ORDER BY id, _svc_valid_from',
  )
  expect(versions.map(row => Object.values(row).join(' '))).toEqual([
    ...['1 old false', '1 changed true'],
    ...['2 old false', '2 back true', '3 old true'],
  ])
}

/** The first two connections break before the database answers and while rows come; the third one brings all of them. */
async function aBrokenConnection({ address, port }: { address: string; port: number }): Promise<void> {
  const proxy = await startFragileProxy(port)
  try {
    const p = project({
      orders: `ingest: {type: sql, endpoint: "env:PLACE", resource: orders, limits: {retries: 3}}\ntransform: SELECT * FROM {{ source }}`,
    })
    p.env = { PLACE: through(address, proxy) }
    proxy.breaksAt = (data, from, connection) =>
      connection === 1 || (connection === 2 && from === 'server' && data.includes('2026-01-01'))
    expect((await p.run()).failure).toBeUndefined()
    expect(await p.query(counted)).toEqual([{ n: 500, d: 500, most: 500 }])
    expect(notesOf(p).filter(note => note.includes('trying again in'))).toHaveLength(2)
  } finally {
    proxy.stop()
  }
}

function notesOf({ events }: TestProject): readonly string[] {
  return events.flatMap(event => (event.type === 'fetch-progress' ? (event.note ?? []) : []))
}

/** What broke off in the third window goes on there. */
async function goesOn(p: TestProject): Promise<void> {
  expect((await p.run()).failure).toBeUndefined()
  expect(notesOf(p)).toContain('going on from 201: 200 rows are kept')
  expect(await p.query(counted)).toEqual([{ n: 500, d: 500, most: 500 }])
}

function fetched({ events }: TestProject) {
  const found = events.find(({ type }) => type === 'fetch-finished')
  return found?.type === 'fetch-finished' ? found : undefined
}

function windowsOf({ events }: TestProject): number {
  return Math.max(...events.map(event => (event.type === 'fetch-progress' ? event.pages : 0)))
}

function fetchedBytes({ events }: TestProject): number {
  const fetched = events.find(({ type }) => type === 'fetch-finished')
  return fetched?.type === 'fetch-finished' ? fetched.bytes : 0
}

describe.runIf(canStartPostgres())('PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  test.each(['changed', 'zoned', 'num'])('sends the rows from the cursor "%s" on', async cursor => {
    showsSource(['postgres'], ['merge'])
    const address = await server.createDatabase()
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      await client.query("SET TIME ZONE 'Asia/Tokyo'")
      await client.query(`CREATE TABLE orders AS SELECT i AS id, i AS num, TIMESTAMP '2026-01-01' + i * INTERVAL '1 hour' AS changed,
        TIMESTAMPTZ '2026-01-01 00:00:00+00' + i * INTERVAL '1 hour' AS zoned, 'old' AS note FROM generate_series(1, 500) AS t(i)`)
      await onlyTheNewOnes({ run: sql => client.query(sql), address, cursor })
    } finally {
      await client.end()
    }
  })

  const hourly = `CREATE TABLE orders AS SELECT i AS id, i AS num, TIMESTAMP '2026-01-01' + i * INTERVAL '1 hour' AS changed,
    TIMESTAMPTZ '2026-01-01 00:00:00+00' + i * INTERVAL '1 hour' AS zoned, 'old' AS note FROM generate_series(1, 500) AS t(i)`

  test.each([
    ['changed', '5d'],
    ['zoned', '5d'],
    ['num', '100'],
  ])('is read in windows of "%s", and then in order as far as a limit allows', async (cursor, window) => {
    showsSource(['postgres'], ['append', 'order', 'window'])
    const address = await server.createDatabase()
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      await client.query(hourly)
      await withALimit({ run: sql => client.query(sql), address, cursor })
      await inWindows({ run: sql => client.query(sql), address, cursor }, window)
    } finally {
      await client.end()
    }
  })

  test('keeps the versions of its rows', async () => {
    showsSource(['postgres'], ['scd2'])
    const address = await server.createDatabase()
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      await client.query(hourly.replace('(1, 500)', '(1, 5)'))
      await withTheirHistory({ run: sql => client.query(sql), address })
    } finally {
      await client.end()
    }
  })

  test('is asked again after a connection that breaks', async () => {
    showsSource(['postgres'], ['retries'])
    const address = await server.createDatabase()
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      await client.query(hourly)
      await aBrokenConnection({ address, port: Number(new URL(address).port) })
    } finally {
      await client.end()
    }
  })

  test('a connection that breaks costs one window, and production and the cursor stay', async () => {
    showsSource(['postgres'], ['resume'])
    const address = await server.createDatabase()
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    try {
      await client.query(hourly.replace('orders', 'all_orders'))
      await client.query(`CREATE FUNCTION fragile(id int) RETURNS text STABLE LANGUAGE plpgsql AS $$ BEGIN
        IF id = 300 AND to_regclass('healed') IS NULL THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN 'old'; END $$`)
      await client.query('CREATE VIEW orders AS SELECT id, num, changed, fragile(id) AS note FROM all_orders')
      const p = project({ orders: along('num', 'window: 100') })
      p.env = { PLACE: address }
      expect((await p.run()).failure).toMatchObject({ code: 'database-unreachable' })
      // What changes meanwhile is beyond the end of this load.
      await client.query('CREATE TABLE healed (); UPDATE all_orders SET num = 501 WHERE id = 7')
      expect((await p.run()).failure).toBeUndefined()
      expect(notesOf(p)).toContain('going on from 201: 200 rows are kept')
      expect(await p.query(counted)).toEqual([{ n: 500, d: 500, most: 500 }])
      expect((await p.run()).failure).toBeUndefined()
      expect(fetched(p)).toMatchObject({ rows: 1 })
    } finally {
      await client.end()
    }
  })
})

describe.runIf(canStartMariadb())('MariaDB', () => {
  let server: MariadbServer
  beforeAll(async () => {
    server = await startMariadb()
  })
  afterAll(() => server.stop())

  test.each(['changed', 'zoned', 'num'])('sends the rows from the cursor "%s" on', async cursor => {
    showsSource(['mysql'], ['merge'])
    const address = await server.createDatabase()
    const client = await mysql.createConnection(address.replace(/^mariadb:/, 'mysql:'))
    try {
      await client.query("SET time_zone = '+09:00'")
      await client.query(
        'CREATE TABLE orders (id int PRIMARY KEY, num int, changed datetime(6), zoned timestamp(6) NULL, note varchar(20))',
      )
      await client.query(`INSERT INTO orders SELECT seq, seq, TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq HOUR,
        TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq HOUR, 'old' FROM seq_1_to_500`)
      await onlyTheNewOnes({ run: sql => client.query(sql), address, cursor })
    } finally {
      await client.end()
    }
  })

  test.each([
    ['changed', '5d'],
    ['zoned', '5d'],
    ['num', '100'],
  ])('is read in windows of "%s", and then in order as far as a limit allows', async (cursor, window) => {
    showsSource(['mysql'], ['append', 'order', 'window'])
    const address = await server.createDatabase()
    const client = await mysql.createConnection(address.replace(/^mariadb:/, 'mysql:'))
    try {
      await client.query(
        'CREATE TABLE orders (id int PRIMARY KEY, num int, changed datetime(6), zoned timestamp(6) NULL, note varchar(20))',
      )
      await client.query(`INSERT INTO orders SELECT seq, seq, TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq HOUR,
        TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq HOUR, 'old' FROM seq_1_to_500`)
      await withALimit({ run: sql => client.query(sql), address, cursor })
      await inWindows({ run: sql => client.query(sql), address, cursor }, window)
    } finally {
      await client.end()
    }
  })

  test('keeps the versions of its rows', async () => {
    showsSource(['mysql'], ['scd2'])
    const address = await server.createDatabase()
    const client = await mysql.createConnection(address.replace(/^mariadb:/, 'mysql:'))
    try {
      await client.query(
        'CREATE TABLE orders (id int PRIMARY KEY, num int, changed datetime(6), zoned timestamp(6) NULL, note varchar(20))',
      )
      await client.query(`INSERT INTO orders SELECT seq, seq, TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq HOUR,
        TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq HOUR, 'old' FROM seq_1_to_5`)
      await withTheirHistory({ run: sql => client.query(sql), address })
    } finally {
      await client.end()
    }
  })

  test('is asked again after a connection that breaks, which costs one window where it is read in windows', async () => {
    showsSource(['mysql'], ['retries', 'resume'])
    const address = await server.createDatabase()
    const client = await mysql.createConnection(address.replace(/^mariadb:/, 'mysql:'))
    const port = Number(new URL(address).port)
    const proxy = await startFragileProxy(port)
    try {
      await client.query(`CREATE TABLE orders AS SELECT seq AS id, seq AS num,
        TIMESTAMP '2026-01-01 00:00:00' + INTERVAL seq SECOND AS changed, 'old' AS note FROM seq_1_to_500`)
      await aBrokenConnection({ address, port })
      const p = project({ orders: along('num', 'window: 100') })
      p.env = { PLACE: through(address, proxy) }
      proxy.breaksAt = (data, from) => from === 'client' && /num.? >= '?201/.test(data.toString('latin1'))
      expect((await p.run()).failure).toMatchObject({ code: 'database-unreachable' })
      proxy.breaksAt = () => false
      await goesOn(p)
    } finally {
      proxy.stop()
      await client.end()
    }
  })
})

test('a file of SQLite goes on with the window in which a run was interrupted', async () => {
  showsSource(['sqlite'], ['resume'])
  const p = project({ orders: along('num', 'window: 100') })
  p.env = { PLACE: 'sqlite:shop.db' }
  const database = new Database(join(p.root, 'shop.db'))
  database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, num INTEGER)')
  database.exec(
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500) INSERT INTO orders SELECT x, x FROM n',
  )
  database.close()
  const controller = new AbortController()
  // Progress is told ten times a second at most: here each window takes longer.
  const clock = vi.spyOn(performance, 'now')
  let now = 0
  clock.mockImplementation(() => {
    now += 200
    return now
  })
  const workspace = await p.workspace('prod', controller.signal)
  const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
  const run = runProject(workspace, request, event => {
    if (event.type === 'fetch-progress' && event.rows === 300) controller.abort()
  })
  await expect(run).rejects.toThrow(/was stopped/)
  clock.mockRestore()
  await workspace.close()
  await goesOn(p)
})

test('a file of DuckDB goes on with the window in which a fetch broke off', async () => {
  showsSource(['duckdb'], ['resume'])
  const p = project({ orders: along('num', 'window: 100') })
  p.env = { PLACE: 'duckdb:other.duckdb' }
  const change = async (...statements: readonly string[]) => {
    const instance = await DuckDBInstance.create(join(p.root, 'other.duckdb'))
    const connection = await instance.connect()
    for (const sql of statements) await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
  }
  await change(
    'CREATE TABLE ids AS SELECT range AS id FROM range(1, 501)',
    'CREATE TABLE healed (id INTEGER)',
    `CREATE VIEW orders AS SELECT id, id AS num,
      CASE WHEN id = 300 AND NOT EXISTS (SELECT 1 FROM healed) THEN error('broken') END AS note FROM ids`,
  )
  expect((await p.run()).failure).toMatchObject({ code: 'database-statement' })
  await change('INSERT INTO healed VALUES (1)')
  await goesOn(p)
})
