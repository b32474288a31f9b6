/** Every function of a real PostgreSQL is classed: its version is another than that of the embedded one. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { functionsOfServer, withoutEffect } from '../support/postgres-functions.ts'

describe.runIf(canStartPostgres())('the functions of a server', () => {
  let server: PostgresServer
  let client: pg.Client
  beforeAll(async () => {
    server = await startPostgres()
    client = new pg.Client(await server.createDatabase())
    await client.connect()
  }, 60_000)
  afterAll(async () => {
    await client.end()
    await server.stop()
  })

  const rows = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows

  it('have a class, but for those that may not look at the database', async () => {
    const found = await functionsOfServer(rows)
    expect(found.length).toBeGreaterThan(450)
    expect(withoutEffect(found)).toEqual([])
  })
})
