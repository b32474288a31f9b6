/** Every name of our SQL, and words of both engines, as columns of every kind of source: their values come through. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figure } from '../support/figure.ts'
import { givenNames, systemOfPostgres, tablesOfNames } from '../support/names/given-names.ts'
import { casesOf, type Judged, judgeNames } from '../support/names/project-of-names.ts'
import { sourcesOfNames } from '../support/names/sources-of-names.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'

const columnsOfEach = 40

describe.runIf(canStartPostgres())('names', () => {
  let server: PostgresServer
  let rest: RestServer
  const judged: Judged = { checks: 0, wrong: [], crashes: 0 }

  beforeAll(async () => {
    server = await startPostgres()
    rest = await startRestServer()
  })
  afterAll(async () => {
    await rest.close()
    await server.stop()
    const { checks, wrong, crashes } = judged
    figure(
      'names',
      `${checks} checks of ${givenNames().length} names, ${wrong.length} wrong, ${crashes} crashes`,
    )
  })

  it.each(
    Object.keys(sourcesOfNames).flatMap(kind =>
      ['DuckDB', 'PostgreSQL'].map(house => [kind, house] as const),
    ),
  )('of %s in %s', { timeout: 900_000 }, async (kind, house) => {
    const before = judged.wrong.length
    const tables = tablesOfNames(columnsOfEach, systemOfPostgres)
    await judgeNames(
      {
        warehouse: house === 'DuckDB' ? 'duckdb:./pets.duckdb' : await server.createDatabase(),
        rest,
        postgres: await server.createDatabase(),
        target: await server.createDatabase(),
        cases: casesOf(tables, [kind]),
      },
      judged,
    )
    expect(judged.wrong.slice(before, before + 20).join('\n')).toBe('')
  })
})
