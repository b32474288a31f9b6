/** Loads that keep every version of a record (`write: scd2`): when versions begin and end, on every kind of source. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import { showsSource } from '../../support/features/shows.ts'
import { times } from '../../support/long.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

interface Order {
  readonly id: number
  readonly [name: string]: unknown
}

function write(p: TestProject, orders: readonly Order[], name = 'orders.ndjson'): void {
  mkdirSync(join(p.root, 'data'), { recursive: true })
  writeFileSync(join(p.root, 'data', name), orders.map(order => `${JSON.stringify(order)}\n`).join(''))
}

const history = 'write: scd2, primary_key: id'
const fileOf = (more = history, transform = 'SELECT * FROM {{ source }}') =>
  `ingest: {type: file, endpoint: data, resource: "*.ndjson", ${more}}\ntransform: ${transform}`

/** The versions as `id value from-to`, with the number of the run in place of its time. */
async function versions(p: TestProject, value = 'v'): Promise<readonly string[]> {
  const start = Date.parse('2026-03-01T12:00:00Z') / 1000
  const rows = await p.query(
    `SELECT id, ${value} AS v, extract(epoch FROM _svc_valid_from) AS f, extract(epoch FROM _svc_valid_to) AS t FROM analytics.orders ORDER BY 1, 2, 3, 4`,
  )
  const run = (time: unknown) => (time === null ? '' : Number(time) - start)
  return rows.map(({ id, v, f, t }) => `${id} ${v} ${run(f)}-${run(t)}`)
}

describe('all records', () => {
  test('a changed record begins a version, a record that is gone ends, and one that comes back begins anew', async () => {
    showsSource(['folder'], ['scd2'])
    const p = project({ orders: fileOf() })
    write(p, [
      { id: 1, v: 'a' },
      { id: 2, v: 'b' },
    ])
    await p.run()
    write(p, [{ id: 1, v: 'c' }])
    await p.run()
    write(p, [
      { id: 1, v: 'c' },
      { id: 2, v: 'b' },
    ])
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-2', '1 c 2-', '2 b 1-2', '2 b 3-'])
  })

  test('the same records change nothing, and nothing is built', async () => {
    const p = project({ orders: fileOf() })
    write(p, [{ id: 1, v: 'a' }])
    await p.run()
    write(p, [{ id: 1, v: 'b' }])
    await p.run()
    write(p, [{ id: 1, v: 'b' }])
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    expect(await versions(p)).toEqual(['1 a 1-2', '1 b 2-'])
  })

  test('an asset with another name begins anew, and the run says what goes with the old one', async () => {
    const p = project({ orders: fileOf() })
    write(p, [{ id: 1, v: 'a' }])
    await p.run()
    p.files['sales'] = fileOf()
    delete p.files['orders']
    await p.run()
    const [warned, ...others] = p.events.filter(({ type }) => type === 'warning')
    expect(warned).toMatchObject({
      asset: 'orders',
      message: expect.stringContaining('earlier versions of its records'),
    })
    expect(others).toEqual([])
  })

  test('no record at all is an error, unless the contract allows it: then all versions end', async () => {
    const p = project({ orders: fileOf() })
    write(p, [{ id: 1, v: 'a' }])
    await p.run()
    write(p, [{ id: 1, v: 'b' }])
    await p.run()
    write(p, [])
    expect((await p.run()).failure?.message).toBe('the source has no records now, and had 1 at its last load')
    p.files['orders'] = fileOf().replace('transform', 'contract: {allow_empty: true}\ntransform')
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-2', '1 b 2-4'])
  })

  test('new columns and wider types begin versions of the records that have a value in them', async () => {
    const p = project({ orders: fileOf() })
    write(p, [
      { id: 1, v: 1 },
      { id: 2, v: 2 },
    ])
    await p.run()
    write(p, [
      { id: 1, v: 1 },
      { id: 2, v: 2.5, note: 'n' },
    ])
    await p.run()
    expect(await versions(p)).toEqual(['1 1 1-', '2 2 1-2', '2 2.5 2-'])
    expect(await versions(p, 'note')).toEqual(['1 null 1-', '2 n 2-', '2 null 1-2'])
  })

  test('move with the promotion, and go back with a rollback', async () => {
    const p = project({ orders: `${fileOf()}\ntests: [{expression: v <> 'bad'}]` })
    write(p, [{ id: 1, v: 'a' }])
    await p.run()
    write(p, [{ id: 1, v: 'bad' }])
    expect((await p.run()).status).toBe('Failed')
    write(p, [{ id: 1, v: 'b' }])
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-3', '1 b 3-'])
    const workspace = await p.workspace()
    try {
      await rollback(workspace, {}, () => undefined)
    } finally {
      await workspace.close()
    }
    expect(await versions(p)).toEqual(['1 a 1-'])
    // The same records on the same load are the load that is there.
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-3', '1 b 3-'])
  })

  test('never end before they begin, however far behind the clock of the machine is', async () => {
    const p = project({ orders: fileOf() })
    write(p, [{ id: 1, v: 'a' }])
    await p.run()
    for (const [clock, warned] of [
      ['2026-03-01T11:00:00Z', true],
      // The clocks of two machines are never quite the same, and two loads may have one time.
      ['2026-03-01T12:00:00Z', false],
      ['2026-03-01T13:00:00Z', false],
    ] as const) {
      p.clock = new Date(clock)
      write(p, [{ id: 1, v: clock }])
      expect((await p.run()).failure).toBeUndefined()
      expect(p.events.some(event => event.type === 'warning' && event.code === 'clock-behind')).toBe(warned)
    }
    const rows = await p.query(
      `SELECT count(*) AS n, count(*) FILTER (WHERE _svc_valid_to <= _svc_valid_from) AS wrong,
        count(DISTINCT _svc_valid_from) AS begins FROM analytics.orders`,
    )
    expect(rows.map(row => Object.values(row).map(Number))).toEqual([[4, 0, 4]])
  })

  test('stay under another definition and a full refresh, without what is left out or masked now', async () => {
    const p = project({ orders: fileOf() })
    p.env = { SVC_MASK_KEY: 'a key of the tests that is long enough' }
    write(p, [{ id: 1, v: 'a', mail: 'x@example.com', card: '1' }])
    await p.run()
    p.files['orders'] = fileOf(`${history}, exclude: card, mask: {mail: redact}`)
    write(p, [{ id: 1, v: 'b', mail: 'x@example.com', card: '1' }])
    await p.run()
    write(p, [{ id: 1, v: 'c', mail: 'x@example.com', card: '1' }])
    await p.run({ refresh: 'all', refreshSalt: 'again' })
    expect(await versions(p)).toEqual(['1 a 1-2', '1 b 2-3', '1 c 3-'])
    const [first] = await p.query('SELECT * FROM analytics.orders ORDER BY _svc_valid_from')
    expect(first).not.toHaveProperty('card')
    expect(first?.['mail']).toBe('***')
  })
})

