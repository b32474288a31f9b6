/** `svc sample --query` and `--cte`: rows of SQL that nobody has built yet, and nothing but rows. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWarehouse } from '../../cli/engine/warehouse/open.ts'
import { outputSchemas } from '../../server/contract/index.ts'
import { buildCommand, svcLauncher } from '../support/cli.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'

const sales = `name: sales
ingest: none
transform: |
  WITH paid AS (
    SELECT * FROM {{ ref('orders') }} WHERE amount > {{ var('least') }}
  ),
  named AS (SELECT p.id, c.email AS contact, c.name FROM paid AS p JOIN {{ ref('customers') }} AS c ON c.id = p.customer)
  SELECT name, contact, count(*) AS orders FROM named GROUP BY ALL ORDER BY name
tests: [{unit: {expect: [{name: never}]}, severity: warn}]
`
const files = {
  'svc.yaml': 'name: shop\nvars: {least: 1}\n',
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
  'models/sales.svc': sales,
  'models/later.svc': "name: later\ningest: none\ntransform: SELECT * FROM {{ ref('sales') }}\n",
}

let ground: Ground
beforeAll(async () => {
  ground = createGround(files)
  await ground.line(['run', 'orders,customers'])
})
afterAll(() => ground.dispose())

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })

interface Told {
  readonly columns: { readonly name: string; readonly type: string }[]
  readonly rows: Readonly<Record<string, unknown>>[]
  readonly masked: string[]
}

async function sampled(...words: string[]): Promise<Told> {
  const said = await ground.line(['sample', ...words, '--json'])
  expect(said.stderr).toBe('')
  const value = JSON.parse(said.stdout) as Told
  ajv.validate(outputSchemas['sample'] ?? false, value)
  expect(ajv.errors).toBeNull()
  return value
}

/** As an editor does it: the file as it stands on stdin. */
function typed(text: string, ...words: string[]) {
  buildCommand()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [svcLauncher, 'sample', ...words, '--stdin'],
    {
      cwd: ground.root,
      input: text,
      encoding: 'utf8',
    },
  )
  return { code: status, stdout, stderr: stderr + stdout }
}

describe('rows of a query', () => {
  it('come before the asset was ever built, over the live builds of what it reads', async () => {
    const { rows, columns } = await sampled('sales', '--query', '--unmasked')
    expect(rows).toEqual([{ name: 'Ada', contact: 'ada@example.com', orders: 2 }])
    expect(columns.map(({ type }) => type)).toEqual(['VARCHAR', 'VARCHAR', 'BIGINT'])
  })

  it('may be those of a CTE, as many as are asked for', async () => {
    expect((await sampled('sales', '--cte', 'PAID')).rows).toEqual([
      { id: 1, customer: 7, amount: 2 },
      { id: 2, customer: 7, amount: 3 },
    ])
    expect((await sampled('sales', '--cte', 'paid', '--limit', '1')).rows).toHaveLength(1)
    const text = await ground.line(['sample', 'sales', '--cte', 'paid'])
    expect(text.stdout).toContain('2 rows of the CTE paid of sales')
  })

  it('read the raw load of the asset itself', async () => {
    expect((await sampled('orders', '--query', '--limit', '1')).rows).toEqual([
      { id: 1, customer: 7, amount: 2 },
    ])
  })

  it('hide personal data under whatever name, in a CTE too', async () => {
    expect(await sampled('sales', '--query')).toMatchObject({
      rows: [{ name: 'Ada', contact: '***', orders: 2 }],
      masked: ['contact'],
    })
    const { rows, masked } = await sampled('sales', '--cte', 'named')
    expect(rows[0]).toMatchObject({ contact: '***', name: 'Ada' })
    expect(masked).toEqual(['contact'])
  })

  it('can be those of a preview', async () => {
    ground.write('models/orders.svc', files['models/orders.svc'].replace('amount: 2', 'amount: 20'))
    const preview = JSON.parse((await ground.line(['preview', 'orders', '--json'])).stdout) as {
      run_id: string
    }
    const amounts = async (...words: string[]) =>
      (await sampled('sales', '--cte', 'paid', ...words)).rows.map(row => row['amount'])
    expect(await amounts('--run', preview.run_id)).toEqual([20, 3])
    expect(await amounts()).toEqual([2, 3])
    ground.write('models/orders.svc', files['models/orders.svc'])
  })
})

