/** What is built anew although nothing changed: asked for, or gone from the warehouse (decisions 8, "Forced and limited"). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { duckdbOnly, kindUnderTest } from '../../support/warehouse-under-test.ts'
import { failing, outcomes, projectMaker, refusal } from './test-project.ts'

const project = projectMaker()
const orders = (folder = './data') =>
  `ingest: {type: file, endpoint: ${folder}, resource: orders.csv}\ntransform: SELECT id, amount FROM {{ source }}`
const total = 'SELECT CAST(sum(amount) AS INTEGER) AS total FROM {{ ref("orders") }}'
const other = 'SELECT 1 AS n'

function shopWithData() {
  const shop = project({ orders: orders(), total, other })
  mkdirSync(join(shop.root, 'data'))
  writeFileSync(join(shop.root, 'data', 'orders.csv'), 'id,amount\n1,10\n2,20\n')
  return shop
}

async function relationOf(shop: ReturnType<typeof project>, asset: string, part: 'raw' | 'model') {
  return shop.withSession(async session => {
    const { builds } = await session.state.read('prod')
    const found = [...builds.values()].filter(build => build.asset === asset && build.part === part)
    return found.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)).at(-1)?.relation
  })
}

/** What the row of the last run says of what somebody had done. */
async function repairedIn(shop: ReturnType<typeof project>) {
  return shop.withSession(async session => {
    const [last] = await session.state.history('prod', 1)
    return (last?.assets ?? []).flatMap(({ name, repaired }) =>
      repaired === undefined ? [] : [[name, repaired]],
    )
  })
}

/** PostgreSQL keeps no view without what it reads: with the table goes the view of production. */
const isCascading = kindUnderTest === 'postgres'

async function drop(shop: ReturnType<typeof project>, asset: string, part: 'raw' | 'model') {
  const relation = await relationOf(shop, asset, part)
  const statement = `DROP TABLE ${relation?.schema}."${relation?.name}" CASCADE`
  await shop.withSession(session => session.execute([statement]))
}

async function replaceView(shop: ReturnType<typeof project>, asset: string, sql: string) {
  const relation = await relationOf(shop, asset, 'model')
  const statement = `CREATE OR REPLACE VIEW ${relation?.schema}."${relation?.name}" AS ${sql}`
  await shop.withSession(session => session.execute([statement]))
}

async function planOf(shop: ReturnType<typeof project>, request = {}) {
  const workspace = await shop.workspace()
  const plan = await planRun(
    workspace,
    { kind: 'run', selector: undefined, noIngest: false, allTests: false, dryRun: true, ...request },
    () => {},
  )
  await workspace.close()
  return new Map(plan.assets.map(({ name, change, reason }) => [name, { change, reason }]))
}

describe('--full-refresh', () => {
  it('fetches and builds everything anew, and afterwards nothing has changed', async () => {
    const shop = shopWithData()
    await shop.run()
    expect(outcomes(await shop.run())).toEqual(['orders unchanged', 'other unchanged', 'total unchanged'])
    expect((await planOf(shop, { refresh: 'all' })).get('total')).toEqual({
      change: 'rebuilt',
      reason: 'because --full-refresh asks for it',
    })
    const before = await relationOf(shop, 'orders', 'raw')
    const refreshed = await shop.run({ refresh: 'all' })
    expect(outcomes(refreshed)).toEqual(['orders built', 'other built', 'total built'])
    expect(await relationOf(shop, 'orders', 'raw')).not.toEqual(before)
    expect(outcomes(await shop.run())).toEqual(['orders unchanged', 'other unchanged', 'total unchanged'])
    expect(await shop.query('SELECT total FROM analytics.total')).toEqual([{ total: 30 }])
  })

  it('of some takes these, what reads them, and nothing else', async () => {
    const shop = shopWithData()
    await shop.run()
    const report = await shop.run({ refresh: { selector: 'orders' } })
    expect(outcomes(report)).toEqual(['orders built', 'other unchanged', 'total built'])
    const model = await shop.run({ refresh: { selector: 'total' } })
    expect(outcomes(model)).toEqual(['orders unchanged', 'other unchanged', 'total built'])
  })

  it('that fails decides nothing later, and a retry does not do again what it did', async () => {
    const shop = shopWithData()
    await shop.run()
    shop.files['other'] = `SELECT ${failing} AS n`
    const failed = await shop.run({ refresh: 'all' })
    expect(outcomes(failed)).toEqual(['orders built', 'other failed', 'total built'])
    shop.files['other'] = other
    const retried = await shop.run({ refresh: 'all', refreshSalt: failed.runId })
    expect(outcomes(retried)).toEqual(['orders taken_over', 'other built', 'total taken_over'])
    expect(outcomes(await shop.run())).toEqual(['orders unchanged', 'other unchanged', 'total unchanged'])
  })

  it('builds nothing that the run does not select', async () => {
    const shop = shopWithData()
    await shop.run()
    const refused = await refusal(shop.run({ selector: 'other', refresh: { selector: 'total' } }))
    expect(refused).toMatchObject({ code: 'wrong-usage' })
  })
})

