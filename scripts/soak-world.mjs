// The test project of the soak: two REST sources and a file, each in numbered versions, the assets that read
// them, and the expected content of production for each version, computed here and not by svc.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const pageSize = 25
const pageDelayMs = 3

/**
 * Returns the content of the sources in a version. Every record contains the version, so that a mixture is
 * detected.
 */
export function contentOf(version) {
  const orders = range(220 + ((version * 7) % 40), id => ({
    id,
    customer_id: (id * 13 + version) % (90 + (version % 10)),
    region: `r${id % 6}`,
    amount: ((id * 31 + version * 17) % 1000) + 1,
    version,
    lines: range((id + version) % 4, line => ({ line, quantity: ((id + line) % 5) + 1 })),
  }))
  const customers = range(90 + (version % 10), id => ({
    id,
    name: `c${id}`,
    version,
    // The column is missing from the fourth page on, which is drift that is stored with the load.
    ...(version % 2 === 0 && id < 36 ? { nick: `n${id}` } : {}),
  }))
  const regions = range(6, id => ({ name: `r${id}`, factor: ((id + version) % 4) + 1, version }))
  return { orders, customers, regions }
}

/** Returns one row of numbers for each view of production, as `views` queries them. */
export function truthOf(version) {
  const { orders, customers, regions } = contentOf(version)
  const factors = new Map(regions.map(({ name, factor }) => [name, factor]))
  const pieces = orders.flatMap(({ lines }) => lines)
  const weighted = sum(orders.map(({ amount, region }) => amount * factors.get(region)))
  const used = new Set(orders.map(({ customer_id }) => customer_id))
  const all = sum(orders.map(({ amount }) => amount))
  return {
    orders: [orders.length, orders.length, all, version],
    order_lines: [pieces.length, pieces.length, sum(pieces.map(({ quantity }) => quantity)), version],
    customers: [customers.length, customers.length, sum(customers.map(({ id }) => id)), version],
    regions: [regions.length, regions.length, sum(regions.map(({ factor }) => factor)), version],
    order_values: [orders.length, orders.length, weighted, version],
    customer_totals: [used.size, used.size, all, version],
    region_totals: [6, 6, weighted, version],
    overview: [1, 1, weighted + all, version],
  }
}

/** The number of rows, of distinct keys, a sum, and the version of all rows (NULL if there are several). */
export const views = {
  orders: ['id', 'amount'],
  order_lines: ["order_id || '/' || line", 'quantity'],
  customers: ['id', 'id'],
  regions: ['name', 'factor'],
  order_values: ['id', 'value'],
  customer_totals: ['customer_id', 'amount'],
  region_totals: ['region', 'value'],
  overview: ['version', 'value + amount'],
}

const model = (name, sql, more = '') =>
  `name: ${name}\ningest: none\ntransform: |\n  ${sql.trim().split('\n').join('\n  ')}\n${more}`

const assets = origin => ({
  orders: `name: orders
ingest:
  type: rest_api
  endpoint: ${origin}
  resource: /orders
  records: data
  paginate: {type: cursor, path: next, param: cursor}
  primary_key: id
  limits: {concurrency: 1}
transform: SELECT id, customer_id, region, amount, version FROM {{ source }}
tests:
  - unique: id
  - not_null: [id, amount]
`,
  order_lines: `name: order_lines
ingest:
  type: rest_api
  endpoint: ${origin}
  resource: /orders
  records: data
  paginate: {type: cursor, path: next, param: cursor}
  primary_key: id
transform: |
  SELECT o.id AS order_id, l.line, l.quantity, o.version
  FROM {{ source('lines') }} l JOIN {{ source }} o ON l._svc_parent_id = o._svc_id
tests:
  - not_null: [order_id, line]
`,
  customers: `name: customers
ingest:
  type: rest_api
  endpoint: ${origin}
  resource: /customers
  paginate: {type: page, total: pages}
  limits: {concurrency: 3}
transform: SELECT id, name, version FROM {{ source }}
tests:
  - unique: id
`,
  regions: `name: regions
ingest: {type: file, endpoint: data, resource: regions.csv}
transform: SELECT name, factor, version FROM {{ source }}
tests:
  - unique: name
`,
  order_values: model(
    'order_values',
    `SELECT o.id, o.customer_id, o.region, o.amount, o.amount * r.factor AS value, o.version
FROM {{ ref('orders') }} o JOIN {{ ref('regions') }} r ON r.name = o.region`,
    'tests:\n  - unique: id\n  - relationships: {customer_id: customers.id}\n',
  ),
  customer_totals: model(
    'customer_totals',
    `SELECT customer_id, sum(amount)::BIGINT AS amount, max(version) AS version
FROM {{ ref('order_values') }} GROUP BY customer_id`,
    'tests:\n  - unique: customer_id\n',
  ),
  region_totals: model(
    'region_totals',
    `SELECT region, sum(value)::BIGINT AS value, max(version) AS version
FROM {{ ref('order_values') }} GROUP BY region`,
    'tests:\n  - row_count: {min: 1}\ndeploy: {materialize: view}\n',
  ),
  overview: model(
    'overview',
    `SELECT max(version) AS version, (SELECT sum(value) FROM {{ ref('region_totals') }})::BIGINT AS value,
  (SELECT sum(amount) FROM {{ ref('customer_totals') }})::BIGINT AS amount
FROM {{ ref('orders') }}`,
  ),
})

/**
 * Creates a project in its own folder, and the server of its sources. `publish(version)` changes their
 * content.
 */
export async function createWorld() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-soak-')))
  const [root, other] = [join(folder, 'soak'), join(folder, 'other')]
  let content = contentOf(1)
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    setTimeout(() => answer(request, response, content), pageDelayMs)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${server.address().port}`
  write(join(root, 'svc.yaml'), 'name: soak\n')
  // A second project has the same warehouse, in which neither may touch what the other one made.
  write(
    join(other, 'svc.yaml'),
    'name: other\nwarehouse: duckdb:../soak/warehouse.duckdb\ndefault_schema: others\n',
  )
  for (const [name, text] of Object.entries(assets(origin))) write(join(root, 'models', `${name}.svc`), text)
  return {
    root,
    other,
    /** The second project shows this number. */
    publishOther(version) {
      write(join(other, 'models', 'number.svc'), model('number', `SELECT ${version} AS version`))
      write(
        join(other, 'models', 'twice.svc'),
        model('twice', "SELECT 2 * version AS version FROM {{ ref('number') }}"),
      )
    },
    publish(version) {
      content = contentOf(version)
      const lines = content.regions.map(({ name, factor }) => `${name},${factor},${version}`)
      write(join(root, 'data', 'regions.csv'), `name,factor,version\n${lines.join('\n')}\n`)
    },
    get requests() {
      return requests
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function answer(request, response, { orders, customers }) {
  const url = new URL(request.url, 'http://localhost')
  const body = url.pathname === '/orders' ? orderPage(orders, url) : customerPage(customers, url)
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function orderPage(orders, url) {
  const start = Number(url.searchParams.get('cursor') ?? 0)
  const next = start + pageSize < orders.length ? String(start + pageSize) : null
  return { data: orders.slice(start, start + pageSize), next }
}

function customerPage(customers, url) {
  const page = Number(url.searchParams.get('page') ?? 1)
  const items = customers.slice((page - 1) * 12, page * 12)
  return { items, page, pages: Math.ceil(customers.length / 12) }
}

function range(count, make) {
  return Array.from({ length: count }, (_, index) => make(index))
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
