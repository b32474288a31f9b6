import { afterAll, beforeAll, describe } from 'vitest'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { describeWarehouse } from './conformance.ts'
import { postgresUnderTest } from './engines.ts'

describe.runIf(canStartPostgres())('PostgreSQL', () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
  })

  afterAll(() => server.stop())

  describeWarehouse(postgresUnderTest(() => server.createDatabase()))
})
