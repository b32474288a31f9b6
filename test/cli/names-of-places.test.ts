/** Names that SQL or an engine may take for something else, as names of places; `npm run test:long` has all of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type EngineOfPlaces,
  type JudgedPlaces,
  judgePlaces,
  oddDatabases,
  placesOfDuckdb,
  placesOfPostgres,
} from '../support/names/places-of-names.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { createGround } from './bad-input/command-line.ts'

const names = ['0_0', 'ctid', 'select', 'user']

async function judge(engine: EngineOfPlaces, databases: readonly string[]): Promise<JudgedPlaces> {
  const judged: JudgedPlaces = { checks: 0, wrong: [], crashes: 0 }
  const ground = createGround({}, { program: 'tests' })
  try {
    for (const name of names) await judgePlaces(ground.root, { name, engine }, judged)
    for (const [index, database] of databases.entries())
      await judgePlaces(ground.root, { name: `odd_${index}`, database, engine }, judged)
  } finally {
    ground.dispose()
  }
  return judged
}

it('a folder, a warehouse file, a schema, a project, an environment and a branch are named by a word of SQL', async () => {
  expect(await judge(placesOfDuckdb, [])).toMatchObject({ wrong: [], crashes: 0 })
})

describe.runIf(canStartPostgres())('on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())

  it('a database too, also by letters that an address writes in another way', async () => {
    const judged = await judge(await placesOfPostgres(server), oddDatabases.slice(-4))
    expect(judged).toMatchObject({ wrong: [], crashes: 0 })
  })
})

it('a database that the client of PostgreSQL cannot name is refused before anything is done', async () => {
  const ground = createGround({
    'svc.yaml': 'name: names\nwarehouse: postgres://me@nowhere/a%3Fb\n',
    'models/one.svc': 'name: one\ningest: none\ntransform: SELECT 1 AS id\n',
  })
  try {
    const { code, stderr } = await ground.line(['run', '--all'])
    expect(code, stderr).toBe(2)
    expect(stderr).toContain('names a database with ? or # in its name')
  } finally {
    ground.dispose()
  }
})
