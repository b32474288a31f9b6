/** `promotion: passed`: what failed, and what reads it, stays as it was; all else is promoted in one step (decisions 8). */
import { describe, expect, it } from 'vitest'
import { planRetry } from '../../../cli/engine/run/retry.ts'
import { rollback } from '../../../cli/engine/run/rollback.ts'
import { renderRunReport } from '../../../cli/render/run-report.ts'
import { createStyle } from '../../../cli/render/style.ts'
import { failing, outcomes, projectMaker, refusal } from './test-project.ts'

const make = projectMaker()
const reads = (name: string, more = '') => `SELECT *${more} FROM {{ ref("${name}") }}`
const tested = (sql: string, tests: string) => `ingest: none\ntransform: |\n  ${sql}\ntests:\n  - ${tests}`

/** Two chains that have nothing to do with each other: a → b → c, and x → y. */
function shop() {
  const project = make({
    a: 'SELECT 1 AS n',
    b: reads('a'),
    c: reads('b'),
    x: 'SELECT 1 AS n',
    y: reads('x'),
  })
  project.settings = 'environments: {prod: {promotion: passed}}'
  return project
}

async function live(project: ReturnType<typeof make>) {
  const rows = await project.query(
    'SELECT a.n AS a, b.n AS b, c.n AS c, x.n AS x, y.n AS y FROM analytics.a, analytics.b, analytics.c, analytics.x, analytics.y',
  )
  return rows[0]
}

describe('an asset that fails', () => {
  it('keeps its live build with all that read it, and everything else is promoted in one step', async () => {
    const project = shop()
    await project.run()
    const before = project.clock.toISOString()
    project.files['a'] = 'SELECT 2 AS n'
    project.files['b'] = `SELECT ${failing} AS n FROM {{ ref("a") }}`
    project.files['x'] = 'SELECT 2 AS n'
    const report = await project.run()
    expect(report).toMatchObject({ status: 'deployed', generation: 2, failure: { asset: 'b', exitCode: 1 } })
    expect(outcomes(report)).toEqual(['a built', 'b failed', 'c skipped', 'x built', 'y built'])
    expect(report.kept).toEqual([
      { asset: 'b', because: expect.stringContaining('no'), since: before },
      { asset: 'c', because: '"b" failed', since: before },
    ])
    expect(await live(project)).toEqual({ a: 2, b: 1, c: 1, x: 2, y: 2 })
    expect(project.events.filter(({ type }) => type === 'asset-kept')).toHaveLength(2)
  })

  it('is in the history with the build that it keeps, its reason, and the reason of the run', async () => {
    const project = shop()
    const first = await project.run()
    project.files['b'] = `SELECT ${failing} AS n FROM {{ ref("a") }}`
    project.files['x'] = 'SELECT 2 AS n'
    await project.run()
    const [run, before] = await project.withSession(
      async session => (await session.state.read('prod')).history,
    )
    expect(run).toMatchObject({ status: 'deployed', generation: 2, error: expect.stringContaining('no') })
    const of = (record: typeof run, name: string) => record?.assets.find(asset => asset.name === name)
    expect(of(run, 'b')).toMatchObject({
      status: 'failed',
      build_key: of(before, 'b')?.build_key,
      definition_hash: of(before, 'b')?.definition_hash,
      because: expect.stringContaining('no'),
    })
    const workspace = await project.workspace()
    expect(await planRetry(workspace)).toMatchObject({ again: ['b', 'c'] })
    await rollback(workspace, {}, () => {})
    await workspace.close()
    expect(await live(project)).toEqual({ a: 1, b: 1, c: 1, x: 1, y: 1 })
    expect(first.generation).toBe(1)
  })

  it('is promoted as soon as it passes, and then nothing has changed', async () => {
    const project = shop()
    await project.run()
    project.files['a'] = 'SELECT 2 AS n'
    project.files['b'] = `SELECT ${failing} AS n FROM {{ ref("a") }}`
    await project.run()
    project.files['b'] = reads('a')
    expect(outcomes(await project.run({ selector: 'result:failed' }))).toEqual(['b built', 'c built'])
    expect(await live(project)).toMatchObject({ a: 2, b: 2, c: 2 })
    const again = await project.run()
    expect(outcomes(again).every(line => line.endsWith('unchanged'))).toBe(true)
  })

  it('leaves nothing to promote, and each kept asset has its cause and the age of what it shows all the same', async () => {
    const project = shop()
    project.files['a'] =
      'ingest: {type: rest_api, endpoint: "http://127.0.0.1:9", resource: /a, limits: {retries: 0}}\ntransform: SELECT 1 AS n FROM {{ source }}'
    project.files['x'] = 'SELECT 1 AS n'
    await project.run()
    const before = await project.run()
    expect(before.status).toBe('Failed')
    expect(before.failure).toMatchObject({ asset: 'a', exitCode: 1 })
    expect(before.kept.map(({ asset, since }) => [asset, since])).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
    ])
    const words = renderRunReport(before, () => undefined, createStyle({ color: false, width: 200 })).join(
      '\n',
    )
    expect(words).toMatch(
      /Nothing was promoted: prod is as before.*:\n {2}✗ a \(not deployed\): .+\n {2}✗ b \(not deployed\): "a" failed/,
    )
  })

  it('that is new is not there, and neither is what reads it', async () => {
    const project = shop()
    project.files['b'] = `SELECT ${failing} AS n FROM {{ ref("a") }}`
    const report = await project.run()
    expect(report.status).toBe('deployed')
    expect(report.kept.map(({ asset, since }) => [asset, since])).toEqual([
      ['b', null],
      ['c', null],
    ])
    expect(await project.relations('analytics')).toEqual(['a view', 'x view', 'y view'])
  })

  it('by its file, or by its unit test, is kept as well; a file that nobody can place refuses the run', async () => {
    const project = shop()
    await project.run()
    project.files['b'] = 'SELECT nope FROM {{ ref("a") }}'
    project.files['x'] = 'SELECT 2 AS n'
    const report = await project.run()
    expect(report.kept.map(({ asset }) => asset)).toEqual(['b', 'c'])
    expect(report.failure).toMatchObject({ code: 'invalid-project', asset: 'b', place: 'models/b.svc:4:10' })
    expect(await live(project)).toEqual({ a: 1, b: 1, c: 1, x: 2, y: 2 })
    project.settings = 'environments: {prod: {promotion: passt}}'
    expect(await refusal(project.run())).toMatchObject({ code: 'invalid-settings' })
  })
})

