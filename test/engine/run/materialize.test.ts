import { describe, expect, test } from 'vitest'
import { projectMaker } from './test-project.ts'

const project = projectMaker()

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
    const views = (await p.withSession(session => session.views())).filter(
      ({ relation }) => relation.schema === 'analytics',
    )
    expect(views.map(({ relation }) => relation.name).sort()).toEqual(['last', 't', 'v', 'w'])
    for (const { relation, query } of views) {
      const names = query.match(/svc_g_run\d+"?\."?\w+/g) ?? []
      expect(names).not.toEqual([])
      const green = names.map(name => name.split('.').at(-1)?.replaceAll('"', ''))
      expect(green, relation.name).not.toContain('v')
      expect(green, relation.name).not.toContain('w')
      expect(green, relation.name).not.toContain('e')
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
    expect(await p.relations('analytics')).toEqual(['b view'])
    p.files['a'] = 'SELECT 1 AS n'
    await p.run()
    expect(await p.relations('analytics')).toEqual(['a view', 'b view'])
  })

  test('deploy.schema moves a view', async () => {
    const p = project({ a: 'SELECT 1 AS n' })
    await p.run()
    p.files['a'] = 'ingest: none\ndeploy: {schema: marts}\ntransform: SELECT 1 AS n'
    await p.run()
    expect(await p.relations('analytics')).toEqual([])
    expect(await p.relations('marts')).toEqual(['a view'])
    expect(await p.query('SELECT n FROM marts.a')).toEqual([{ n: 1 }])
  })

  test('views that double at every step are refused before the warehouse chokes on them', async () => {
    const view = (sql: string) => `ingest: none\ndeploy: {materialize: view}\ntransform: ${sql}`
    const files: Record<string, string> = { v0: view(`SELECT 1 AS n, '${'x'.repeat(200)}' AS text`) }
    for (let step = 1; step <= 14; step++) {
      const parent = `{{ ref('v${step - 1}') }}`
      files[`v${step}`] = view(`SELECT a.n, a.text FROM ${parent} AS a JOIN ${parent} AS b ON a.n = b.n`)
    }
    const report = await project(files).run()
    expect(report.failure).toMatchObject({ code: 'build-failed' })
    expect(report.failure?.message).toMatch(/unfolds to \d+ characters/)
    expect(report.failure?.hint).toContain('as a table, or raise limits.sql.length')
  })
})
