/** A sample of `test/long/values-publish.test.ts`: values of both warehouses, published and read at their destinations. */
import { expect, it } from 'vitest'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'
import { duckdbValues } from '../../support/values/duckdb-values.ts'
import { noCounts } from '../../support/values/judge.ts'
import { postgresValues } from '../../support/values/postgres-values.ts'
import { judgePublish } from '../../support/values/publish-back.ts'

const types = ['DOUBLE', 'TIMESTAMP WITH TIME ZONE', 'VARCHAR', 'JSON', 'STRUCT(a JSON, b VARCHAR)']

it.runIf(canStartPostgres())(
  'arrive as production has them, or are refused for a good reason: none is changed in silence',
  async () => {
    const postgres = await startPostgres()
    try {
      const counts = noCounts()
      const servers = { postgres, mariadb: undefined }
      await judgePublish(counts, {
        ...{ kind: 'duckdb', warehouse: 'duckdb:./production.duckdb', servers },
        to: ['postgres', 'duckdb', 'ndjson'],
        cases: duckdbValues.filter(({ type }) => types.includes(type)),
      })
      await judgePublish(counts, {
        ...{ kind: 'postgres', warehouse: await postgres.createDatabase(), servers },
        to: ['postgres', 'csv', 'http'],
        cases: postgresValues.filter(({ type }) => type === 'numeric(10,2)'),
      })
      expect(counts.silent).toEqual([])
      expect(counts.values).toBeGreaterThan(80)
      expect(counts.rejected).toBeGreaterThan(8)
    } finally {
      await postgres.stop()
    }
  },
)
