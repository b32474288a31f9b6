import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../cli/engine/plan/plan.ts'
import { stagesOf } from '../../../cli/engine/plan/stages.ts'
import { planRun } from '../../../cli/engine/run/plan-run.ts'
import type { RunRequest } from '../../../cli/engine/run/run-project.ts'
import { kindUnderTest } from '../../support/warehouse-under-test.ts'
import { projectMaker, type TestProject } from '../run/test-project.ts'

const project = projectMaker()

async function plan(p: TestProject, request: Partial<RunRequest> = {}): Promise<Plan> {
  const workspace = await p.workspace()
  try {
    return await planRun(
      workspace,
      { kind: 'run', selector: undefined, noIngest: false, allTests: false, ...request },
      () => {},
    )
  } finally {
    await workspace.close()
  }
}

const changes = ({ assets }: Plan) => assets.map(({ name, change }) => `${name} ${change}`)

const chain = {
  a: 'SELECT 1 AS id, 10 AS amount, 5 AS extra',
  b: "SELECT id, amount FROM {{ ref('a') }}",
  c: "SELECT sum(amount) AS total FROM {{ ref('b') }}",
}

describe('what becomes of each asset', () => {
  test('everything is new where nothing is', async () => {
    const p = project(chain)
    const made = await plan(p)
    expect(changes(made)).toEqual(['a new', 'b new', 'c new'])
    expect(made).toMatchObject({ environment: 'prod', schema: 'analytics', nothingToDo: false })
    expect(made.lastDeployment).toBeUndefined()
  })

  test('nothing to do after a run', async () => {
    const p = project(chain)
    const report = await p.run()
    const made = await plan(p)
    expect(changes(made)).toEqual(['a reused', 'b reused', 'c reused'])
    expect(made.nothingToDo).toBe(true)
    expect(made.lastDeployment?.runId).toBe(report.runId)
  })

  test('modified says which keys, rebuilt says because of whom, removed and volatile are named', async () => {
    const p = project({ ...chain, old: 'SELECT 1 AS n', timed: 'SELECT now() AS t' })
    await p.run()
    p.files['a'] = 'SELECT 2 AS id, 10 AS amount, 5 AS extra'
    p.files['b'] =
      "ingest: none\ndeploy: {materialize: view}\ntransform: SELECT id, amount FROM {{ ref('a') }}"
    delete p.files['old']
    const made = await plan(p)
    expect(changes(made).sort()).toEqual([
      'a modified',
      'b modified',
      'c rebuilt',
      'old removed',
      'timed volatile',
    ])
    const of = (name: string) => made.assets.find(asset => asset.name === name)
    expect(of('a')?.changedKeys).toEqual(['transform'])
    expect(of('b')?.changedKeys).toEqual(['deploy.materialize'])
    expect(of('c')?.reason).toBe('because b changed')
    const promote = stagesOf(made.steps).find(({ kind }) => kind === 'promote')
    expect(promote).toMatchObject({ drops: ['old'] })
  })

  test('a changed test is something to do, a changed description is not', async () => {
    const p = project(chain)
    await p.run()
    p.files['a'] = `description: the first\ningest: none\ntransform: ${chain.a}`
    expect((await plan(p)).nothingToDo).toBe(true)
    p.files['a'] = `ingest: none\ntransform: ${chain.a}\ntests: [{unique: id}]`
    const made = await plan(p)
    expect(made.nothingToDo).toBe(false)
    expect(stagesOf(made.steps).find(({ kind }) => kind === 'test')).toEqual({
      kind: 'test',
      tests: [{ asset: 'a', name: 'unique_id' }],
    })
  })

  test('a preview has the same stages without the promotion', async () => {
    const p = project(chain)
    const run = await plan(p)
    const preview = await plan(p, { kind: 'preview' })
    expect(stagesOf(run.steps).map(({ kind }) => kind)).toEqual([
      'fetch',
      'build',
      'test',
      'promote',
      'collect',
    ])
    expect(preview.steps).toEqual(run.steps.slice(0, -2))
    expect(stagesOf(preview.steps)).toEqual(stagesOf(run.steps).slice(0, 3))
  })

  test('a selection lists whom it leaves behind', async () => {
    const p = project(chain)
    await p.run()
    p.files['a'] = 'SELECT 3 AS id, 10 AS amount, 5 AS extra'
    const made = await plan(p, { selector: 'a' })
    expect(changes(made)).toEqual(['a modified'])
    expect(made.leftBehind).toEqual(['b', 'c'])
  })
})

