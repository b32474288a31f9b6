/** Loads that go on where the last promoted one ended: what is asked for, what joins, and when the cursor moves. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { showsSource } from '../../support/features/shows.ts'
import { times } from '../../support/long.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

interface Order {
  readonly id: number
  readonly changed: string
  readonly [name: string]: unknown
}

function write(p: TestProject, orders: readonly Order[]): void {
  mkdirSync(join(p.root, 'data'), { recursive: true })
  writeFileSync(
    join(p.root, 'data', 'orders.ndjson'),
    orders.map(order => `${JSON.stringify(order)}\n`).join(''),
  )
}

const fileOf = (more: string, transform = 'SELECT * FROM {{ source }}') =>
  `ingest: {type: file, endpoint: data, resource: orders.ndjson, ${more}}\ntransform: ${transform}`
const merge = 'write: merge, primary_key: id, incremental: {cursor: changed}'
const append = 'write: append, incremental: {cursor: changed}'

const ids = async (p: TestProject) =>
  (await p.query('SELECT id FROM analytics.orders ORDER BY id')).map(({ id }) => Number(id))

describe('a merge', () => {
  test('replaces records with their new versions, with the rows of their lists, and keeps all others', async () => {
    showsSource(['folder'], ['merge'])
    const p = project({
      orders: fileOf(merge),
      lines: `ingest: {type: file, endpoint: data, resource: orders.ndjson, ${merge}}\ntransform: SELECT o.id, l.sku FROM {{ source }} AS o JOIN {{ source('lines') }} AS l ON l._svc_parent_id = o._svc_id ORDER BY 1, 2`,
    })
    write(p, [
      { id: 1, changed: '2026-01-01T00:00:00Z', total: 10, lines: [{ sku: 'a' }, { sku: 'b' }] },
      { id: 2, changed: '2026-01-02T00:00:00Z', total: 20, lines: [{ sku: 'c' }] },
    ])
    await p.run()
    write(p, [
      { id: 2, changed: '2026-01-03T00:00:00Z', total: 25, lines: [{ sku: 'd' }, { sku: 'e' }] },
      { id: 3, changed: '2026-01-03T00:00:00Z', total: 30 },
    ])
    await p.run()
    expect(await p.query('SELECT id, total FROM analytics.orders ORDER BY id')).toEqual([
      { id: 1, total: 10 },
      { id: 2, total: 25 },
      { id: 3, total: 30 },
    ])
    expect(
      await p.query("SELECT id, string_agg(sku, ',') AS skus FROM analytics.lines GROUP BY 1 ORDER BY 1"),
    ).toEqual([
      { id: 1, skus: 'a,b' },
      { id: 2, skus: 'd,e' },
    ])
  })

  test('changes nothing when the source has nothing new, though it brings the last records again', async () => {
    const p = project({ orders: fileOf(merge) })
    const first = { id: 1, changed: '2026-01-01T00:00:00Z' }
    write(p, [first])
    await p.run()
    write(p, [first, { id: 0, changed: '2025-12-31T00:00:00Z' }])
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    write(p, [])
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    expect(await ids(p)).toEqual([1])
  })

  test('leaves what is written down of the source as it is, when nothing new comes and the query changes', async () => {
    const p = project({ orders: fileOf(merge) })
    const lock = () => readFileSync(join(p.root, 'schemas.lock.json'), 'utf8')
    write(p, [{ id: 1, changed: '2026-01-01T00:00:00Z', 'Net Total': 5, lines: [{ 'Item No': 'a' }] }])
    await p.run()
    const before = lock()
    write(p, [])
    p.files['orders'] = fileOf(merge, 'SELECT id, net_total FROM {{ source }}')
    expect(outcomes(await p.run())).toEqual(['orders built'])
    expect(lock()).toBe(before)
    write(p, [{ id: 2, changed: '2026-01-02T00:00:00Z', 'Net Total': 6, lines: [{ 'Item No': 'b' }] }])
    await p.run()
    expect(await p.query('SELECT net_total FROM analytics.orders ORDER BY id')).toEqual([
      { net_total: 5 },
      { net_total: 6 },
    ])
  })

  test('begins before the last value by the lag', async () => {
    const p = project({ orders: fileOf(merge.replace('cursor: changed', 'cursor: changed, lag: 1d')) })
    write(p, [{ id: 1, changed: '2026-01-10T00:00:00Z', v: 1 }])
    await p.run()
    write(p, [
      { id: 2, changed: '2026-01-09T12:00:00Z', v: 2 },
      { id: 3, changed: '2026-01-08T12:00:00Z', v: 3 },
    ])
    await p.run()
    expect(await ids(p)).toEqual([1, 2])
  })

  test('has columns that come later, and keeps those that few records have', async () => {
    const p = project({ orders: fileOf(merge) })
    write(p, [{ id: 1, changed: '2026-01-01T00:00:00Z', note: 'old' }])
    await p.run()
    write(p, [{ id: 2, changed: '2026-01-02T00:00:00Z', channel: 'web' }])
    await p.run()
    expect(await p.query('SELECT id, note, channel FROM analytics.orders ORDER BY id')).toEqual([
      { id: 1, note: 'old', channel: null },
      { id: 2, note: null, channel: 'web' },
    ])
    expect(p.events.filter(({ type }) => type === 'warning')).toEqual([])
  })
})

describe('an append', () => {
  test('adds each record once, also those that come late with the last value', async () => {
    showsSource(['folder'], ['append'])
    const p = project({ orders: fileOf(append) })
    const orders = [1, 2].map(id => ({ id, changed: '2026-01-01T00:00:00Z' }))
    write(p, orders)
    await p.run()
    write(p, [...orders, { id: 3, changed: '2026-01-01T00:00:00Z' }])
    await p.run()
    write(p, [
      ...orders,
      { id: 3, changed: '2026-01-01T00:00:00Z' },
      { id: 4, changed: '2026-01-02T00:00:00Z' },
    ])
    await p.run()
    expect(await ids(p)).toEqual([1, 2, 3, 4])
  })

  test('begins where it is told to', async () => {
    const p = project({
      orders: fileOf(append.replace('cursor: changed', 'cursor: changed, start: 2026-01-02')),
    })
    write(p, [
      { id: 1, changed: '2026-01-01T23:59:59Z' },
      { id: 2, changed: '2026-01-02T00:00:00Z' },
    ])
    await p.run()
    expect(await ids(p)).toEqual([2])
  })
})

test('the plan and the run say what goes with an asset whose file is removed', async () => {
  for (const keys of [append, merge]) {
    const p = project({ orders: fileOf(keys), other: 'ingest: none\ntransform: SELECT 1 AS id' })
    write(p, [{ id: 1, changed: '2026-01-01T00:00:00Z' }])
    await p.run()
    delete p.files['orders']
    const goes = 'what its loads have gathered goes with the last kept run'
    const workspace = await p.workspace()
    const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
    const { assets } = await planRun(workspace, request, () => undefined)
    await workspace.close()
    expect(assets.find(({ name }) => name === 'orders')?.reason).toContain(goes)
    await p.run()
    expect(p.events).toContainEqual(
      expect.objectContaining({ type: 'warning', message: expect.stringContaining(goes) }),
    )
  }
})

describe('the cursor', () => {
  test('moves with the promotion, and goes back with a rollback', async () => {
    const p = project({ orders: `${fileOf(merge)}\ntests: [{expression: id < 3}]` })
    write(p, [{ id: 1, changed: '2026-01-01T00:00:00Z' }])
    await p.run()
    write(p, [{ id: 3, changed: '2026-01-05T00:00:00Z' }])
    expect((await p.run()).status).toBe('Failed')
    write(p, [{ id: 2, changed: '2026-01-02T00:00:00Z' }])
    await p.run()
    expect(await ids(p)).toEqual([1, 2])
  })

  test('is forgotten by a full refresh, and not by another way of writing', async () => {
    const p = project({ orders: fileOf(merge) })
    write(p, [{ id: 5, changed: '2026-01-05T00:00:00Z' }])
    await p.run()
    write(p, [{ id: 1, changed: '2026-01-01T00:00:00Z' }])
    await p.run({ refresh: 'all', refreshSalt: 'again' })
    expect(await ids(p)).toEqual([1])
    expect(warningsOf(p)).toEqual([
      'the 1 row that its loads have gathered go, but for those that its source still has: a full refresh begins anew',
    ])
    write(p, [
      { id: 0, changed: '2025-01-01T00:00:00Z' },
      { id: 2, changed: '2026-01-02T00:00:00Z' },
    ])
    p.files['orders'] = fileOf(append)
    await p.run()
    expect(await ids(p)).toEqual([1, 2])
  })

  const warningsOf = ({ events }: TestProject) =>
    events.flatMap(event => (event.type === 'warning' ? [event.message] : []))

  test('does not move beyond the clock: a time far in the future passes over nothing, and is told', async () => {
    const never = '9999-12-31T00:00:00Z'
    for (const [more, last] of [
      [merge, never],
      [append, never],
      ['write: scd2, primary_key: id, incremental: {cursor: changed, lag: 1h}', '2026-03-01T00:00:00Z'],
    ] as const) {
      const p = project({ orders: fileOf(more) })
      p.clock = new Date('2026-01-10T12:00:00Z')
      const far = { id: 9, changed: last }
      write(p, [far, { id: 1, changed: '2026-01-01T00:00:00Z' }])
      await p.run()
      expect(warningsOf(p)).toEqual([
        expect.stringMatching(/^1 record has its "changed" more than a day in the future: (9999|2026-03)/),
      ])
      write(p, [far, { id: 2, changed: '2026-01-02T00:00:00Z' }])
      await p.run()
      expect([await ids(p), warningsOf(p)]).toEqual([[1, 2, 9], []])
      write(p, [far, { id: 3, changed: '2026-01-11T00:00:00Z' }, { id: 0, changed: '2026-01-01T00:00:00Z' }])
      await p.run()
      expect(await ids(p)).toEqual([1, 2, 3, 9])
      expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    }
  })

  test('stays at the start as long as all its values are far in the future', async () => {
    const p = project({ orders: fileOf(append) })
    const far = [8, 9].map(id => ({ id, changed: '9999-12-31T00:00:00Z' }))
    write(p, far)
    await p.run()
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    write(p, [...far, { id: 1, changed: '2020-01-01T00:00:00Z' }])
    await p.run()
    expect(await ids(p)).toEqual([1, 8, 9])
  })

  test('is a text that sorts like a time, too', async () => {
    const contract = '\ncontract: {columns: {changed: {type: VARCHAR}}}'
    const p = project({ orders: fileOf(merge).replace('\ntransform', `${contract}\ntransform`) })
    const far = { id: 9, changed: '9999-12-31 00:00' }
    write(p, [far, { id: 1, changed: '2026-01-01 08:00' }])
    await p.run()
    expect(warningsOf(p)).toHaveLength(1)
    write(p, [far, { id: 2, changed: '2026-01-02 08:00' }])
    await p.run()
    expect(await ids(p)).toEqual([1, 2, 9])
  })

  test('has to be a column that every record has', async () => {
    const p = project({ orders: fileOf(merge.replace('cursor: changed', 'cursor: chnaged')) })
    write(p, [{ id: 1, changed: '2026-01-01T00:00:00Z' }])
    expect((await p.run()).failure?.message).toBe(
      'the source has no column "chnaged", the cursor of incremental',
    )
    p.files['orders'] = fileOf(merge)
    write(p, [{ id: 1, changed: '2026-01-01T00:00:00Z' }, { id: 2 } as unknown as Order])
    expect((await p.run()).failure?.message).toContain('1 record has no "changed"')
  })
})

test('whatever changes at the source, production has the newest version of every record', async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed % below
  }
  const p = project({
    orders: fileOf(merge, 'SELECT id, version, CAST(changed AS VARCHAR) AS changed FROM {{ source }}'),
  })
  const records = new Map<number, Order>()
  let day = 0
  for (let round = 0; round < times(6, 30); round++) {
    for (let change = random(5); change > 0; change--) {
      const id = random(8)
      const changed = `2026-01-01T00:${String(day).padStart(2, '0')}:00Z`
      // Several changes may have one time, but a record changes once in it.
      if (records.get(id)?.changed !== changed) records.set(id, { id, changed, version: round * 10 + change })
      if (random(2) === 0) day++
    }
    write(p, [...records.values()])
    if (records.size === 0) continue
    expect((await p.run()).status).toBe('deployed')
    const rows = await p.query('SELECT id, version FROM analytics.orders ORDER BY id')
    const meant = [...records.values()].map(({ id, version }) => ({ id, version }))
    expect(rows).toEqual(meant.sort((a, b) => a.id - b.id))
  }
})

describe('a web service', () => {
  let server: Server | undefined
  afterEach(() => server?.close())

  test('has its records added, each once', async () => {
    showsSource(['rest_api'], ['append'])
    const records: Order[] = [{ id: 1, changed: '2026-01-01' }]
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(records))
    })
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const p = project({
      orders: `ingest: {type: rest_api, endpoint: "http://127.0.0.1:${port}", resource: orders, paginate: none, ${append}}\ntransform: SELECT * FROM {{ source }}`,
    })
    await p.run()
    records.push({ id: 2, changed: '2026-01-01' }, { id: 1, changed: '2026-01-02' })
    await p.run()
    expect(await ids(p)).toEqual([1, 1, 2])
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
  })

  test('is asked for what is new, and only its new records are fetched', async () => {
    showsSource(['rest_api'], ['merge'])
    const asked: (string | null)[] = []
    const records: Order[] = [{ id: 1, changed: '2026-01-01T00:00:00Z' }]
    server = createServer((request, response) => {
      const since = new URL(request.url ?? '/', 'http://x').searchParams.get('since')
      asked.push(since)
      const found = records.filter(({ changed }) => since === null || changed >= since)
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found))
    })
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const p = project({
      orders: `ingest:
  type: rest_api
  endpoint: http://127.0.0.1:${port}
  resource: orders
  paginate: none
  params: {since: "{{ cursor }}"}
  write: merge
  primary_key: id
  incremental: {cursor: changed}
transform: SELECT * FROM {{ source }}`,
    })
    await p.run()
    records.push({ id: 2, changed: '2026-01-02T00:00:00.5Z' })
    await p.run()
    records.push({ id: 3, changed: '2026-01-03T00:00:00Z' })
    await p.run()
    expect(asked).toEqual([null, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00.5Z'])
    expect(await ids(p)).toEqual([1, 2, 3])
  })
})

/** Runs statements in the file of DuckDB that the project reads. */
function shopOf({ root }: TestProject) {
  return async (sql: string) => {
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const instance = await DuckDBInstance.create(join(root, 'shop.duckdb'))
    const connection = await instance.connect()
    await connection.run(sql)
    connection.closeSync()
    instance.closeSync()
  }
}