test('lists of objects are refused, and kept as JSON where that is asked for', async () => {
  const p = project({ orders: fileOf() })
  write(p, [{ id: 1, v: 'a', lines: [{ sku: 'x' }] }])
  expect((await p.run()).failure).toMatchObject({
    message: 'write: scd2 keeps the versions of one table, and the source has lists of objects: "lines"',
  })
  p.files['orders'] = fileOf(`${history}, nested: json`)
  await p.run()
  write(p, [{ id: 1, v: 'a', lines: [{ sku: 'y' }] }])
  await p.run()
  expect(await versions(p, "lines->0->>'sku'")).toEqual(['1 x 2-3', '1 y 3-'])
})

describe('only new records', () => {
  test('begin versions by their key; what does not come stays valid', async () => {
    const p = project({ orders: fileOf(`${history}, incremental: {cursor: at, lag: 1d}`) })
    write(p, [
      { id: 1, at: '2026-01-01', v: 'a' },
      { id: 2, at: '2026-01-01', v: 'b' },
    ])
    await p.run()
    write(p, [
      { id: 1, at: '2026-01-02', v: 'c' },
      { id: 3, at: '2026-01-02', v: 'd' },
    ])
    await p.run()
    write(p, [{ id: 1, at: '2026-01-02', v: 'c' }])
    expect(outcomes(await p.run())).toEqual(['orders unchanged'])
    expect(await versions(p)).toEqual(['1 a 1-2', '1 c 2-', '2 b 1-', '3 d 2-'])
  })

  test('come from files that are read once', async () => {
    const p = project({ orders: fileOf(`${history}, only_new: true`) })
    write(p, [{ id: 1, v: 'a' }], 'a.ndjson')
    await p.run()
    write(p, [{ id: 1, v: 'b' }], 'b.ndjson')
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-2', '1 b 2-'])
  })
})