describe('a test that fails', () => {
  it('holds back its asset and all that read it, though they were built', async () => {
    const project = shop()
    await project.run()
    project.files['b'] = tested(
      'SELECT n + 1 AS n FROM {{ ref("a") }}',
      "{name: small, sql: 'SELECT * FROM {{ this }} WHERE n > 1'}",
    )
    project.files['x'] = 'SELECT 2 AS n'
    const report = await project.run()
    expect(outcomes(report)).toEqual(['a unchanged', 'b test_failed', 'c skipped', 'x built', 'y built'])
    expect(await live(project)).toEqual({ a: 1, b: 1, c: 1, x: 2, y: 2 })
    const green = await project.query(`SELECT n FROM svc_g_${report.runId}.b`)
    expect(green).toEqual([{ n: 2 }])
  })

  it('is run again beside the build that stays: what passes only with the other new build is held back too', async () => {
    const project = shop()
    project.files['x'] = tested('SELECT 1 AS n', 'relationships: {n: c.n}')
    await project.run()
    project.files['a'] = 'SELECT 2 AS n'
    project.files['b'] = tested(reads('a'), "{name: small, sql: 'SELECT * FROM {{ this }} WHERE n > 1'}")
    project.files['x'] = tested('SELECT 2 AS n', 'relationships: {n: c.n}')
    const report = await project.run()
    expect(report.kept.map(({ asset }) => asset).sort()).toEqual(['b', 'c', 'x', 'y'])
    expect(await live(project)).toEqual({ a: 2, b: 1, c: 1, x: 1, y: 1 })
  })

  it('of an asset that stays holds back what would break it', async () => {
    const project = shop()
    project.files['c'] = tested(reads('b'), 'relationships: {n: x.n}')
    await project.run()
    project.files['b'] = `SELECT ${failing} AS n FROM {{ ref("a") }}`
    project.files['x'] = 'SELECT 5 AS n'
    const report = await project.run()
    expect(report.status).toBe('Failed')
    expect(report.kept.map(({ asset }) => asset)).toEqual(['x', 'b', 'y', 'c'])
    expect(outcomes(report)).toEqual(['a unchanged', 'b failed', 'c skipped', 'x test_failed', 'y skipped'])
    expect(await live(project)).toEqual({ a: 1, b: 1, c: 1, x: 1, y: 1 })
  })
})

describe('without anything that moves', () => {
  it('the run has failed, as it has with promotion: whole', async () => {
    const project = shop()
    await project.run()
    project.files['b'] = `SELECT ${failing} AS n FROM {{ ref("a") }}`
    const report = await project.run()
    expect(report).toMatchObject({
      status: 'Failed',
      generation: undefined,
      kept: [{ asset: 'b' }, { asset: 'c' }],
    })
    project.files['x'] = 'SELECT 2 AS n'
    expect(await project.run({ promotion: 'whole' })).toMatchObject({ status: 'Failed' })
    expect(await live(project)).toEqual({ a: 1, b: 1, c: 1, x: 1, y: 1 })
  })
})
