import { describe, expect, test } from 'vitest'
import { kindUnderTest } from '../../support/warehouse-under-test.ts'
import { outcomes, projectMaker } from './test-project.ts'

const project = projectMaker()

const chain = {
  a: 'SELECT 1 AS id, 10 AS amount UNION ALL SELECT 2, 20',
  b: "SELECT id, amount * 2 AS doubled FROM {{ ref('a') }}",
  c: "SELECT sum(doubled) AS total FROM {{ ref('b') }}",
  other: 'SELECT 5 AS n',
}

describe('failures leave production as it was', () => {
  test('a failed asset takes its descendants with it; the others are built and kept for the next run', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] = "SELECT id, CAST('x' || amount AS INTEGER) AS doubled FROM {{ ref('a') }}"
    p.files['other'] = 'SELECT 6 AS n'
    const report = await p.run()
    expect(report.status).toBe('Failed')
    expect(outcomes(report)).toEqual(['a unchanged', 'b failed', 'c skipped', 'other built'])
    expect(report.failure).toMatchObject({ code: 'build-failed', asset: 'b', exitCode: 1 })
    expect(report.failure?.message).toMatch(/^(Conversion Error|invalid input syntax)/)
    // PostgreSQL tells no place of what fails while it runs: then it is that of the query.
    expect(report.failure?.place).toBe(kindUnderTest === 'duckdb' ? 'models/b.svc:4:14' : 'models/b.svc:3:12')
    expect(await p.query('SELECT n FROM analytics.other')).toEqual([{ n: 5 }])

    p.files['b'] = chain.b
    expect(outcomes(await p.run())).toEqual(['a unchanged', 'b unchanged', 'c unchanged', 'other taken_over'])
    expect(await p.query('SELECT n FROM analytics.other')).toEqual([{ n: 6 }])
  })

  // PostgreSQL has no PIVOT: every column of its queries is known before they run.
  test.runIf(kindUnderTest === 'duckdb')(
    'a build in which data make a column of svc fails its asset, again in the next run, until the data are others',
    async () => {
      const keys = (key: string) => `SELECT 1 AS id, '${key}' AS k, 2 AS v UNION ALL SELECT 1, 'plain', 3`
      const p = project({
        keys: keys('_SVC_x'),
        wide: "FROM (PIVOT {{ ref('keys') }} ON k USING sum(v))",
        below: "SELECT * FROM {{ ref('wide') }}",
        other: 'SELECT 5 AS n',
      })
      for (const keysAre of ['built', 'taken_over']) {
        const report = await p.run()
        expect(outcomes(report)).toContain(`keys ${keysAre}`)
        expect(outcomes(report)).toEqual(expect.arrayContaining(['wide failed', 'below skipped']))
        expect(report.failure).toMatchObject({ code: 'build-failed', asset: 'wide' })
        expect(report.failure?.message).toContain('"_SVC_x", a name that svc keeps for itself')
      }
      p.files['keys'] = keys('mine')
      expect((await p.run()).status).toBe('deployed')
      expect(await p.query('SELECT CAST(mine AS INTEGER) AS mine FROM analytics.below')).toEqual([
        { mine: 2 },
      ])
    },
  )

  test('a failed error test promotes nothing and keeps the green tables', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] =
      "ingest: none\ntransform: SELECT 1 AS id, amount AS doubled FROM {{ ref('a') }}\ntests: [{unique: id}]"
    const report = await p.run()
    expect(report.failure).toMatchObject({ code: 'test-failed', asset: 'b', exitCode: 1 })
    expect(outcomes(report)).toContain('b test_failed')
    expect(report.tests[0]).toMatchObject({ status: 'fail', failures: 1, sample: [{ id: 1, times: 2 }] })
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 60 }])
    expect(await p.query(`SELECT count(*) AS n FROM svc_g_${report.runId}.b`)).toEqual([{ n: 2 }])
    // What it reused is there too, to be looked at beside it.
    const [reused] = await p.query(`SELECT count(*) AS n FROM svc_g_${report.runId}.a`)
    expect(reused).toEqual((await p.query('SELECT count(*) AS n FROM analytics.a'))[0])
    expect((await p.query('SELECT status FROM svc.svc_state_history ORDER BY started_at'))[1]).toEqual({
      status: 'Failed',
    })
  })

  test('a failed test still fails in the next run, although its build is reused', async () => {
    const p = project({ a: 'ingest: none\ntransform: SELECT NULL AS id\ntests: [{not_null: id}]' })
    await p.run()
    const report = await p.run()
    expect(outcomes(report)).toEqual(['a test_failed'])
    expect(report.tests[0]).toMatchObject({ ran: true, status: 'fail' })
  })

  test('a warned test does not block', async () => {
    const p = project({
      a: 'ingest: none\ntransform: SELECT NULL AS id\ntests: [{not_null: id, severity: warn}]',
    })
    const report = await p.run()
    expect(report.status).toBe('deployed')
    expect(report.tests[0]).toMatchObject({ status: 'fail', severity: 'warn', failures: 1 })
  })

  test('an invalid file fails its asset: all others are built and tested, and nothing is promoted', async () => {
    const p = project({
      ...chain,
      broken: "SELECT nope, neither FROM {{ ref('a') }}",
      reader: "SELECT * FROM {{ ref('broken') }}",
      tested: 'ingest: none\ntransform: SELECT NULL AS id\ntests: [{not_null: id}]',
    })
    const report = await p.run()
    expect(report).toMatchObject({ status: 'Failed', failure: { code: 'invalid-project', exitCode: 1 } })
    expect(outcomes(report)).toEqual([
      'a built',
      'b built',
      'broken failed',
      'c built',
      'other built',
      'reader skipped',
      'tested test_failed',
    ])
    // What fails by its file is not counted as work that is left.
    expect(p.events[0]).toMatchObject({ type: 'run-started', assets: 7, to_fetch: 0, to_build: 5 })
    expect(report.problems?.map(({ message }) => message)).toEqual([
      'unknown column "nope"',
      'unknown column "neither"',
    ])
    expect(await p.relations('analytics')).toEqual([])
    expect(outcomes(await p.run({ selector: '+c' }))).toEqual([
      'a taken_over',
      'b taken_over',
      'c taken_over',
    ])
    const runs = await p.query('SELECT status, refused FROM svc.svc_state_history ORDER BY run_id')
    expect(runs).toEqual([
      { status: 'Failed', refused: false },
      { status: 'deployed', refused: false },
    ])
  })
})
