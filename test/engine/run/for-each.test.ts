/** Sources that are asked for each row of another asset: what is asked, in which order, and what a killed run leaves. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProject } from '../../support/cli.ts'
import { showsSource } from '../../support/features/shows.ts'
import { type RestServer, sendJson, startRestServer } from '../../support/rest-server.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()
let server: RestServer
/** The lines of each order, by its id. */
let lines: Map<string, readonly { readonly sku: string }[]>

beforeAll(async () => {
  server = await startRestServer()
})
afterAll(() => server.close())
beforeEach(() => {
  lines = new Map([
    ['1', [{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }]],
    ['2', [{ sku: 'd' }]],
    ['10', []],
  ])
  serve(lines.keys())
  server.forget()
})

function serve(ids: Iterable<string>, delayMs = 0): void {
  for (const id of ids)
    server.route(`/orders/${id}/lines`, async (request, response) => {
      await new Promise(resolve => setTimeout(resolve, delayMs))
      const page = Number(request.query.get('page') ?? 1)
      const all = lines.get(id) ?? []
      sendJson(response, {
        items: all.slice((page - 1) * 2, page * 2),
        pages: Math.max(1, Math.ceil(all.length / 2)),
      })
    })
}

const orders = (ids: readonly number[]) =>
  `ingest: {type: rows, rows: [${ids.map(id => `{id: ${id}, paid: ${id !== 2}}`).join(', ')}]}\ntransform: SELECT id, paid FROM {{ source }}`

const linesOf = (forEach: string, ...more: string[]) =>
  `ingest:
  type: rest_api
  endpoint: ${server.origin}
  resource: orders/{parent.id}/lines
  paginate: {type: page, total: pages}
  records: items
  for_each: ${forEach}
${more.map(line => `  ${line}\n`).join('')}transform: SELECT * FROM {{ source }}`

const asked = () => server.requests.map(({ path, query }) => `${path}?${query}`)
/** The rows in the order of their values, however many columns they have. */
const rowsOf = async (p: TestProject) => {
  const rows = [...(await p.query('SELECT * FROM analytics.lines'))]
  const key = (row: object) => JSON.stringify(Object.values(row))
  return rows.sort((a, b) => key(a).localeCompare(key(b), 'en', { numeric: true }))
}

