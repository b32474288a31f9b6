import { hostname } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { SvcError } from '../../../cli/engine/errors.ts'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import { outcomes, type TestProject, testProject } from './test-project.ts'

const open: TestProject[] = []
const project = (files: Record<string, string>) => {
  const made = testProject(files)
  open.push(made)
  return made
}
afterEach(() => {
  for (const made of open.splice(0)) made.remove()
})

const chain = {
  a: 'SELECT 1 AS id, 10 AS amount UNION ALL SELECT 2, 20',
  b: "SELECT id, amount * 2 AS doubled FROM {{ ref('a') }}",
  c: "SELECT sum(doubled) AS total FROM {{ ref('b') }}",
  other: 'SELECT 5 AS n',
}

async function refusal(work: Promise<unknown>): Promise<SvcError> {
  const error = await work.then(
    () => undefined,
    thrown => thrown,
  )
  if (error instanceof SvcError) return error
  throw error ?? new Error('nothing was refused')
}

describe('identity', () => {
  test('the first run builds everything and shows it in production', async () => {
    const p = project(chain)
    const report = await p.run()
    expect(report.failure).toBeUndefined()
    expect(outcomes(report)).toEqual(['a built', 'b built', 'c built', 'other built'])
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 60 }])
    expect(report.generation).toBe(1)
    expect(report.promotedViews).toBe(4)
  })

  test('an unchanged project builds nothing, makes no green schema and keeps its generation', async () => {
    const p = project(chain)
    await p.run()
    const report = await p.run()
    expect(outcomes(report)).toEqual(['a unchanged', 'b unchanged', 'c unchanged', 'other unchanged'])
    expect(report.generation).toBe(1)
    expect(p.events.map(({ type }) => type)).not.toContain('promoted')
    const schemas = await p.withSession(session => session.schemas('svc_g_'))
    expect(schemas).toHaveLength(1)
    const history = await p.query('SELECT status, generation FROM svc.svc_state_history ORDER BY started_at')
    expect(history).toEqual([
      { status: 'deployed', generation: 1 },
      { status: 'deployed', generation: 1 },
    ])
  })

  test('a comment, spacing and a description rebuild nothing', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] =
      "description: twice\ningest: none\ntransform: |\n  -- twice the amount\n  select ID, amount*2 as doubled\n  from {{ ref('a') }}"
    expect(outcomes(await p.run())).toEqual(['a unchanged', 'b unchanged', 'c unchanged', 'other unchanged'])
  })

  test('a change of one rebuilds it and what depends on it', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] = "SELECT id, amount * 3 AS doubled FROM {{ ref('a') }}"
    const report = await p.run()
    expect(outcomes(report)).toEqual(['a unchanged', 'b built', 'c built', 'other unchanged'])
    expect(report.promotedViews).toBe(2)
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 90 }])
  })

  test('going back to an earlier text reuses its builds', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] = "SELECT id, amount * 3 AS doubled FROM {{ ref('a') }}"
    await p.run()
    p.files['b'] = chain.b
    const report = await p.run()
    expect(outcomes(report)).toContain('b unchanged')
    expect(report.generation).toBe(3)
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 60 }])
  })

  test('a variable rebuilds who uses it', async () => {
    const p = project({
      a: "SELECT {{ var('factor') }} AS n, '{{ var('factor') }} times' AS label",
      b: 'SELECT 1 AS n',
    })
    p.settings = 'vars: {factor: 3}'
    await p.run()
    expect(await p.query('SELECT * FROM analytics.a')).toEqual([{ n: 3, label: '3 times' }])
    p.settings = 'vars: {factor: 4}'
    expect(outcomes(await p.run())).toEqual(['a built', 'b unchanged'])
    expect(await p.query('SELECT * FROM analytics.a')).toEqual([{ n: 4, label: '4 times' }])
  })

  test('SQL that asks for the time is built anew in every run, and so is what reads it', async () => {
    const p = project({ a: 'SELECT now() AS t', b: "SELECT t FROM {{ ref('a') }}", c: 'SELECT 1 AS n' })
    await p.run()
    expect(outcomes(await p.run())).toEqual(['a built', 'b built', 'c unchanged'])
  })

  test('a source with other content is loaded again, with the same content it is not', async () => {
    const p = project({
      src: 'ingest: {type: rows, rows: [{id: 1}, {id: 2}]}\ntransform: SELECT id FROM {{ source }}',
      reader: "SELECT count(*) AS n FROM {{ ref('src') }}",
    })
    expect(outcomes(await p.run())).toEqual(['reader built', 'src built'])
    expect(outcomes(await p.run())).toEqual(['reader unchanged', 'src unchanged'])
    p.files['src'] =
      'ingest: {type: rows, rows: [{id: 1}, {id: 2}, {id: 3}]}\ntransform: SELECT id FROM {{ source }}'
    expect(outcomes(await p.run())).toEqual(['reader built', 'src built'])
    expect(await p.query('SELECT n FROM analytics.reader')).toEqual([{ n: 3 }])
  })

  test('--no-ingest builds on the last load', async () => {
    const rows = 'ingest: {type: rows, rows: [{id: 1}, {id: 2}]}'
    const p = project({ src: `${rows}\ntransform: SELECT id FROM {{ source }}` })
    await p.run()
    p.files['src'] = `${rows}\ntransform: SELECT id + 10 AS id FROM {{ source }}`
    const report = await p.run({ noIngest: true })
    expect(outcomes(report)).toEqual(['src built'])
    expect(p.events.map(({ type }) => type)).not.toContain('fetch-started')
    expect(await p.query('SELECT id FROM analytics.src ORDER BY id')).toEqual([{ id: 11 }, { id: 12 }])
  })

  test('--no-ingest without a load says so', async () => {
    const p = project({
      src: 'ingest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}',
    })
    const report = await p.run({ noIngest: true })
    expect(report.failure).toMatchObject({ code: 'parent-not-built', asset: 'src' })
    expect(report.failure?.hint).toContain('--no-ingest')
  })
})