test('a table of a database sends only the rows from the cursor on', async () => {
  showsSource(['duckdb'], ['merge'])
  const p = project({
    orders: `ingest: {type: sql, endpoint: "duckdb:shop.duckdb", resource: orders, ${merge}}\ntransform: SELECT * FROM {{ source }}`,
  })
  p.clock = new Date('2026-07-01T00:00:00Z')
  const shop = shopOf(p)
  await shop(
    "CREATE TABLE orders AS SELECT i AS id, TIMESTAMP '2026-01-01' + i * INTERVAL 1 DAY AS changed FROM range(1, 101) AS t(i)",
  )
  await p.run()
  await shop(
    "INSERT INTO orders VALUES (101, TIMESTAMP '2026-06-01'); UPDATE orders SET changed = TIMESTAMP '2026-06-02' WHERE id = 7",
  )
  await p.run()
  const fetched = p.events.find(({ type }) => type === 'fetch-finished')
  expect(fetched).toMatchObject({ rows: 2 })
  expect((fetched as { bytes: number }).bytes).toBeLessThan(200)
  expect(
    await p.query(
      "SELECT count(*) AS n, count(DISTINCT id) AS d, max(changed) FILTER (WHERE id = 7) = TIMESTAMP '2026-06-02' AS is_new FROM analytics.orders",
    ),
  ).toEqual([{ n: 101, d: 101, is_new: true }])
})