describe('rows of an unsaved file', () => {
  it('are those of the text on stdin', () => {
    const { code, stdout } = typed(sales.replace('count(*)', '10 * count(*)'), 'sales', '--query', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ rows: [{ orders: 20 }], source: 'query' })
  })

  it('may be those of a CTE above SQL that is not right yet', () => {
    const broken = sales.replace('SELECT name, contact, count(*)', 'SELECT nme, ,')
    expect(typed(broken, 'sales', '--cte', 'paid').code).toBe(0)
    expectRefusal(typed(broken, 'sales', '--query'), 1, 'models/sales.svc:8')
  })

  it('are refused with the place in the text', () => {
    const said = typed(sales.replace('count(*)', 'count(nothing)'), 'sales', '--query')
    expectRefusal(said, 1, 'unknown column "nothing"', 'models/sales.svc:8:')
    const failing = typed(sales.replace('count(*)', "error('no ' || name)"), 'sales', '--query')
    expectRefusal(failing, 1, 'no Ada', '[build-failed]')
  })
})

describe('what cannot be asked', () => {
  it('is told with what to do', async () => {
    const refused = (...words: string[]) => ground.line(['sample', ...words])
    expectRefusal(
      await refused('later', '--query'),
      1,
      '"sales" has no build in dev',
      'Run it first: svc run +sales.',
      'models/later.svc:3',
    )
    expectRefusal(await refused('sales', '--cte', 'piad'), 2, 'did you mean "paid"?')
    expectRefusal(await refused('later', '--cte', 'x'), 2, 'It has none at all.')
    expectRefusal(await refused('sale', '--query'), 2, 'did you mean "sales"')
    expectRefusal(
      await refused('sales', '--query', '--source', 'raw'),
      2,
      'cannot be combined with --source or --size',
    )
    expectRefusal(await refused('sales', '--stdin'), 2, '--stdin needs --query or --cte')
    expectRefusal(await refused('sales', '--query', '--run', 'x'), 2, 'no run "x"')
  })

  it.each([
    ['another file', "SELECT * FROM read_text('/etc/passwd')"],
    ['a second statement', "SELECT 1) AS x; COPY (SELECT 1) TO 'stolen.csv'; SELECT * FROM (SELECT 1"],
    ['a change', 'DELETE FROM analytics_dev.orders RETURNING id'],
  ])('reaches neither: %s', async (_, sql) => {
    ground.write('models/sales.svc', `name: sales\ningest: none\ntransform: |\n  ${sql}\n`)
    const said = await ground.line(['sample', 'sales', '--query'])
    expect(said.code, said.stdout + said.stderr).toBe(1)
    expect(existsSync(join(ground.root, 'stolen.csv'))).toBe(false)
    ground.write('models/sales.svc', sales)
  })

  it('is not let through by the session either', async () => {
    const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root: ground.root, project: 'shop' })
    const session = await warehouse.open('read', { isolated: true })
    if (session === undefined) throw new Error('there is no warehouse')
    try {
      for (const sql of [
        "COPY (SELECT 1) TO 'stolen.csv'",
        "ATTACH 'other.duckdb'",
        'CREATE TABLE analytics_dev.x AS SELECT 1 AS n',
        'SET enable_external_access = true',
        "SELECT * FROM read_csv('/etc/passwd')",
      ])
        await expect(session.query(sql), sql).rejects.toThrow(
          /disabled by configuration|read-only|has been locked/,
        )
      expect(await session.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
    } finally {
      await session.close()
    }
    const usual = await warehouse.open('write')
    await usual.execute(["COPY (SELECT 1) TO '/dev/null'"])
    await usual.close()
  })
})

describe('svc sample of what is deployed', () => {
  it('hides personal data too, unless it is to be shown', async () => {
    expect(await sampled('customers', '--source', 'raw', '--limit', '1')).toMatchObject({
      rows: [{ id: 7, email: '***' }],
      masked: ['email'],
    })
    const shown = await sampled('customers', '--source', 'raw', '--limit', '1', '--unmasked')
    expect(shown).toMatchObject({ rows: [{ email: 'ada@example.com' }], masked: [] })
    const text = await ground.line(['sample', 'customers', '--source', 'model'])
    expect(text.stdout).toContain('Personal data is masked (--unmasked shows it): email')
  })
})
