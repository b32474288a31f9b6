import { describe, expect, test } from 'vitest'
import { stagesOf } from '../../../cli/engine/plan/stages.ts'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import { projectMaker } from './test-project.ts'

const project = projectMaker()

const chain = {
  a: 'SELECT 1 AS id, 10 AS amount UNION ALL SELECT 2, 20',
  b: "SELECT id, amount * 2 AS doubled FROM {{ ref('a') }}",
  c: "SELECT sum(doubled) AS total FROM {{ ref('b') }}",
  other: 'SELECT 5 AS n',
}

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
      const stage = <K extends string>(kind: K) => stagesOf(plan.steps).find(each => each.kind === kind)
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

  test('a view that somebody dropped is planned, and comes back', async () => {
    const p = project(chain)
    await p.run()
    await p.withSession(session => session.execute(['DROP VIEW analytics.b']))
    const workspace = await p.workspace()
    const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
    const plan = await planRun(workspace, request, () => {})
    await workspace.close()
    expect(plan.nothingToDo).toBe(false)
    expect(stagesOf(plan.steps)).toContainEqual({ kind: 'promote', views: ['b'], drops: [] })
    await p.run()
    expect(p.events).toContainEqual(expect.objectContaining({ type: 'promoted', views: 1, dropped: 0 }))
    expect(await p.query('SELECT count(*)::INTEGER AS n FROM analytics.b')).toEqual([{ n: 2 }])
  })
})