describe('files of databases', () => {
  const along = (address: string, keys: string) => `ingest:
  type: sql
  endpoint: "${address}"
  resource: orders
  write: append
  incremental: {cursor: ${keys}}
transform: SELECT * FROM {{ source }}`
  const counted = 'SELECT count(*) AS n, count(DISTINCT id) AS d FROM analytics.orders'
  const loads = async (p: TestProject) => {
    expect((await p.run()).failure).toBeUndefined()
    return (await p.query(counted))[0]
  }

  test.each(['id, window: 30', 'changed, window: 20d', 'day, window: 36h'])(
    'a table of DuckDB is read in windows of %s, and in order as far as a limit allows',
    async keys => {
      showsSource(['duckdb'], ['append', 'order', 'window', 'max_rows'])
      const p = project({ orders: along('duckdb:shop.duckdb', keys) })
      await shopOf(p)(
        "CREATE TABLE orders AS SELECT i AS id, TIMESTAMPTZ '2026-01-01 00:00:00+00' + i * INTERVAL 1 DAY AS changed, DATE '2026-01-01' + i::INTEGER AS day FROM range(1, 101) AS t(i)",
      )
      expect(await loads(p)).toEqual({ n: 100, d: 100 })
      const [cursor] = keys.split(',')
      p.files['orders'] = along('duckdb:shop.duckdb', `${cursor}, order: asc`).replace(
        '  write',
        '  limits: {max_rows: 60}\n  write',
      )
      await p.run({ refresh: 'all', refreshSalt: 'again' })
      expect((await p.query(counted))[0]).toEqual({ n: 60, d: 60 })
      expect(await loads(p)).toEqual({ n: 100, d: 100 })
    },
  )

  test('SQLite has windows of numbers, and says that it has none of times', async () => {
    showsSource(['sqlite'], ['append', 'order', 'window'])
    const p = project({ orders: along('sqlite:shop.db', 'id, window: 30, order: asc') })
    const { default: Libsql } = await import('libsql')
    const database = new Libsql(join(p.root, 'shop.db'))
    database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, changed DATETIME);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO orders SELECT i, datetime('2026-01-01', i || ' days') FROM n`)
    database.close()
    expect(await loads(p)).toEqual({ n: 100, d: 100 })
    p.files['orders'] = along('sqlite:shop.db', 'changed, window: 7d')
    expect((await p.run()).failure?.message).toContain(
      '"changed" is no column of numbers, and SQLite has no type for times',
    )
  })
})

test('a table of SQLite is merged by its key', async () => {
  showsSource(['sqlite'], ['merge'])
  const p = project({
    orders: `ingest: {type: sql, endpoint: "sqlite:shop.db", resource: orders, ${merge}}\ntransform: SELECT * FROM {{ source }}`,
  })
  const { default: Libsql } = await import('libsql')
  const shop = (sql: string) => {
    const database = new Libsql(join(p.root, 'shop.db'))
    database.exec(sql)
    database.close()
  }
  shop(`CREATE TABLE orders (id INTEGER PRIMARY KEY, changed TEXT, v TEXT);
    INSERT INTO orders VALUES (1, '2026-01-01', 'a'), (2, '2026-01-02', 'b')`)
  await p.run()
  shop(`UPDATE orders SET changed = '2026-01-03', v = 'x' WHERE id = 1;
    UPDATE orders SET changed = '2026-01-01', v = 'is not seen' WHERE id = 2;
    INSERT INTO orders VALUES (3, '2026-01-04', 'c')`)
  await p.run()
  expect(await p.query('SELECT id, v FROM analytics.orders ORDER BY id')).toEqual([
    { id: 1, v: 'x' },
    { id: 2, v: 'b' },
    { id: 3, v: 'c' },
  ])
})

describe('masked records', () => {
  const masked = `${merge.replace('primary_key: id', 'primary_key: email')}, mask: {email: hash}`
  const person = (email: string, changed: string) => ({ id: 1, email, changed })

  test('join those that are loaded by the hash of their key', async () => {
    const p = project({ orders: fileOf(masked) })
    p.env = { SVC_MASK_KEY: 'a key of the first day' }
    write(p, [person('a@x.de', '2026-01-01T00:00:00Z'), person('b@x.de', '2026-01-02T00:00:00Z')])
    await p.run()
    write(p, [person('b@x.de', '2026-01-03T00:00:00Z'), person('c@x.de', '2026-01-03T00:00:00Z')])
    expect(outcomes(await p.run())).toEqual(['orders built'])
    expect(await ids(p)).toEqual([1, 1, 1])
  })

  test('are not mixed with those of another key', async () => {
    const p = project({ orders: fileOf(masked) })
    p.env = { SVC_MASK_KEY: 'a key of the first day' }
    write(p, [person('a@x.de', '2026-01-01T00:00:00Z')])
    await p.run()
    p.env = { SVC_MASK_KEY: 'a key of another day' }
    write(p, [person('a@x.de', '2026-01-02T00:00:00Z')])
    expect((await p.run()).failure).toMatchObject({ code: 'mask-key-changed', asset: 'orders' })
    expect(outcomes(await p.run({ refresh: 'all' }))).toEqual(['orders built'])
    expect(await ids(p)).toEqual([1])
    write(p, [person('b@x.de', '2026-01-03T00:00:00Z')])
    await p.run()
    expect(await ids(p)).toEqual([1, 1])
  })
})