describe('columns', () => {
  /** PostgreSQL has no sum of texts, and says so of the file before there is a plan. */
  const aggregate = kindUnderTest === 'duckdb' ? 'sum' : 'max'

  test('added, removed and retyped columns are shown, with the readers that break', async () => {
    const p = project({ ...chain, c: chain.c.replace('sum', aggregate) })
    await p.run()
    p.files['a'] = "SELECT 1 AS id, 'ten' AS amount, 7 AS more"
    p.files['b'] = "SELECT id, amount FROM {{ ref('a') }} WHERE extra > 1"
    const made = await plan(p)
    const a = made.assets.find(({ name }) => name === 'a')
    expect(a?.columnChanges.map(({ kind, column }) => `${kind} ${column}`)).toEqual([
      'retyped amount',
      'added more',
      'removed extra',
    ])
    const text = `name: b\ningest: none\ntransform: |\n  ${p.files['b']}\n`
    const [removed] = a?.columnChanges.find(({ kind }) => kind === 'removed')?.breaks ?? []
    expect(removed).toMatchObject({ asset: 'b', path: 'models/b.svc', column: 'extra' })
    expect(text.slice(removed?.range.start, removed?.range.end)).toBe('extra')
    const [retyped] = a?.columnChanges.find(({ kind }) => kind === 'retyped')?.breaks ?? []
    expect(text.slice(retyped?.range.start, retyped?.range.end)).toBe('amount')
    // `c` aggregates what is a text now.
    const b = made.assets.find(({ name }) => name === 'b')
    expect(b?.columnChanges).toMatchObject([{ kind: 'retyped', column: 'amount', breaks: [{ asset: 'c' }] }])
    expect(await p.run()).toMatchObject({ status: 'Failed', failure: { code: 'breaking-change' } })
  })

  test('a reader that changes along with the column is not broken', async () => {
    const p = project({ a: 'SELECT 1 AS x, 2 AS y', b: "SELECT x FROM {{ ref('a') }}" })
    await p.run()
    p.files['a'] = 'SELECT 1 AS z, 2 AS y'
    p.files['b'] = "SELECT z AS x FROM {{ ref('a') }}"
    const made = await plan(p)
    expect(made.assets[0]?.columnChanges.flatMap(({ breaks }) => breaks)).toEqual([])
    expect((await p.run()).status).toBe('deployed')
  })

  test('a run fails what the plan shows as broken', async () => {
    const p = project({ a: 'SELECT 1 AS x, 2 AS y', b: "SELECT x FROM {{ ref('a') }}" })
    await p.run()
    p.files['a'] = 'SELECT 2 AS y'
    expect(await p.run()).toMatchObject({
      status: 'Failed',
      failure: { code: 'breaking-change', asset: 'b' },
    })
    expect(await p.query('SELECT x FROM analytics.b')).toEqual([{ x: 1 }])
  })
})

test('exposures that rest on a change are listed', async () => {
  const p = project({
    ...chain,
    c: `ingest: none\ntransform: ${chain.c}\nexposures: [{name: board, type: dashboard}]`,
  })
  await p.run()
  expect((await plan(p)).exposures).toEqual([])
  p.files['a'] = 'SELECT 4 AS id, 10 AS amount, 5 AS extra'
  expect((await plan(p)).exposures).toEqual([{ name: 'board', asset: 'c' }])
})