describe('materializations', () => {
  test('views over views and ephemeral assets name physical tables only', async () => {
    const p = project({
      t: 'SELECT 1 AS id, 10 AS amount',
      e: "ingest: none\ndeploy: {materialize: ephemeral}\ntransform: |\n  SELECT id, amount + 1 AS amount FROM {{ ref('t') }} -- one more\n",
      v: "ingest: none\ndeploy: {materialize: view}\ntransform: SELECT e.id, e.amount FROM {{ ref('e') }}",
      w: "ingest: none\ndeploy: {materialize: view}\ntransform: SELECT v.id, x.amount FROM {{ ref('v') }} JOIN {{ ref('e') }} AS x ON v.id = x.id WHERE true",
      last: "SELECT w.amount FROM {{ ref('w') }}, {{ ref('e') }} WHERE e.id = w.id",
    })
    const report = await p.run()
    expect(report.failure).toBeUndefined()
    expect(await p.query('SELECT amount FROM analytics.w')).toEqual([{ amount: 11 }])
    expect(await p.query('SELECT amount FROM analytics.last')).toEqual([{ amount: 11 }])
    const views = await p.query(
      "SELECT view_name, sql FROM duckdb_views() WHERE schema_name = 'analytics' ORDER BY 1",
    )
    expect(views.map(view => view['view_name'])).toEqual(['last', 't', 'v', 'w'])
    for (const { view_name, sql } of views) {
      const names = String(sql).match(/svc_g_run\d+"?\."?\w+/g) ?? []
      const green = names.map(name => name.split('.').at(-1)?.replaceAll('"', ''))
      expect(green, String(view_name)).not.toContain('v')
      expect(green, String(view_name)).not.toContain('w')
      expect(green, String(view_name)).not.toContain('e')
    }
  })

  test('an unselected view or ephemeral parent is read as it is live', async () => {
    const p = project({
      t: 'SELECT 1 AS n',
      e: "ingest: none\ndeploy: {materialize: ephemeral}\ntransform: SELECT n + 1 AS n FROM {{ ref('t') }}",
      last: "SELECT n FROM {{ ref('e') }}",
    })
    await p.run()
    p.files['e'] =
      "ingest: none\ndeploy: {materialize: ephemeral}\ntransform: SELECT n + 100 AS n FROM {{ ref('t') }}"
    p.files['last'] = "SELECT n * 10 AS n FROM {{ ref('e') }}"
    await p.run({ selector: 'last' })
    expect(await p.query('SELECT n FROM analytics.last')).toEqual([{ n: 20 }])
  })

  test('an asset that turns ephemeral loses its view, one that turns back gets it again', async () => {
    const p = project({ a: 'SELECT 1 AS n', b: "SELECT n FROM {{ ref('a') }}" })
    await p.run()
    p.files['a'] = 'ingest: none\ndeploy: {materialize: ephemeral}\ntransform: SELECT 1 AS n'
    await p.run()
    const views = () =>
      p.withSession(async session => (await session.relations('analytics')).map(({ name }) => name))
    expect(await views()).toEqual(['b'])
    p.files['a'] = 'SELECT 1 AS n'
    await p.run()
    expect((await views()).sort()).toEqual(['a', 'b'])
  })

  test('deploy.schema moves a view', async () => {
    const p = project({ a: 'SELECT 1 AS n' })
    await p.run()
    p.files['a'] = 'ingest: none\ndeploy: {schema: marts}\ntransform: SELECT 1 AS n'
    await p.run()
    const relations = (schema: string) => p.withSession(session => session.relations(schema))
    expect(await relations('analytics')).toEqual([])
    expect(await relations('marts')).toEqual([{ name: 'a', kind: 'view' }])
  })
})

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
    expect(report.failure?.message).toContain('Conversion Error')
    expect(report.failure?.place).toMatch(/^models\/b\.svc:\d+:\d+$/)
    expect(await p.query('SELECT n FROM analytics.other')).toEqual([{ n: 5 }])

    p.files['b'] = chain.b
    expect(outcomes(await p.run())).toEqual(['a unchanged', 'b unchanged', 'c unchanged', 'other unchanged'])
    expect(await p.query('SELECT n FROM analytics.other')).toEqual([{ n: 6 }])
  })

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

  test('an invalid file stops a full run, but not a run of others', async () => {
    const p = project({ ...chain, broken: "SELECT nope FROM {{ ref('a') }}" })
    expect(await refusal(p.run())).toMatchObject({ code: 'invalid-project', exitCode: 1 })
    expect(outcomes(await p.run({ selector: '+c' }))).toEqual(['a built', 'b built', 'c built'])
    expect(await p.query('SELECT count(*) AS n FROM svc.svc_state_history')).toEqual([{ n: 1 }])
  })
})