describe('a table that somebody has dropped', () => {
  it('of a model is built anew, is told in the plan, and counts as unchanged afterwards', async () => {
    const shop = shopWithData()
    await shop.run()
    await drop(shop, 'total', 'model')
    expect(await planOf(shop)).toEqual(
      new Map([
        ['orders', { change: 'reused', reason: undefined }],
        ['other', { change: 'reused', reason: undefined }],
        ['total', { change: 'rebuilt', reason: 'because its table is gone from the warehouse' }],
      ]),
    )
    expect(outcomes(await shop.run())).toEqual(['orders unchanged', 'other unchanged', 'total built'])
    const told = () => shop.events.filter(({ type }) => type === 'relation-gone')
    const tableGone = { type: 'relation-gone', asset: 'total', relation: 'table' }
    const viewGone = { ...tableGone, relation: 'view', replaced: false }
    expect(told()).toEqual(isCascading ? [tableGone, viewGone] : [tableGone])
    const dropped = (what: string) => `its ${what} was dropped from the warehouse, not by svc`
    const repaired = isCascading ? `${dropped('table')}; ${dropped('view')}` : dropped('table')
    expect(await repairedIn(shop)).toEqual([['total', repaired]])
    expect(await shop.query('SELECT total FROM analytics.total')).toEqual([{ total: 30 }])
    expect(outcomes(await shop.run())).toEqual(['orders unchanged', 'other unchanged', 'total unchanged'])
    expect(told()).toEqual([])
    expect(await repairedIn(shop)).toEqual([])
  })

  it('of a load is fetched anew', async () => {
    const shop = shopWithData()
    await shop.run()
    await drop(shop, 'orders', 'raw')
    expect((await planOf(shop)).get('orders')).toEqual({
      change: 'rebuilt',
      reason: 'because its load is gone from the warehouse',
    })
    const without = await shop.run({ noIngest: true })
    expect(without.failure).toMatchObject({ code: 'parent-not-built', asset: 'orders' })
    expect(outcomes(await shop.run())).toEqual(['orders built', 'other unchanged', 'total built'])
    expect(outcomes(await shop.run())).toEqual(['orders unchanged', 'other unchanged', 'total unchanged'])
  })

  it('is left alone by a run of other assets', async () => {
    const shop = shopWithData()
    await shop.run()
    await drop(shop, 'total', 'model')
    expect((await shop.run({ selector: 'other' })).status).toBe('deployed')
    expect(outcomes(await shop.run())).toContain('total built')
  })
})

describe('a view that somebody has replaced behind production', () => {
  const view = {
    files: {
      other: 'ingest: none\ndeploy: {materialize: view}\ntransform: SELECT 1 AS n',
      reader: 'SELECT n FROM {{ ref("other") }}',
    },
  }

  it('is built anew with what reads it, is told once, and counts as unchanged afterwards', async () => {
    const shop = project(view.files)
    await shop.run()
    await replaceView(shop, 'other', 'SELECT 2 AS n')
    expect((await planOf(shop)).get('other')).toEqual({
      change: 'rebuilt',
      reason: 'because its view was replaced in the warehouse, not by svc',
    })
    expect(outcomes(await shop.run())).toEqual(['other built', 'reader built'])
    const told = () => shop.events.filter(({ type }) => type === 'relation-gone')
    expect(told()).toEqual([{ type: 'relation-gone', asset: 'other', relation: 'view', replaced: true }])
    expect(await shop.query('SELECT n FROM analytics.other')).toEqual([{ n: 1 }])
    expect(outcomes(await shop.run())).toEqual(['other unchanged', 'reader unchanged'])
    expect(told()).toEqual([])
  })

  duckdbOnly(
    'PostgreSQL keeps where in the statement each word of a view was, and so tells it from any other',
  )('by the same query is no other one', async () => {
    const shop = project(view.files)
    await shop.run()
    await replaceView(shop, 'other', 'SELECT 1 AS n')
    expect(outcomes(await shop.run())).toEqual(['other unchanged', 'reader unchanged'])
  })

  it('is no other one where the engine writes it in another way after it was opened again', async () => {
    const more = {
      duckdb:
        't::blob AS bytes, list_transform([1, 2], lambda each: each + 1) AS more, [1, 2]::double[] AS numbers',
      postgres: "t::bytea AS bytes, ARRAY[1, 2]::double precision[] AS numbers, '{}'::jsonb ? t AS has",
    }
    const shop = project({
      other: `ingest: none\ndeploy: {materialize: view}\ntransform: |
  WITH a AS MATERIALIZED (SELECT DATE '2024-01-01' AS day, 'x' AS t)
  SELECT CAST(day AS date) AS day, t::varchar(20) AS t, 1::decimal(8, 2) AS amount, 2::decimal AS rate,
    day::timestamptz AS at, ${more[kindUnderTest]} FROM a`,
    })
    await shop.run()
    expect(outcomes(await shop.run())).toEqual(['other unchanged'])
  })

  it('is compared with nothing where another version of the engine wrote it down', async () => {
    const shop = project(view.files)
    await shop.run()
    await shop.query(`UPDATE svc.svc_view_texts SET "text" = 'v0 other'`)
    await replaceView(shop, 'other', 'SELECT 1 AS n, 2 AS m')
    expect((await planOf(shop)).get('other')?.change).toBe('reused')
  })
})
