/**
 * Unit tests over sources of which nothing is known yet: a run looks before it judges, and says what `validate` says when it
 * knows as much.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const past = (expected: string) => `name: past
ingest: {type: warehouse, resource: legacy.events}
transform: SELECT id, name FROM {{ source }} WHERE active = true AND at < now() - interval '1 day'
tests:
  - unit:
      given:
        source: [{id: 1, name: a, active: true, at: '2024-01-01'}, {id: 2, name: b, active: null, at: '2024-01-01'}]
      now: '2024-06-01 00:00:00'
      expect: [{id: 1, name: ${expected}}]
    name: only active ones
`

describe.runIf(canStartPostgres())('a unit test over a table of the warehouse', () => {
  let server: PostgresServer
  let project: ProjectHere
  let env: Record<string, string>
  beforeAll(async () => {
    server = await startPostgres()
  }, 120_000)
  afterAll(() => server.stop())

  beforeEach(async () => {
    project?.dispose()
    const database = await server.createDatabase()
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    await client.query(`CREATE SCHEMA legacy;
      CREATE TABLE legacy.events AS SELECT 1 AS id, 'a' AS name, true AS active, now() - interval '3 days' AS at`)
    await client.end()
    env = { SHOP: database }
    project = createProjectHere({
      'svc.yaml': 'name: shop\nwarehouse: env:SHOP\n',
      'models/past.svc': past('a'),
      'models/ids.svc': "name: ids\ningest: none\ntransform: SELECT id FROM {{ ref('past') }}\n",
    })
  })
  afterAll(() => project?.dispose())

  const svc = (...words: string[]) => project.svc(words, { env })
  const codes = async () => {
    const { code, value } = await project.json(['validate', '--json'], { env })
    const all = value as { files: { diagnostics: { code: string; severity: string }[] }[] }
    return [code, all.files.flatMap(file => file.diagnostics.map(each => `${each.severity} ${each.code}`))]
  }

  it('waits for the first run, which judges it by the real types and promotes', async () => {
    expect(await codes()).toEqual([0, ['information source-columns-unknown', 'hint unit-test-broken']])
    const run = await svc('run')
    expect(run).toMatchObject({ code: 0 })
    expect(run.stdout + run.stderr).toContain('1 unit test passed')
    expect(readFileSync(join(project.root, 'schemas.lock.json'), 'utf8')).toContain('"active"')
    expect(await codes()).toEqual([0, []])
  }, 120_000)

  it('that fails by the real types fails its run, and nothing is promoted', async () => {
    project.write('models/past.svc', past('z'))
    const run = await project.json(['run', '--json'], { env })
    expect(run.code).toBe(1)
    expect(run.value).toMatchObject({ failure: { code: 'unit-test-failed', asset: 'past' } })
    expect(await svc('sample', 'past')).toMatchObject({ code: 1 })
  }, 120_000)

  it('is judged as validate judges it where another file has an error', async () => {
    expect(await svc('run')).toMatchObject({ code: 0 })
    project.write('models/wrong.svc', 'name: wrong\ningest: none\ntransform: SELECT nothing FROM nowhere\n')
    const run = await project.json(['run', '--json'], { env })
    expect(run.code).toBe(1)
    const { assets } = run.value as { assets: { name: string; status: string }[] }
    expect(Object.fromEntries(assets.map(({ name, status }) => [name, status]))).toMatchObject({
      past: 'built',
      ids: 'built',
      wrong: 'failed',
    })
  }, 120_000)
})