describe('every kind of source', () => {
  let server: Server | undefined
  afterEach(() => server?.close())

  test('keeps the versions of a web service', async () => {
    showsSource(['rest_api'], ['scd2'])
    let records: Order[] = [{ id: 1, v: 'a' }]
    server = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(records))
    })
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const p = project({
      orders: `ingest: {type: rest_api, endpoint: "http://127.0.0.1:${port}", resource: orders, ${history}}\ntransform: SELECT * FROM {{ source }}`,
    })
    await p.run()
    records = [{ id: 2, v: 'b' }]
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-2', '2 b 2-'])
  })

  test('keeps the versions of a table of a database', async () => {
    showsSource(['sqlite'], ['scd2'])
    const p = project({
      orders: `ingest: {type: sql, endpoint: "sqlite:shop.db", resource: orders, ${history}}\ntransform: SELECT * FROM {{ source }}`,
    })
    const { default: Libsql } = await import('libsql')
    const shop = (sql: string) => {
      const database = new Libsql(join(p.root, 'shop.db'))
      database.exec(sql)
      database.close()
    }
    shop("CREATE TABLE orders (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO orders VALUES (1, 'a'), (2, 'b')")
    await p.run()
    shop("DELETE FROM orders WHERE id = 1; UPDATE orders SET v = 'c' WHERE id = 2")
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-2', '2 b 1-2', '2 c 2-'])
  })

  test('keeps the versions of a table in a file of DuckDB', async () => {
    showsSource(['duckdb'], ['scd2'])
    const p = project({
      orders: `ingest: {type: sql, endpoint: "duckdb:shop.duckdb", resource: orders, ${history}}\ntransform: SELECT * FROM {{ source }}`,
    })
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const shop = async (sql: string) => {
      const instance = await DuckDBInstance.create(join(p.root, 'shop.duckdb'))
      const connection = await instance.connect()
      await connection.run(sql)
      connection.closeSync()
      instance.closeSync()
    }
    await shop("CREATE TABLE orders AS SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(id, v)")
    await p.run()
    await shop("DELETE FROM orders WHERE id = 1; UPDATE orders SET v = 'c' WHERE id = 2")
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-2', '2 b 1-2', '2 c 2-'])
  })

  test('keeps the versions of rows, the one who changes them in the file', async () => {
    showsSource(['rows'], ['scd2'])
    const rowsOf = (v: string) =>
      `ingest: {type: rows, rows: [{id: 1, v: ${v}}], ${history}}\ntransform: SELECT * FROM {{ source }}`
    const p = project({ orders: rowsOf('a') })
    await p.run()
    p.files['orders'] = rowsOf('b')
    await p.run()
    expect(await versions(p)).toEqual(['1 a 1-2', '1 b 2-'])
  })
})

test('whatever changes at the source, the versions are those of a model', async () => {
  let seed = 11
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return (seed >> 8) % below
  }
  const p = project({ orders: fileOf() })
  const records = new Map<number, string | null>()
  const meant: { id: number; v: string | null; from: number; to: number | '' }[] = []
  for (let round = 1; round <= times(5, 30); round++) {
    for (let change = random(5) + 1; change > 0; change--) {
      const id = random(7)
      const kind = random(4)
      if (kind === 0 && records.size > 1) records.delete(id)
      else records.set(id, kind === 1 ? null : `v${random(3)}`)
    }
    for (const version of meant)
      if (version.to === '' && records.get(version.id) !== version.v) version.to = round
    for (const [id, v] of records)
      if (!meant.some(version => version.id === id && version.to === ''))
        meant.push({ id, v, from: round, to: '' })
    write(
      p,
      [...records].map(([id, v]) => ({ id, v })),
    )
    expect((await p.run()).status).toBe('deployed')
    const expected = meant.map(({ id, v, from, to }) => `${id} ${v} ${from}-${to}`)
    expect([...(await versions(p))].sort()).toEqual(expected.sort())
  }
})