describe('one request for each row', () => {
  test('asks for the rows of this run, page by page, and carries their key', async () => {
    showsSource(['rest_api'], ['for_each'])
    const p = project({ orders: orders([1, 2, 10]), lines: linesOf('{asset: orders, carry: id}') })
    expect(outcomes(await p.run())).toEqual(['lines built', 'orders built'])
    expect(await rowsOf(p)).toEqual([
      { orders_id: 1, sku: 'a' },
      { orders_id: 1, sku: 'b' },
      { orders_id: 1, sku: 'c' },
      { orders_id: 2, sku: 'd' },
    ])
    expect(asked().sort()).toEqual([
      '/orders/1/lines?page=1',
      '/orders/1/lines?page=2',
      '/orders/10/lines?page=1',
      '/orders/2/lines?page=1',
    ])
    // What is carried has the type of the column that it came from.
    expect(
      await p.query('SELECT count(*) AS n FROM analytics.lines JOIN analytics.orders ON id = orders_id'),
    ).toEqual([{ n: 4 }])
  })

  test('comes after the build that has the rows, in the plan and in the lineage', async () => {
    const p = project({ orders: orders([1]), lines: linesOf('orders') })
    await p.run()
    const built = p.events.findIndex(event => event.type === 'build-finished' && event.asset === 'orders')
    const fetched = p.events.findIndex(event => event.type === 'fetch-started' && event.asset === 'lines')
    expect(built).toBeGreaterThan(0)
    expect(fetched).toBeGreaterThan(built)
    const { project: files } = await p.workspace()
    expect([files.parents('lines'), files.order]).toEqual([['orders'], ['orders', 'lines']])
  })

  test('takes the rows of the live build when only the child runs, and their number of today', async () => {
    const p = project({ orders: orders([1, 2]), lines: linesOf('orders') })
    await p.run()
    server.forget()
    await p.run({ selector: 'lines' })
    expect(asked()).toHaveLength(3)
    p.files['orders'] = orders([2])
    server.forget()
    await p.run()
    expect(asked()).toEqual(['/orders/2/lines?page=1'])
    expect(await rowsOf(p)).toEqual([{ sku: 'd' }])
  })

  test('keeps to a condition, and asks nothing for no rows', async () => {
    const contract = 'contract: {columns: {sku: varchar}, allow_empty: true}\n'
    const text = (where: string) => contract + linesOf(`{asset: orders, where: "${where}"}`)
    const p = project({ orders: orders([1, 2]), lines: text('NOT paid') })
    await p.run()
    expect(asked()).toEqual(['/orders/2/lines?page=1'])
    p.files['lines'] = text('id > 100')
    server.forget()
    expect(outcomes(await p.run())).toEqual(['lines built', 'orders unchanged'])
    expect([asked(), await rowsOf(p)]).toEqual([[], []])
  })

  test('goes through several levels', async () => {
    server.route('/skus/a', (_request, response) => sendJson(response, [{ stock: 4 }]))
    server.route('/skus/b', (_request, response) => sendJson(response, [{ stock: 5 }]))
    server.route('/skus/c', (_request, response) => sendJson(response, [{ stock: 6 }]))
    const stock = `ingest:
  type: rest_api
  endpoint: ${server.origin}
  resource: skus/{parent.sku}
  for_each: {asset: lines, carry: sku}
transform: SELECT lines_sku, stock FROM {{ source }}`
    const p = project({ stock, orders: orders([1]), lines: linesOf('orders') })
    expect(outcomes(await p.run())).toEqual(['lines built', 'orders built', 'stock built'])
    expect(await p.query('SELECT * FROM analytics.stock ORDER BY 1')).toEqual([
      { lines_sku: 'a', stock: 4 },
      { lines_sku: 'b', stock: 5 },
      { lines_sku: 'c', stock: 6 },
    ])
  })

  test('puts values into parameters and bodies, as steps of a path and as numbers', async () => {
    server.route('/of/a%2Fb%20c', (request, response) =>
      sendJson(response, [{ q: request.query.get('q'), body: request.body }]),
    )
    const p = project({
      shops: "ingest: none\ntransform: SELECT 7 AS id, 'a/b c' AS name",
      lines: `ingest:
  type: rest_api
  endpoint: ${server.origin}
  resource: of/{{ parent.name }}
  method: POST
  params: {q: "is:{parent.name}"}
  body: {id: "{parent.id}", text: "no. {{ parent.id }}", list: ["{parent.name}"]}
  for_each: shops
transform: SELECT q, body FROM {{ source }}`,
    })
    await p.run()
    expect(await rowsOf(p)).toEqual([{ q: 'is:a/b c', body: '{"id":7,"text":"no. 7","list":["a/b c"]}' }])
  })
})