describe('tests have an identity of their own', () => {
  const tested = (tests: string) => `ingest: none\ntransform: SELECT 1 AS id, 'x' AS k\ntests: ${tests}`

  test('an unchanged test keeps its result, a new one runs on the table that is there', async () => {
    const p = project({ a: tested('[{unique: id}]') })
    await p.run()
    p.files['a'] = tested('[{unique: id}, {accepted_values: {k: [x]}}]')
    const report = await p.run()
    expect(outcomes(report)).toEqual(['a unchanged'])
    expect(report.tests.map(({ name, ran }) => `${name} ${ran}`)).toEqual([
      'unique_id false',
      'accepted_values_k true',
    ])
    const all = await p.run({ allTests: true })
    expect(all.tests.map(({ ran }) => ran)).toEqual([true, true])
  })

  test('a test of an unselected asset runs when what it reads is new, and blocks', async () => {
    const p = project({
      customers: 'SELECT 1 AS id UNION ALL SELECT 2',
      orders:
        'ingest: none\ntransform: SELECT 2 AS customer_id\ntests: [{relationships: {customer_id: customers.id}}]',
    })
    expect((await p.run()).status).toBe('deployed')
    p.files['customers'] = 'SELECT 1 AS id'
    const report = await p.run({ selector: 'customers' })
    expect(report.failure).toMatchObject({ code: 'test-failed', asset: 'orders' })
    expect(await p.query('SELECT count(*) AS n FROM analytics.customers')).toEqual([{ n: 2 }])
  })
})

