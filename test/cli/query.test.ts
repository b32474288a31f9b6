/** `svc query` and `svc compile`: SQL that is in no file over what is live, and the SQL of a file as a reader would write it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'

const files = {
  'svc.yaml': 'name: shop\nvars: {least: 1}\n',
  'macros/money.sql': 'CREATE MACRO cents(a) AS a * 100;\n',
  'models/orders.svc': `name: orders
ingest: {type: rows, rows: [{id: 1, customer: 7, amount: 2}, {id: 2, customer: 7, amount: 3}, {id: 3, customer: 8, amount: 1}]}
transform: "SELECT id, customer, amount FROM {{ source }}"
`,
  'models/customers.svc': `name: customers
ingest: {type: rows, rows: [{id: 7, name: Ada, email: ada@example.com}, {id: 8, name: Bo, email: bo@example.com}]}
contract: {columns: {email: {type: varchar, pii: true}}}
transform: "SELECT id, name, email FROM {{ source }}"
deploy: {materialize: ephemeral}
`,
  'models/sales.svc': `name: sales
ingest: none
transform: |
  SELECT c.name, sum({{ cents(o.amount) }}) AS cents
  FROM {{ ref('orders') }} AS o
  JOIN {{ ref('customers') }} AS c ON c.id = o.customer
  WHERE o.amount > {{ var('least') }}
  GROUP BY c.name
`,
  'models/query.svc': 'name: query\ningest: none\ntransform: SELECT 1 AS id\n',
}

let ground: Ground
beforeAll(async () => {
  ground = createGround(files)
})
afterAll(() => ground.dispose())

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
const query = (...words: string[]) => ground.line(['query', ...words])

async function rowsOf(sql: string, ...words: string[]) {
  const said = await query(sql, '--json', ...words)
  expect(said.stderr).toBe('')
  const value: unknown = JSON.parse(said.stdout)
  ajv.validate(outputSchemas['query'] ?? false, value)
  expect(ajv.errors).toBeNull()
  return value
}

it('says what to do where nothing was deployed yet', async () => {
  expectRefusal(await query('SELECT 1 AS id'), 1, 'nothing was ever deployed to dev', 'svc run')
  expect((await ground.line(['run', 'orders,customers'])).code).toBe(0)
  expectRefusal(
    await query("SELECT * FROM {{ ref('sales') }}"),
    1,
    '"sales" has no build in dev to read from',
    'svc run +sales',
  )
})

describe('svc query', () => {
  it('shows the rows of SQL over what is live', async () => {
    expect(
      await rowsOf(
        "SELECT customer, sum(amount) AS amount -- turnover\nFROM {{ ref('orders') }}\nGROUP BY 1 ORDER BY 1;",
      ),
    ).toEqual({
      environment: 'dev',
      columns: [
        { name: 'customer', type: 'BIGINT' },
        { name: 'amount', type: 'HUGEINT' },
      ],
      rows: [
        { customer: 7, amount: 5 },
        { customer: 8, amount: 1 },
      ],
      masked: [],
      more: false,
    })
    expect(
      await rowsOf("SELECT id FROM {{ ref('orders') }} WHERE amount > {{ var('least') }}"),
    ).toMatchObject({
      rows: [{ id: 1 }, { id: 2 }],
    })
  })

  it('shows as many as are asked for, and says that there are more', async () => {
    const all = "SELECT id FROM {{ ref('orders') }} ORDER BY id"
    expect(await rowsOf(all, '--limit', '2')).toMatchObject({ rows: [{ id: 1 }, { id: 2 }], more: true })
    const { stdout } = await query(all, '--limit', '2')
    expect(stdout).toContain('2 rows of the query\nThere are more rows: --limit shows them.\n')
    expect((await query(all, '--csv')).stdout).toBe('id\r\n1\r\n2\r\n3\r\n')
  })

  it('hides personal data under whatever name, unless it is to be shown', async () => {
    const sql = "SELECT upper(email) AS contact, name FROM {{ ref('customers') }} ORDER BY id"
    expect(await rowsOf(sql, '--limit', '1')).toMatchObject({
      rows: [{ contact: '***', name: 'Ada' }],
      masked: ['contact'],
    })
    expect(await rowsOf(sql, '--limit', '1', '--unmasked')).toMatchObject({
      rows: [{ contact: 'ADA@EXAMPLE.COM' }],
      masked: [],
    })
  })

  it('reads the SQL from a file too', async () => {
    ground.write('asked.sql', "SELECT max(id) AS newest FROM {{ ref('orders') }}\n")
    expect(await rowsOf('asked.sql')).toMatchObject({ rows: [{ newest: 3 }] })
    expectRefusal(await query('askd.sql'), 2, 'the file "askd.sql" cannot be read')
    expectRefusal(await query('  '), 2, 'there is no SQL to run')
  })

  it('is checked before it runs, and says where it is wrong', async () => {
    expectRefusal(
      await query("SELECT id,\n  amonut\nFROM {{ ref('orders') }}"),
      1,
      'unknown column "amonut"',
      'line 2, column 3',
    )
    expectRefusal(
      await query("SELECT * FROM {{ ref('ordes') }}"),
      1,
      'no asset is called "ordes"; did you mean "orders"?',
      'line 1',
    )
    expectRefusal(await query('SELECT * FROM {{ source }}'), 2, 'it has no {{ source }}')
    const failing = await query(
      "SELECT name, error('no ' || name) FROM {{ ref('orders') }}, (SELECT 'x' AS name)",
    )
    expectRefusal(failing, 1, 'no x', '[build-failed]')
  })

  it.each([
    ['another file', "SELECT * FROM read_text('/etc/passwd')"],
    ['a second statement', "SELECT 1 AS id; COPY (SELECT 1) TO 'stolen.csv'"],
    ['a way out of the query', "SELECT 1) AS x; COPY (SELECT 1) TO 'stolen.csv'; SELECT * FROM (SELECT 1"],
    ['a change', 'DELETE FROM analytics_dev.orders RETURNING id'],
    ['what no ref() names', 'SELECT * FROM analytics_dev.orders'],
    ['state', 'SELECT * FROM svc_state_history'],
  ])('reaches neither: %s', async (_, sql) => {
    const said = await query(sql)
    expect(said.code, said.stdout + said.stderr).toBe(1)
    expect(said.stdout).toBe('')
    expect(existsSync(join(ground.root, 'stolen.csv'))).toBe(false)
  })
})

describe('svc compile', () => {
  it('prints SQL that a reader of production could write', async () => {
    const { code, stdout } = await ground.line(['compile', 'sales'])
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "SELECT c.name, sum(((o.amount) * 100)) AS cents
      FROM analytics_dev.orders AS o
      JOIN (
      SELECT id, name, email FROM customers__raw
      ) AS c ON c.id = o.customer
      WHERE o.amount > 1
      GROUP BY c.name
      "
    `)
    expect((await ground.line(['compile', 'models/sales.svc', '--env', 'prod'])).stdout).toContain(
      'FROM analytics.orders AS o',
    )
  })

  it('says what stands for the source', async () => {
    expect((await ground.line(['compile', 'orders'])).stdout).toMatch(
      /^-- orders__raw stands for the raw load of orders\nSELECT id, customer, amount FROM orders__raw\n$/,
    )
    const value: unknown = JSON.parse((await ground.line(['compile', 'orders', '--json'])).stdout)
    ajv.validate(outputSchemas['compile'] ?? false, value)
    expect(ajv.errors).toBeNull()
    expect(value).toEqual({
      asset: 'orders',
      path: 'models/orders.svc',
      environment: 'dev',
      sql: 'SELECT id, customer, amount FROM orders__raw',
    })
  })

  it('refuses SQL with errors, and names that are none', async () => {
    ground.write(
      'models/wrong.svc',
      "name: wrong\ningest: none\ntransform: SELECT x FROM {{ ref('orders') }}\n",
    )
    expectRefusal(await ground.line(['compile', 'wrong']), 1, 'unknown column "x"', 'models/wrong.svc:3:')
    expectRefusal(await ground.line(['compile', 'sals']), 2, 'did you mean "sales"')
  })
})