describe('what goes wrong for a row', () => {
  test('is by rule: 404 fails the asset, unless on_status skips it', async () => {
    const p = project({ orders: orders([1, 3]), lines: linesOf('orders') })
    const failed = await p.run()
    expect(failed.failure).toMatchObject({ code: 'http-status', asset: 'lines' })
    expect(failed.failure?.message).toContain('/orders/3/lines')
    p.files['lines'] = linesOf('orders', 'on_status: {"404": skip}')
    expect(outcomes(await p.run())).toEqual(['lines built', 'orders taken_over'])
    expect(await rowsOf(p)).toHaveLength(3)
  })

  test('skips the child when the parent fails, and says which column is missing', async () => {
    const p = project({
      orders: "ingest: none\ntransform: SELECT CAST('x' || random() AS INTEGER) AS id",
      lines: linesOf('orders'),
    })
    expect(outcomes(await p.run())).toEqual(['lines skipped', 'orders failed'])
    expect(asked()).toEqual([])
    p.files['orders'] = orders([1])
    p.files['lines'] = linesOf('{asset: orders, where: idd > 0}')
    const failed = await p.run()
    expect(failed.failure).toMatchObject({ asset: 'lines' })
    expect(failed.failure?.message).toContain('idd')
  })

  test('refuses more rows, and more pages of them, than the limits allow', async () => {
    const rows = project({
      orders: orders([1, 2, 10]),
      lines: linesOf('orders', 'limits: {pages: 2}'),
    })
    const tooMany = (await rows.run()).failure
    expect([tooMany?.code, tooMany?.message]).toEqual([
      'for-each-rows',
      '"orders" has more than 2 rows to ask for (limits.pages)',
    ])
    expect(asked()).toEqual([])

    const pages = project({ orders: orders([1, 2]), lines: linesOf('orders', 'limits: {pages: 2}') })
    const tooLong = (await pages.run()).failure
    expect([tooLong?.code, tooLong?.message]).toEqual([
      'for-each-rows',
      'the rows of "orders" have more than 2 pages (limits.pages)',
    ])
  })

  test('a record that has the carried name is no silent loss', async () => {
    server.route('/orders/1/lines', (_request, response) => sendJson(response, { items: [{ orders_id: 5 }] }))
    const p = project({ orders: orders([1]), lines: linesOf('{asset: orders, carry: id}') })
    expect((await p.run()).failure?.message).toContain('a record has "orders_id" already')
  })

  test('shows no value of a personal column', async () => {
    const p = project({
      people: "ingest: none\ntransform: SELECT 'ana@example.com' AS email\ncolumns: {email: {pii: true}}",
      lines: linesOf('people').replace('{parent.id}', '{parent.email}'),
    })
    const failed = await p.run()
    expect(failed.failure).toMatchObject({ code: 'http-status', asset: 'lines' })
    expect(asked()).toEqual(['/orders/ana%40example.com/lines?page=1'])
    expect(JSON.stringify([failed, p.events])).not.toContain('ana')
  })
})

describe('many rows', () => {
  const many = Array.from({ length: 30 }, (_, index) => index + 1)

  test('are asked for side by side, as many as limits.concurrency allows', async () => {
    for (const id of many) lines.set(String(id), [{ sku: `s${id}` }])
    serve(lines.keys(), 20)
    const p = project({
      orders: orders(many),
      lines: linesOf('{asset: orders, carry: id}', 'limits: {concurrency: 3}'),
    })
    await p.run()
    expect(server.mostAtOnce).toBe(3)
    const found = await rowsOf(p)
    expect(found).toEqual(many.map(id => ({ orders_id: id, sku: `s${id}` })))
    expect(asked()).toHaveLength(30)
  })

  test('go on where a killed run stopped, without a record twice', async () => {
    for (const id of many) lines.set(String(id), [{ sku: `s${id}` }, { sku: 't' }, { sku: 'u' }])
    serve(lines.keys())
    let kill: (() => void) | undefined
    // The second page of a row: its first one is kept.
    server.route('/orders/20/lines', (request, response) => {
      if (request.query.get('page') === '2' && kill !== undefined) return kill()
      const page = Number(request.query.get('page') ?? 1)
      sendJson(response, { items: (lines.get('20') ?? []).slice((page - 1) * 2, page * 2), pages: 2 })
    })
    const p = createProject({
      'svc.yaml': 'name: killed\n',
      'models/orders.svc': `name: orders\n${orders(many)}\n`,
      'models/lines.svc': `name: lines\n${linesOf('{asset: orders, carry: id}', 'limits: {concurrency: 1, rate: 20/s}')}\n`,
    })
    try {
      const killed = await p.svc(['run', '--env', 'prod'], {
        onStart: child => {
          kill = () => child.kill('SIGKILL')
        },
      })
      expect(killed.code).not.toBe(0)
      const before = new Set(asked())
      expect(before.size).toBeGreaterThan(20)
      kill = undefined
      server.forget()
      const next = await p.svc(['run', '--env', 'prod'])
      expect(next.stderr).toMatch(/going on from page \d+: \d+ pages are\s+kept/)
      expect(next.code).toBe(0)
      expect(asked().length).toBeLessThan(50)
      const sample = await p.svc(['sample', 'lines', '--env', 'prod', '--limit', '200', '--json'])
      const rows = (JSON.parse(sample.stdout) as { rows: { orders_id: number; sku: string }[] }).rows
      expect(rows.map(row => `${row.orders_id} ${row.sku}`).sort()).toEqual(
        many.flatMap(id => [`${id} s${id}`, `${id} t`, `${id} u`]).sort(),
      )
    } finally {
      p.dispose()
    }
  })
})
