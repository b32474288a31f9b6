import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createProject, normalise, readJson, type TestProject } from '../support/cli.ts'
import { shop } from './shop-project.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true })

function expectSchema(name: string, value: unknown): void {
  const schema = outputSchemas[name]
  if (schema === undefined) throw new Error(`no schema ${name}`)
  ajv.validate(schema, value)
  expect(ajv.errors ?? [], `${name}: ${JSON.stringify(value).slice(0, 400)}`).toEqual([])
}

let project: TestProject
beforeAll(() => {
  project = createProject(shop)
})
afterAll(() => project.dispose())

const total = async () => {
  const { value } = await project.json(['sample', 'daily_sales', '--json'])
  const { rows } = value as { rows: { day: string; total: number | string }[] }
  return rows.reduce((sum, row) => sum + Number(row.total), 0)
}

/** One story in order: each step stands on what the last one left. */
describe.sequential('from nothing to a rollback', () => {
  it('init makes the files and the state tables, once', async () => {
    const first = await project.svc(['init'])
    expect(normalise(first.stdout, project.root)).toMatchInlineSnapshot(`
      "Project in <root>
        + .gitignore
        ✓ state tables svc_state_history and svc_catalog in duckdb: warehouse.duckdb

      Next: svc validate, then svc plan and svc run (4 assets)
      "
    `)
    expect(first.code).toBe(0)
    expect(readFileSync(join(project.root, '.gitignore'), 'utf8')).toBe(
      '.svc/\nsvc_catalog.json\nwarehouse.duckdb*\nnode_modules/\n',
    )
    const again = await project.json(['init', '--json'])
    expectSchema('init', again.value)
    expect(again.value).toMatchObject({ created: [], assets: 4 })
  })

  it('status knows nothing as deployed, sample and freshness say so', async () => {
    expect((await project.json(['status', '--format', 'json'])).value).toEqual({ assets: [] })
    const sample = await project.svc(['sample', 'orders'])
    expect(sample.code).toBe(1)
    expect(sample.stderr).toContain('"orders" was never deployed to dev')
    const fresh = await project.json(['freshness', '--json'])
    expect(fresh.code).toBe(1)
    expectSchema('freshness', fresh.value)
  })

  it('validate passes every file', async () => {
    const result = await project.svc(['validate'])
    expect(normalise(result.stdout)).toMatchInlineSnapshot(`
      "PASS  models/customers.svc
      PASS  models/marts/best_customers.svc
      PASS  models/marts/daily_sales.svc
      PASS  models/orders.svc

        warn   nothing in the source is called "day_of_week"          unmatched-column
               models/orders.svc:6:13
             5 │   resource: "*.csv"
             6 │   exclude: [day_of_week]
               │             ^^^^^^^^^^^ did you mean "day"?

      4 passed: 1 warning <seconds>
      "
    `)
    expect(result.code).toBe(0)
  })

  it('plan shows what is new', async () => {
    const result = await project.svc(['plan'])
    expect(result.stderr).toBe('')
    expect(normalise(result.stdout)).toMatchInlineSnapshot(`
      "Plan for dev (analytics_dev in warehouse.duckdb), 4 assets

        + customers                new          2 columns, fetched
        + orders                   new          4 columns, fetched
        + best_customers           new          2 columns, view
        + daily_sales              new          3 columns

        Exposures that will see the change: Board (daily_sales).

        Fetch 2 sources, build 4 assets, run 8 tests, promote 4 views at once.
      "
    `)
    expect(result.code).toBe(0)
    const dry = await project.svc(['run', '--dry-run'])
    expect(dry.stdout).toBe(result.stdout)
    expect((await project.json(['status', '--json'])).value).toEqual({ assets: [] })
  })

  it('run builds, tests and promotes', async () => {
    const result = await project.svc(['run'])
    expect(result.code).toBe(0)
    expect(normalise(result.stderr)).toContain('tests passed on the new tables')
    expect(normalise(result.stdout)).toMatchInlineSnapshot(`
      "
        4 built

      Deployed with 1 warning: run <run> to dev in <seconds>.
      "
    `)
    expect(await total()).toBe(35.5)
  })

  it('writes the files that other programs read', () => {
    expectSchema('manifest', readJson(project, '.svc/manifest.json'))
    expectSchema('catalog', readJson(project, 'svc_catalog.json'))
    expectSchema('test-results', readJson(project, '.svc/test_results.json'))
    for (const name of ['manifest', 'lineage', 'schemas', 'tests', 'test_results']) {
      expect(readJson(project, `.svc/dev/${name}.json`)).toEqual(readJson(project, `.svc/${name}.json`))
    }
    const catalog = readJson(project, 'svc_catalog.json')
    expect(catalog).toMatchObject({
      environment: 'dev',
      active_assets: 4,
      project: { id: 'shop', warehouse: 'duckdb: warehouse.duckdb' },
      exposures: [{ name: 'Board', asset: 'daily_sales' }],
    })
    expect(catalog).toHaveProperty('assets.length', 4)
    expect(catalog).toHaveProperty('assets.0.seconds', expect.any(Number))
    const lineage = readJson(project, '.svc/lineage.json')
    expect(lineage).toContainEqual({
      from: 'orders',
      to: 'daily_sales',
      kind: 'ref',
      columns: [
        { from: 'day', to: 'day' },
        { from: 'amount', to: 'total', transform: 'sum()' },
      ],
      uses: [
        { column: 'amount', clauses: ['WHERE'] },
        { column: 'day', clauses: ['GROUP BY'] },
      ],
    })
    expect(readJson(project, '.svc/schemas.json')).toMatchObject({
      best_customers: {
        columns: [
          { name: 'name', pii: true },
          { name: 'spent', pii: false },
        ],
      },
      customers: {
        columns: [
          { name: 'id', nullable: false },
          { name: 'name', nullable: false, pii: true },
        ],
      },
    })
  })

  it('run again finds nothing to do', async () => {
    const result = await project.svc(['run'])
    expect(result.code).toBe(0)
    expect(result.stdout).toContain('Nothing to do')
    const plan = await project.svc(['plan', '--offline'])
    expect(normalise(plan.stdout).replace(/\s+/g, ' ').trim()).toBe(
      'Nothing to do for dev (analytics_dev in warehouse.duckdb): 4 assets are as deployed (run <run>, <ago>). A run fetches 2 sources and builds what came new.',
    )
  })

  it('status, versions and freshness know the deployment', async () => {
    const status = await project.json(['status', '--format=json'])
    expectSchema('status', status.value)
    const { assets } = status.value as { assets: { name: string; active_hash: string }[] }
    expect(assets.map(asset => asset.name).sort()).toEqual([
      'best_customers',
      'customers',
      'daily_sales',
      'orders',
    ])
    const versions = await project.json(['versions', 'orders', '--json'])
    expectSchema('versions', versions.value)
    expect(versions.value).toMatchObject({
      versions: [
        {
          hash: assets.find(asset => asset.name === 'orders')?.active_hash,
          status: 'deployed',
          active: true,
        },
      ],
    })
    const table = await project.svc(['versions', 'orders'])
    expect(normalise(table.stdout)).toMatchInlineSnapshot(`
      "Hash          Deployed At          Status
      <hash>        <time>  deployed

      Live in dev: <hash>       from run <run>. Times are UTC.
      "
    `)
    const fresh = await project.json(['freshness', '--json'])
    expect(fresh).toMatchObject({ code: 0, value: { assets: [{ name: 'orders', status: 'OK' }] } })
  })

  it('a change that fails its test stays in green', async () => {
    project.write('data/orders.csv', 'id,customer_id,amount,day\n1,1,-10,2026-01-01\n1,9,20,2026-01-01\n')
    const result = await project.svc(['run'])
    expect(result.code).toBe(1)
    expect(normalise(result.stderr)).toContain('✗ orders')
    expect(normalise(result.stdout)).toContain('Nothing was promoted: dev is as before (run <run>, <ago>).')
    expect(await total()).toBe(35.5)
    const runId = /Failed run ([0-9a-z]{10})/.exec(result.stdout)?.[1] ?? ''
    const green = await project.json(['sample', 'orders', '--source', 'model', '--run', runId, '--json'])
    expectSchema('sample', green.value)
    expect(green.value).toMatchObject({ rows: [{ amount: -10 }, { amount: 20 }] })
    const tests = await project.json(['test', '--run', runId, '--json'])
    expect(tests.code).toBe(1)
    expectSchema('test', tests.value)
    const results = readJson(project, '.svc/test_results.json') as Record<
      string,
      { summary: { failed: number } }
    >
    expect(results['orders']?.summary.failed).toBe(3)
    expectSchema('catalog', readJson(project, 'svc_catalog.json'))
    expect((await project.svc(['versions', 'orders'])).stdout).toMatch(/Failed\n.*deployed/)
  })

  it('a good change is previewed, then promoted', async () => {
    project.write('data/orders.csv', 'id,customer_id,amount,day\n1,1,100,2026-01-01\n')
    const preview = await project.json(['preview', '--json'])
    expect(preview.code).toBe(0)
    expectSchema('preview', preview.value)
    expect(await total()).toBe(35.5)
    const { run_id } = preview.value as { run_id: string }
    const promoted = await project.json(['promote', run_id, '--json'])
    expectSchema('promote', promoted.value)
    expect(promoted.code).toBe(0)
    expect(await total()).toBe(100)
  })

  it('a rollback goes back, a second one forth', async () => {
    const back = await project.json(['rollback', '--json'])
    expect(back.code).toBe(0)
    expectSchema('rollback', back.value)
    expect(await total()).toBe(35.5)
    const forth = await project.svc(['asset', 'rollback'])
    expect(normalise(forth.stdout)).toMatchInlineSnapshot(`
      "Rolled back dev: 3 views in <seconds>. Undo: svc rollback
      "
    `)
    expect(await total()).toBe(100)
  })

  it('environments do not touch each other', async () => {
    const prod = await project.svc(['run', '--env', 'prod'])
    expect(prod.stdout).toContain('to prod')
    const sample = await project.json(['sample', 'daily_sales', '--env', 'prod', '--json'])
    expect(sample.value).toMatchObject({ relation: 'analytics.daily_sales', environment: 'prod' })
    expect(existsSync(join(project.root, '.svc', 'prod', 'manifest.json'))).toBe(true)
    expect(readJson(project, 'svc_catalog.json')).toMatchObject({ environment: 'prod' })
  })

  it('inspect takes a file apart, by path and by name', async () => {
    const byPath = await project.json(['inspect', 'marts/daily_sales.svc', '--json'], { cwd: 'models' })
    expectSchema('inspect', byPath.value)
    expect(byPath.value).toMatchObject({
      name: 'daily_sales',
      lineage: { upstream: ['orders'], downstream: [] },
      schema: {
        columns: [{ name: 'day' }, { name: 'total' }, { name: 'orders', type: 'BIGINT' }],
        complete: true,
      },
      tests: [
        { kind: 'not_null', column: 'total' },
        { kind: 'row_count', min: 1 },
      ],
    })
    expect((await project.json(['inspect', 'daily_sales', '--json'])).value).toEqual(byPath.value)
    const text = await project.svc(['inspect', 'daily_sales'])
    expect(text.stdout).toMatchInlineSnapshot(`
      "daily_sales  models/marts/daily_sales.svc

      Blocks      name, transform, ingest, columns, tests, exposures
      Ingest      none
      Deploy      table
      Upstream    orders
      Downstream  -

      Column  Type    From
      day     DATE    orders.day
      total   DOUBLE  orders.amount
      orders  BIGINT

      Tests       not_null_total (not_null, error)
                  row_count (row_count, error)
      "
    `)
  })

  it('doctor finds everything well', async () => {
    const { code, value } = await project.json(['doctor', '--json'])
    expectSchema('doctor', value)
    expect({ code, value }).toMatchObject({ code: 0, value: { failed: 0 } })
    const { checks } = value as { checks: { name: string }[] }
    expect(checks.map(check => check.name)).toEqual(
      expect.arrayContaining(['versions', 'project', 'warehouse', 'state tables', 'schema', 'source orders']),
    )
  })

  it('manifest --update keeps what did not change', async () => {
    const before = (await project.json(['manifest', '--json'])).value
    expectSchema('manifest', before)
    project.write('models/orders.svc', `${shop['models/orders.svc'] ?? ''}description: Orders of the shop\n`)
    const result = await project.svc(['manifest', '--update'])
    expect(result.stdout).toContain('1 entry changed')
    expect(readJson(project, '.svc/manifest.json')).toMatchObject({
      assets: (before as { assets: { name: string }[] }).assets.map(({ name }) => ({ name })),
    })
  })
})