describe('what is selected, removed or foreign', () => {
  test('a run of one asset reads the live builds of the others and lists who is left behind', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] = "SELECT id, amount * 5 AS doubled FROM {{ ref('a') }}"
    const report = await p.run({ selector: 'b' })
    expect(outcomes(report)).toEqual(['b built'])
    expect(report.leftBehind).toEqual(['c'])
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 60 }])
    const [run] = await p.query("SELECT assets FROM svc.svc_state_history WHERE selector = 'b'")
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
        'CREATE VIEW finance.keeps AS SELECT count(*) AS n, sum(x * 2) AS x FROM "Analytics".a',
        'CREATE VIEW finance.loses AS SELECT a.x + a."Y" AS n FROM analytics.a',
      ]),
    )
    p.files['a'] = 'SELECT 1 AS x, 2 AS y'
    expect((await p.run()).status).toBe('deployed')
    p.files['a'] = 'SELECT 1 AS x'
    const error = await refusal(p.run())
    expect(error).toMatchObject({ code: 'foreign-object', asset: 'a' })
    expect(error.message).toBe('view finance.loses reads analytics.a.y, which would go away')
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
    const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root: p.root })
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
    expect(outcomes(dev)).toEqual(['a unchanged', 'b unchanged', 'c unchanged', 'other unchanged'])
    expect(dev.generation).toBe(1)
    p.files['other'] = 'SELECT 7 AS n'
    await p.run({}, 'dev')
    expect(await p.query('SELECT n FROM analytics_dev.other')).toEqual([{ n: 7 }])
    expect(await p.query('SELECT n FROM analytics.other')).toEqual([{ n: 5 }])
  })
})

describe('plan equals run', () => {
  test('what a plan says is what a run then does', async () => {
    const p = project({
      ...chain,
      src: 'ingest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}\ntests: [{unique: id}]',
      timed: 'SELECT now() AS t',
    })
    const changes = [
      () => {},
      () => {},
      () => {
        p.files['b'] = "SELECT id, amount * 7 AS doubled FROM {{ ref('a') }}"
      },
      () => {
        delete p.files['other']
      },
      () => {
        p.files['fresh'] = "SELECT id FROM {{ ref('src') }}"
      },
    ]
    for (const change of changes) {
      change()
      const workspace = await p.workspace()
      const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
      const plan = await planRun(workspace, request, () => {})
      await workspace.close()
      const report = await p.run()
      const stage = <K extends string>(kind: K) => plan.stages.find(each => each.kind === kind)
      const fetch = stage('fetch')
      const build = stage('build')
      const promote = stage('promote')
      const tests = stage('test')
      expect(fetch?.kind === 'fetch' && fetch.assets).toEqual(
        p.events.flatMap(event => (event.type === 'fetch-started' ? [event.asset] : [])),
      )
      expect(build?.kind === 'build' && [...build.assets].sort()).toEqual(
        report.assets
          .filter(({ status }) => status === 'built')
          .map(({ name }) => name)
          .sort(),
      )
      expect(build?.kind === 'build' && [...build.reuse].sort()).toEqual(
        report.assets
          .filter(({ status }) => status === 'unchanged')
          .map(({ name }) => name)
          .sort(),
      )
      expect(tests?.kind === 'test' && tests.tests.map(({ name }) => name)).toEqual(
        report.tests.filter(({ ran }) => ran).map(({ name }) => name),
      )
      const promoted = p.events.find(event => event.type === 'promoted')
      expect(promote?.kind === 'promote' && [promote.views.length, promote.drops.length]).toEqual(
        promoted?.type === 'promoted' ? [promoted.views, promoted.dropped] : [0, 0],
      )
    }
  })
})
