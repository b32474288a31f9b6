/** Values of both warehouses, published to every kind of destination and read there: none is changed or lost in silence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figure } from '../support/figure.ts'
import { canStartMariadb, type MariadbServer, startMariadb } from '../support/mariadb.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { duckdbValues } from '../support/values/duckdb-values.ts'
import { noCounts } from '../support/values/judge.ts'
import { postgresValues, type TypedValues } from '../support/values/postgres-values.ts'
import { judgePublish } from '../support/values/publish-back.ts'

/** A project has no types of its own. */
const ofTheUser = new Set(['mood', 'price', 'open_price', 'word', 'far_day', 'pair'])

/** Two braces are a tag of a template. */
function isOfProject({ type, values }: TypedValues): boolean {
  return !ofTheUser.has(type) && !values.some(value => value.includes('{{'))
}

describe.runIf(canStartPostgres() && canStartMariadb())('values that are published', () => {
  let postgres: PostgresServer
  let mariadb: MariadbServer
  const counts = noCounts()
  beforeAll(async () => {
    postgres = await startPostgres()
    mariadb = await startMariadb()
  })
  afterAll(async () => {
    await postgres.stop()
    await mariadb.stop()
    const { values, types, rejected, warned, silent } = counts
    const seen = `${values} values, ${types.size} types × destinations`
    figure('values-publish', `${seen}, ${rejected} refused, ${warned} warned of, ${silent.length} silent`)
  })

  it('from DuckDB', async () => {
    const before = counts.silent.length
    await judgePublish(counts, {
      ...{ kind: 'duckdb', warehouse: 'duckdb:./production.duckdb' },
      ...{ servers: { postgres, mariadb }, cases: duckdbValues },
    })
    expect(counts.silent.slice(before).join('\n')).toBe('')
  }, 600_000)

  it('from PostgreSQL', async () => {
    const before = counts.silent.length
    await judgePublish(counts, {
      ...{ kind: 'postgres', warehouse: await postgres.createDatabase() },
      ...{ servers: { postgres, mariadb }, cases: postgresValues.filter(isOfProject) },
    })
    expect(counts.silent.slice(before).join('\n')).toBe('')
  }, 600_000)
})
