/** Thousands of assets on a PostgreSQL whose settings are those that it comes with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { figure } from '../support/figure.ts'
import { liveThrough } from '../support/many-assets.ts'
import { askPostgres, canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const sizes = [4000, 6000, 9000]

describe.runIf(canStartPostgres())('a project on PostgreSQL at the defaults of the server', () => {
  let server: PostgresServer
  const lives: string[] = []
  beforeAll(async () => {
    server = await startPostgres()
  }, 120_000)
  afterAll(async () => {
    await server.stop()
    figure('postgres-sizes', `${lives.join('; ')}; ${sizes.length - lives.length} failed`)
  })

  it.each(sizes)('of %i assets', { timeout: 5_400_000 }, async size => {
    const database = await server.createDatabase()
    expect(await askPostgres(database, 'SHOW max_locks_per_transaction')).toEqual([
      { max_locks_per_transaction: '64' },
    ])
    lives.push(await liveThrough(size, database))
  })
})
