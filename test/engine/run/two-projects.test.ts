import { afterEach, expect, it } from 'vitest'
import { adoptState } from '../../../cli/engine/run/adopt-state.ts'
import { kindUnderTest } from '../../support/warehouse-under-test.ts'
import { type TestProject, testProject } from './test-project.ts'

const projects: TestProject[] = []

afterEach(async () => {
  for (const project of projects.splice(0)) await project.remove()
})

/** Two projects, each with a folder of its own, in the warehouse of the first. */
function two(first: Record<string, string>, second: Record<string, string>): [TestProject, TestProject] {
  const shop = testProject(first)
  const other = testProject(second)
  other.name = 'other'
  other.openWarehouse = async () => (await shop.openWarehouse()).ofProject('other')
  projects.push(shop, other)
  return [shop, other]
}

const one = 'ingest: none\ntransform: SELECT 1 AS n\n'

it('neither reads, drops nor collects what another project made', async () => {
  const [shop, other] = two({ a: one }, { b: 'ingest: none\ntransform: SELECT 2 AS n\n' })
  await shop.run()
  await other.run()
  // Each further run collects; the other one's builds are no garbage of its own.
  for (const [turn, project] of [shop, other, shop].entries()) {
    project.files = Object.fromEntries(
      Object.keys(project.files).map(name => [name, `ingest: none\ntransform: SELECT ${10 + turn} AS n\n`]),
    )
    expect((await project.run()).status).toBe('deployed')
  }
  expect(await shop.query('SELECT a.n AS a, b.n AS b FROM analytics.a, analytics.b')).toEqual([
    { a: 12, b: 11 },
  ])
  const names = (project: TestProject) =>
    project.withSession(async session => [...(await session.state.read('prod')).live.keys()])
  expect(await names(shop)).toEqual(['a'])
  expect(await names(other)).toEqual(['b'])
  expect((await shop.run()).generation).toBe(3)
})

it("refuses another project's view before any work, by that project's name", async () => {
  const [shop, other] = two({ a: one }, { a: 'ingest: none\ntransform: SELECT 2 AS n\n' })
  await shop.run()
  await expect(other.run()).rejects.toMatchObject({
    code: 'foreign-object',
    message: 'view analytics.a belongs to the project "test"',
    hint: expect.stringContaining('svc init --adopt test'),
  })
  expect(await shop.query('SELECT n FROM analytics.a')).toEqual([{ n: 1 }])
  const runs = await other.withSession(session => session.state.runs())
  expect(runs).toMatchObject([{ status: 'Failed', refused: true, generation: null }])
})

it("knows another project's view by its name as the engine compares names", async () => {
  const [shop, other] = two({ a: one }, { a: `${one}deploy: {schema: Analytics}\n` })
  await shop.run()
  if (kindUnderTest === 'duckdb') {
    await expect(other.run()).rejects.toMatchObject({
      code: 'foreign-object',
      message: 'view Analytics.a belongs to the project "test"',
    })
  } else {
    expect((await other.run()).status).toBe('deployed')
  }
  expect(await shop.query('SELECT n FROM analytics.a')).toEqual([{ n: 1 }])
})

it("leaves the name of another project's view alone while that view is gone", async () => {
  const [shop, other] = two({ a: one }, { a: 'ingest: none\ntransform: SELECT 2 AS n\n' })
  await shop.run()
  await shop.withSession(session => session.execute(['DROP VIEW analytics.a']))
  await expect(other.run()).rejects.toMatchObject({
    code: 'foreign-object',
    message: 'view analytics.a belongs to the project "test"',
  })
  await shop.run()
  expect(await shop.query('SELECT n FROM analytics.a')).toEqual([{ n: 1 }])
})

it('says which environment of the project has the view', async () => {
  const [shop] = two({ a: `${one}deploy: {schema: analytics_night}\n` }, {})
  await shop.run()
  shop.files = { a: one }
  await expect(shop.run({}, 'night')).rejects.toMatchObject({
    code: 'foreign-object',
    message: 'view analytics_night.a belongs to the environment "prod"',
  })
})

it('goes on under a new name once it has adopted the old one', async () => {
  const [shop, renamed] = two({ a: one }, { a: one })
  await shop.run()
  const warehouse = await renamed.openWarehouse()
  const { world } = await renamed.workspace()
  const adopt = async (former: string) => {
    const session = await warehouse.open('write')
    try {
      await adoptState(session, warehouse, former, world)
    } finally {
      await session.close()
    }
  }
  await expect(adopt('shop')).rejects.toMatchObject({
    code: 'wrong-usage',
    message: 'no project "shop" has state in this warehouse',
    hint: 'Others that have: "test".',
  })
  await expect(adopt('other')).rejects.toMatchObject({ code: 'wrong-usage' })
  const lease = await warehouse.ofProject('test').acquireLease('prod', {
    runId: 'r',
    command: 'run',
    user: 'ada',
    host: world.host,
    pid: process.pid,
    since: '2026-01-02T03:04:05.000Z',
  })
  await expect(adopt('test')).rejects.toMatchObject({ code: 'lease-held' })
  await lease.release()
  await adopt('test')
  const report = await renamed.run()
  expect(report.assets.map(({ status }) => status)).toEqual(['unchanged'])
  expect(report.generation).toBe(1)
  await shop.withSession(session => expect(session.state.runs()).resolves.toEqual([]))
  await expect(adopt('test')).rejects.toMatchObject({ code: 'wrong-usage' })
})
