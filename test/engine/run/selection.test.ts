import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { kindUnderTest } from '../../support/warehouse-under-test.ts'
import { failing, outcomes, projectMaker, refusal } from './test-project.ts'

const project = projectMaker()

/** PostgreSQL is asked whether the view can be made again, and says itself why not. */
const loses = {
  duckdb: 'view finance.loses reads analytics.a.y, which would go away',
  postgres: 'view finance.loses reads analytics.a, and would break: column a.y does not exist',
}

const chain = {
  a: 'SELECT 1 AS id, 10 AS amount UNION ALL SELECT 2, 20',
  b: "SELECT id, amount * 2 AS doubled FROM {{ ref('a') }}",
  c: "SELECT sum(doubled) AS total FROM {{ ref('b') }}",
  other: 'SELECT 5 AS n',
}

describe('what is selected, removed or foreign', () => {
  test('a run of one asset reads the live builds of the others and lists who is left behind', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] = `SELECT id, ${failing} AS doubled FROM {{ ref('a') }}`
    expect(await p.run({ selector: 'b' })).toMatchObject({ status: 'Failed', leftBehind: [] })
    p.files['b'] = "SELECT id, amount * 5 AS doubled FROM {{ ref('a') }}"
    const report = await p.run({ selector: 'b' })
    expect(outcomes(report)).toEqual(['b built'])
    expect(report.leftBehind).toEqual(['c'])
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 60 }])
    const [run] = await p.query(
      "SELECT assets FROM svc.svc_state_history WHERE selector = 'b' AND status = 'deployed'",
    )
    const assets = JSON.parse(String(run?.['assets'])) as { name: string; status: string }[]
    expect(assets.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'a kept',
      'b built',
      'c kept',
      'other kept',
    ])
    expect(outcomes(await p.run())).toEqual(['a unchanged', 'b unchanged', 'c built', 'other unchanged'])
  })

  test('a parent that was never built is refused with the way out', async () => {
    const p = project(chain)
    const error = await refusal(p.run({ selector: 'c' }))
    expect(error).toMatchObject({ code: 'parent-not-built', asset: 'c' })
    expect(error.hint).toContain('svc run +c')
  })

  test('only a full run removes the view of a deleted asset', async () => {
    const p = project(chain)
    await p.run()
    delete p.files['other']
    await p.run({ selector: 'c' })
    expect(await p.query('SELECT n FROM analytics.other')).toEqual([{ n: 5 }])
    const report = await p.run()
    expect(report.generation).toBe(2)
    const names = await p.withSession(async session =>
      (await session.relations('analytics')).map(({ name }) => name),
    )
    expect(names.sort()).toEqual(['a', 'b', 'c'])
  })

  test('a foreign object of the same name stops a run before any work', async () => {
    const p = project(chain)
    await p.withSession(session =>
      session.execute(['CREATE SCHEMA analytics', 'CREATE VIEW analytics.B AS SELECT 1 AS mine']),
    )
    const error = await refusal(p.run())
    expect(error).toMatchObject({ code: 'foreign-object', asset: 'b' })
    expect(await p.query('SELECT mine FROM analytics.b')).toEqual([{ mine: 1 }])
    expect(await p.query('SELECT count(*) AS n FROM svc.svc_builds')).toEqual([{ n: 0 }])
  })

  test('a view of someone else that would lose a column stops a run, one that would not does not', async () => {
    const p = project({ a: 'SELECT 1 AS x, 2 AS y, 3 AS z', b: 'SELECT 1 AS n' })
    await p.run()
    await p.withSession(session =>
      session.execute([
        'CREATE SCHEMA finance',
        'CREATE VIEW finance.keeps AS SELECT count(*) AS n, sum(x * 2) AS x FROM Analytics.a',
        'CREATE VIEW finance.loses AS SELECT a.x + a.Y AS n FROM analytics.a',
      ]),
    )
    p.files['a'] = 'SELECT 1 AS x, 2 AS y'
    expect((await p.run()).status).toBe('deployed')
    p.files['a'] = 'SELECT 1 AS x'
    const error = await refusal(p.run())
    expect(error).toMatchObject({ code: 'foreign-object', asset: 'a' })
    expect(error.message).toBe(loses[kindUnderTest])
    delete p.files['a']
    expect((await refusal(p.run())).message).toBe('view finance.keeps reads analytics.a, which would go away')
    expect(await p.query('SELECT n FROM finance.loses')).toEqual([{ n: 3 }])
  })

  test('a view that someone dropped comes back', async () => {
    const p = project(chain)
    await p.run()
    await p.withSession(session => session.execute(['DROP VIEW analytics.other']))
    const report = await p.run()
    expect(outcomes(report)).toContain('other unchanged')
    expect(await p.query('SELECT n FROM analytics.other')).toEqual([{ n: 5 }])
  })

  test('a second run at the same time says who is at work', async () => {
    const p = project(chain)
    await p.run()
    const warehouse = await p.openWarehouse()
    const holder = { runId: 'other', command: 'run', user: 'ada', host: hostname(), pid: process.pid }
    const lease = await warehouse.acquireLease('prod', { ...holder, since: '2026-03-01T11:00:00Z' })
    const error = await refusal(p.run())
    expect(error).toMatchObject({ code: 'lease-held', exitCode: 3 })
    expect(error.message).toContain('ada')
    expect((await p.run({}, 'dev')).status).toBe('deployed')
    await lease.release()
    expect((await p.run()).status).toBe('deployed')
  })

  test('environments share builds and nothing else', async () => {
    const p = project(chain)
    await p.run()
    const dev = await p.run({}, 'dev')
    expect(outcomes(dev)).toEqual(['a taken_over', 'b taken_over', 'c taken_over', 'other taken_over'])
    expect(dev.generation).toBe(1)
    p.files['other'] = 'SELECT 7 AS n'
    await p.run({}, 'dev')
    expect(await p.query('SELECT n FROM analytics_dev.other')).toEqual([{ n: 7 }])
    expect(await p.query('SELECT n FROM analytics.other')).toEqual([{ n: 5 }])
  })
})
