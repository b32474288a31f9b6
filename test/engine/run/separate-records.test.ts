/** Runs on an engine that commits a relation and its record one after the other. */
import { expect, it } from 'vitest'
import { dropGarbage } from '../../../cli/engine/run/collect-garbage.ts'
import { insertBuild, insertHistory } from '../../../cli/engine/state/changes.ts'
import { build, history } from '../state/records.ts'
import { stubUnderTest } from '../warehouse/engines.ts'
import { type Files, outcomes, projectMaker, type TestProject } from './test-project.ts'

const make = projectMaker()

function onStub(files: Files): TestProject {
  const project = make(files)
  project.openWarehouse = () => stubUnderTest.open(stubUnderTest.url, project.root, project.name)
  return project
}

const greens = (project: TestProject) => project.withSession(session => session.schemas('svc_g_'))

it('build, reuse, move production and collect as on any other', async () => {
  const p = onStub({ a: 'SELECT 1 AS n', b: "SELECT n + 1 AS n FROM {{ ref('a') }}" })
  expect(outcomes(await p.run())).toEqual(['a built', 'b built'])
  expect(outcomes(await p.run())).toEqual(['a unchanged', 'b unchanged'])
  p.files['b'] = "SELECT n + 2 AS n FROM {{ ref('a') }}"
  expect(outcomes(await p.run())).toEqual(['a unchanged', 'b built'])
  expect(await p.query('SELECT n FROM analytics.b')).toEqual([{ n: 3 }])
})

it('never reuse a relation whose record a dying process did not write, and drop it', async () => {
  const p = onStub({ a: 'SELECT 1 AS n' })
  await p.run()
  await p.withSession(async session => {
    const dead = history('dead', { status: 'running', finished_at: null, generation: null })
    await session.state.commit(insertHistory(dead))
    await session.createSchema('svc_g_dead')
    await session.execute(['CREATE TABLE svc_g_dead.a AS SELECT 3 AS n'])
  })
  p.files['a'] = 'SELECT 3 AS n'
  const report = await p.run()
  expect(outcomes(report)).toEqual(['a built'])
  expect(p.events.filter(({ type }) => type === 'recovered')).toHaveLength(1)
  expect(await p.query('SELECT n FROM analytics.a')).toEqual([{ n: 3 }])
  expect(await greens(p)).not.toContain('svc_g_dead')
})

it('drop records before relations, so that what a dying collection leaves is nobody’s', async () => {
  const p = onStub({ a: 'SELECT 1 AS n' })
  await p.run()
  const relation = { schema: 'svc_g_old', name: 'a' }
  await p.withSession(async session => {
    await session.createSchema(relation.schema)
    await session.execute(['CREATE TABLE svc_g_old.a AS SELECT 0 AS n'])
    await session.state.commit(insertBuild(build('old', { relation })))
    const dying = { ...session, dropRelations: () => Promise.reject(new Error('killed')) }
    const garbage = {
      builds: ['old'],
      loads: [],
      relations: [{ relation, kind: 'table' as const }],
      schemas: [],
    }
    await expect(dropGarbage(dying, garbage)).rejects.toThrow('killed')
    expect((await session.state.builds()).has('old')).toBe(false)
    expect(await session.relations(relation.schema)).toHaveLength(1)
  })
  expect(outcomes(await p.run())).toEqual(['a unchanged'])
  expect(await greens(p)).not.toContain('svc_g_old')
})
