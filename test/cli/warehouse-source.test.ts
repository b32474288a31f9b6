/** `ingest: {type: warehouse}`: tables of the warehouse that something else writes are read where they are, and never touched. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { closeLeftOpen } from '../../cli/engine/warehouse/duckdb/open-instances.ts'
import { showsSource } from '../support/features/shows.ts'
import { sendJson, startRestServer } from '../support/rest-server.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const orders = `name: orders
ingest: {type: warehouse, resource: raw.orders}
transform: SELECT id, amount, sold_at FROM {{ source }}
tests: [{unique: id}]
`

let ground: Ground
beforeEach(() => {
  ground = createGround({ 'svc.yaml': 'name: shop\n', 'models/orders.svc': orders })
})
afterEach(() => ground.dispose())

/** What another program does to the warehouse; returns the rows of the last statement. */
async function others(...statements: readonly string[]) {
  const instance = await DuckDBInstance.create(join(ground.root, 'warehouse.duckdb'))
  const connection = await instance.connect()
  try {
    let rows: unknown[] = []
    for (const sql of statements) rows = (await connection.runAndReadAll(sql)).getRowObjectsJson()
    return rows
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const filled = [
  'CREATE SCHEMA raw',
  'CREATE TABLE raw.orders (id INTEGER, amount DECIMAL(10, 2), sold_at TIMESTAMP, tags VARCHAR[], email VARCHAR)',
  "INSERT INTO raw.orders VALUES (1, 2.5, '2024-01-01', ['a'], 'ann@example.com'), (2, 1, '2024-01-02', NULL, NULL)",
]

const fails = async (words: readonly string[], code: number, message: string) => {
  // Each command is a process of its own: none finds the file open.
  await closeLeftOpen()
  const said = await ground.line(words)
  expect(`${said.stdout}${said.stderr}`.replace(/[\s│]+/g, ' ')).toContain(message)
  expect(said.code).toBe(code)
  return said
}
const succeeds = (words: readonly string[], message: string) => fails(words, 0, message)

it('builds on the table, again when its rows are others and not when only their order is', async () => {
  showsSource(['warehouse'], ['replace'])
  await others(...filled)
  await succeeds(['run'], '1 built')
  await succeeds(['run'], 'Nothing to do')
  await others(
    'CREATE TABLE raw.sorted AS FROM raw.orders ORDER BY id DESC',
    'DROP TABLE raw.orders',
    'ALTER TABLE raw.sorted RENAME TO orders',
  )
  await succeeds(['run'], 'Nothing to do')
  await others("INSERT INTO raw.orders VALUES (2, 1, '2024-01-02', NULL, NULL)")
  await fails(['run'], 1, '1 value of id more than once')
  expect(await others('SELECT count(*)::INTEGER AS n FROM analytics_dev.orders')).toEqual([{ n: 2 }])
  await others(
    'DELETE FROM raw.orders WHERE id = 2',
    "INSERT INTO raw.orders VALUES (3, 7, '2024-01-03', NULL, '')",
  )
  await succeeds(['run'], '1 built')
  expect(await others('SELECT id, amount FROM analytics_dev.orders ORDER BY id')).toEqual([
    { id: 1, amount: '2.50' },
    { id: 3, amount: '7.00' },
  ])
})

it('knows the columns after the first run, with the types of the table', async () => {
  await others(...filled)
  await succeeds(['run'], '1 built')
  const lock = JSON.parse(readFileSync(join(ground.root, 'schemas.lock.json'), 'utf8'))
  expect(JSON.stringify(lock)).toContain('VARCHAR[]')
  ground.write('models/orders.svc', orders.replace('amount,', 'amuont,'))
  await fails(['validate'], 1, 'unknown column "amuont"')
  ground.write('models/orders.svc', orders)
  await succeeds(['sample', 'orders', '--source', 'raw'], 'tags')
  await succeeds(['doctor'], 'warehouse: 5 columns (id, amount, sold_at, tags, email)')
  await succeeds(['status'], 'Deployed')
})

it('names the table or the schema that is not there, and the nearest one', async () => {
  await fails(['run'], 3, 'the warehouse has no schema "raw"')
  await others('CREATE SCHEMA raw', 'CREATE TABLE raw.order_s (id INTEGER)')
  const said = await fails(['run'], 3, 'the warehouse has no table raw.orders')
  expect(said.stdout + said.stderr).toContain('Did you mean "raw.order_s"?')
  await fails(['doctor'], 1, 'the warehouse has no table raw.orders')
})

it('stops at a column that was dropped, before anything is promoted', async () => {
  await others(...filled)
  await succeeds(['run'], '1 built')
  await others('ALTER TABLE raw.orders DROP amount')
  const said = await fails(['run'], 1, 'unknown column "amount"')
  expect(said.stderr).toContain('column amount is gone')
  expect(await others('SELECT sum(amount) AS s FROM analytics_dev.orders')).toEqual([{ s: '3.50' }])
  await others('ALTER TABLE raw.orders DROP tags', 'ALTER TABLE raw.orders ADD amount DECIMAL(10, 2)')
  const mended = await succeeds(['run'], '1 built')
  expect(mended.stderr).toContain('column tags is gone')
})

it('widens a type, and refuses one that has become text', async () => {
  await others(...filled)
  await succeeds(['run'], '1 built')
  await others('ALTER TABLE raw.orders ALTER id TYPE BIGINT')
  const said = await succeeds(['run'], '1 built')
  expect(said.stderr).toContain('id')
  await others("ALTER TABLE raw.orders ALTER id TYPE VARCHAR USING 'number ' || id")
  await fails(['run'], 1, 'the values of "id" (BIGINT) are of another type than at the last load')
})

it('refuses a column that has become text also where most of its values read as before, and tells it where that is allowed', async () => {
  await others(...filled)
  await succeeds(['run'], '1 built')
  await succeeds(['run', '--env', 'prod'], '1 taken over')
  await others(
    'ALTER TABLE raw.orders ALTER amount TYPE VARCHAR',
    "INSERT INTO raw.orders SELECT range, range::VARCHAR, '2024-02-01', NULL, NULL FROM range(10, 30)",
  )
  for (const environment of ['dev', 'prod'])
    await fails(
      ['run', '--env', environment],
      1,
      'the values of "amount" (DECIMAL(10,2)) are of another type',
    )
  await others("INSERT INTO raw.orders VALUES (99, 'abc', '2024-02-02', NULL, NULL)")
  await fails(['run', '--env', 'prod'], 1, 'the values of "amount" (DECIMAL(10,2)) are of another type')
  ground.write('models/orders.svc', `${orders}contract: {evolution: evolve}\n`)
  await succeeds(['run'], 'column amount became VARCHAR from DECIMAL(10,2)')
  await succeeds(['run', '--env', 'prod'], 'column amount became VARCHAR from DECIMAL(10,2)')
  expect(await others('SELECT amount FROM analytics.orders WHERE id = 99')).toEqual([{ amount: 'abc' }])
})

it('leaves the table alone: promotion, rollback, removal of the asset, collection', async () => {
  await others(...filled)
  ground.write('models/seen.svc', orders.replace('name: orders', 'name: seen\ndeploy: {materialize: view}'))
  await succeeds(['run'], '2 built')
  await others("INSERT INTO raw.orders VALUES (3, 7, '2024-01-03', NULL, NULL)")
  await succeeds(['run'], '2 built')
  await succeeds(['rollback', '--all'], 'Rolled back dev: 2 views')
  ground.remove('models/orders.svc')
  ground.remove('models/seen.svc')
  ground.write('models/one.svc', 'name: one\ningest: none\ntransform: SELECT 1 AS one\n')
  await succeeds(['run'], '1 built')
  await succeeds(['gc'], '')
  expect(await others('SELECT count(*)::INTEGER AS n FROM raw.orders')).toEqual([{ n: 3 }])
})

it('names the table itself in a production view, and hides what is left out', async () => {
  await others(...filled)
  ground.write(
    'models/orders.svc',
    `name: orders
ingest: {type: warehouse, resource: raw.orders, exclude: email}
transform: SELECT * FROM {{ source }} AS o WHERE o.amount > 1
deploy: {materialize: view}
`,
  )
  await succeeds(['run'], '1 built')
  const [view] = await others(
    "SELECT sql FROM duckdb_views() WHERE schema_name = 'analytics_dev' AND view_name = 'orders'",
  )
  expect(JSON.stringify(view)).toContain('raw.orders')
  expect(JSON.stringify(view)).not.toContain('svc_g_')
  expect(JSON.stringify(view)).not.toContain('email')
  await others("INSERT INTO raw.orders VALUES (3, 7, '2024-01-03', NULL, NULL)")
  expect(await others('SELECT id FROM analytics_dev.orders ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }])
})

it('refuses an asset of the project itself, and what svc keeps for itself', async () => {
  await others(...filled)
  await succeeds(['run'], '1 built')
  ground.write(
    'models/again.svc',
    orders.replace('name: orders', 'name: again').replace('raw.', 'analytics_dev.'),
  )
  await fails(['run'], 1, "{{ ref('orders') }}")
  ground.write(
    'models/again.svc',
    orders.replace('name: orders', 'name: again').replace('raw.orders', 'svc.svc_live'),
  )
  await fails(['run'], 1, 'svc.svc_live is a relation that svc makes')
})

it('reads an asset of another project, which cannot take a column away from a view that reads it', async () => {
  await others(...filled)
  await succeeds(['run'], '1 built')
  const warehouse = join(ground.root, 'warehouse.duckdb')
  const report = createGround({
    'svc.yaml': `name: report\nwarehouse: duckdb:${warehouse}\ndefault_schema: report\n`,
    'models/sold.svc': `name: sold
ingest: {type: warehouse, resource: analytics_dev.orders}
transform: SELECT id, amount FROM {{ source }}
deploy: {materialize: view}
`,
  })
  try {
    const said = await report.line(['run'])
    expect(said.code, said.stdout + said.stderr).toBe(0)
    expect(await others('SELECT sum(amount) AS s FROM report_dev.sold')).toEqual([{ s: '3.50' }])
    ground.write('models/orders.svc', orders.replace('amount, ', ''))
    await fails(['run'], 1, 'view report_dev.sold reads analytics_dev.orders.amount, which would go away')
  } finally {
    report.dispose()
  }
})

it('keeps its contract: what it rejects is kept apart, and personal columns are masked', async () => {
  await others(...filled)
  ground.write(
    'models/orders.svc',
    `name: orders
ingest: {type: warehouse, resource: raw.orders}
contract:
  evolution: discard_row
  required_columns: email
  columns: {email: {type: varchar, pii: true}, amount: double}
transform: SELECT id, email, amount FROM {{ source }}
`,
  )
  await succeeds(['run'], '1 built')
  expect(await others('SELECT id, amount FROM analytics_dev.orders')).toEqual([{ id: 1, amount: 2.5 }])
  await succeeds(['rejects'], 'email')
  const { stdout } = await succeeds(['sample', 'orders'], '1')
  expect(stdout).not.toContain('ann@')
})

it('is as fresh as its newest row', async () => {
  await others(...filled)
  ground.write(
    'models/orders.svc',
    `${orders}freshness: {warn_after: 1d, error_after: 2d, column: sold_at}\n`,
  )
  await succeeds(['run'], '1 built')
  await fails(['freshness'], 1, 'ERROR')
  await others('INSERT INTO raw.orders VALUES (3, 7, now()::TIMESTAMP, NULL, NULL)')
  await succeeds(['run'], '1 built')
  await succeeds(['freshness'], 'OK')
})

it('is looked at again by a retry, and beside sources that are fetched', async () => {
  await others(...filled)
  ground.write(
    'models/codes.svc',
    'name: codes\ningest: {type: rows, rows: [{a: 1}]}\ntransform: SELECT a FROM {{ source }}\ntests: [{range: {a: {min: 2}}}]\n',
  )
  await fails(['run'], 1, '1 test failed')
  await others("INSERT INTO raw.orders VALUES (3, 7, '2024-01-03', NULL, NULL)")
  ground.write(
    'models/codes.svc',
    'name: codes\ningest: {type: rows, rows: [{a: 3}]}\ntransform: SELECT a FROM {{ source }}\n',
  )
  await succeeds(['retry'], 'built')
  expect(await others('SELECT count(*)::INTEGER AS n FROM analytics_dev.orders')).toEqual([{ n: 3 }])
})

it('is built before a web service is asked for each of its rows', async () => {
  await others(...filled)
  const server = await startRestServer()
  try {
    server.route('/v1/parts', (request, response) =>
      sendJson(response, [{ order_id: Number(request.query.get('order')), part: 'a' }]),
    )
    ground.write(
      'models/parts.svc',
      `name: parts
ingest:
  type: rest_api
  endpoint: ${server.origin}/v1
  resource: parts
  params: {order: "{parent.id}"}
  for_each: {asset: orders, columns: id}
transform: SELECT order_id, part FROM {{ source }}
`,
    )
    await succeeds(['run'], '2 built')
    const sql = 'SELECT order_id::INTEGER AS id FROM analytics_dev.parts ORDER BY id'
    expect(await others(sql)).toEqual([{ id: 1 }, { id: 2 }])
    await others("INSERT INTO raw.orders VALUES (3, 7, '2024-01-03', NULL, NULL)")
    await succeeds(['run'], '2 built')
    expect(await others(sql)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  } finally {
    await server.close()
  }
})

it('has no keys that say how rows come from elsewhere', async () => {
  ground.write('models/orders.svc', orders.replace('raw.orders', 'raw.orders, write: merge'))
  await fails(['validate'], 1, 'it has the keys resource, changed_by, include and exclude')
  ground.write('models/orders.svc', orders.replace('raw.orders', 'orders'))
  await fails(['validate'], 1, 'a table of the warehouse is schema.table')
})

it('is discovered: all tables of others, each with its key and its types', async () => {
  showsSource(['warehouse'], ['discover'])
  await others(
    ...filled,
    'CREATE TABLE raw."Line Items" (id INTEGER PRIMARY KEY, "Unit Price" DECIMAL(9, 3))',
  )
  await succeeds(['run'], '1 built')
  ground.remove('models/orders.svc')
  await fails(['discover', 'warehouse'], 2, 'the database has 2 tables: raw.Line Items, raw.orders')
  await succeeds(['discover', 'warehouse', '--all'], 'Wrote models/orders.svc')
  expect(readFileSync(join(ground.root, 'models/orders.svc'), 'utf8')).toMatchInlineSnapshot(`
    "name: orders
    description: Rows of raw.orders.

    ingest:
      type: warehouse
      resource: raw.orders

    contract:
      columns:
        id: integer
        amount: "decimal(10,2)"
        sold_at: timestamp
        tags: "varchar[]"
        email: {type: varchar, pii: true}

    transform: |
      SELECT
        id,
        amount,
        sold_at,
        tags,
        email
      FROM {{ source }}
    "
  `)
  expect(readFileSync(join(ground.root, 'models/line_items.svc'), 'utf8')).toMatchInlineSnapshot(`
    "name: line_items
    description: Rows of raw.Line Items.

    ingest:
      type: warehouse
      resource: raw.Line Items

    contract:
      required_columns: [id]
      columns:
        id: {type: integer, nullable: false}
        Unit Price: "decimal(9,3)"

    transform: |
      SELECT
        id,
        "Unit Price"
      FROM {{ source }}

    tests:
      - unique: id
      - not_null: id
    "
  `)
  await succeeds(['run', '--all'], '2 built')
})
