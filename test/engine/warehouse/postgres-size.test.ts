/** More relations than the server has room for in one transaction, and more names than a condition may have. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresWarehouse } from '../../../cli/engine/warehouse/postgres/postgres-warehouse.ts'
import { askPostgres, canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'

/** Each with four locks, where the server promises room for 200. */
const tables = 400

describe.runIf(canStartPostgres())('PostgreSQL with room for few locks', () => {
  let server: PostgresServer
  let database: string
  let root: string
  beforeAll(async () => {
    server = await startPostgres({ settings: ['max_connections=20', 'max_locks_per_transaction=10'] })
    database = await server.createDatabase()
    root = mkdtempSync(join(tmpdir(), 'svc-size-'))
  }, 120_000)
  afterAll(async () => {
    rmSync(root, { recursive: true })
    await server.stop()
  })

  /** Tables with long values and a key, and a view of each that reads the view of the next one too. */
  async function make(schema: string): Promise<void> {
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    await client.query(`CREATE SCHEMA ${schema}`)
    for (let at = tables - 1; at >= 0; at--) {
      const next = at === tables - 1 ? '' : `, ${schema}.v${at + 1} AS b`
      await client.query(`CREATE TABLE ${schema}.t${at} (id integer PRIMARY KEY, t text);
        CREATE VIEW ${schema}.v${at} AS SELECT a.* FROM ${schema}.t${at} AS a${next}`)
    }
    await client.end()
  }

  it('drops schemas and lists of relations in batches that fit', async () => {
    await make('svc_g_one')
    await make('svc_g_two')
    await expect(askPostgres(database, 'DROP SCHEMA svc_g_one CASCADE')).rejects.toThrow(
      'out of shared memory',
    )
    const warehouse = postgresWarehouse({ url: database, root, project: 'size' })
    const session = await warehouse.open('write')
    try {
      await session.dropSchema('svc_g_one')
      const present = await session.relations('svc_g_two')
      await session.dropRelations(
        present.map(({ name, kind }) => ({ relation: { schema: 'svc_g_two', name }, kind })),
      )
      expect(await session.schemas('svc_g_')).toEqual(['svc_g_two'])
      expect(await session.relations('svc_g_two')).toEqual([])
    } finally {
      await session.close()
    }
  }, 240_000)

  it('refuses a promotion for whose locks there is no room, and says the setting', async () => {
    const warehouse = postgresWarehouse({ url: database, root, project: 'size' })
    const session = await warehouse.open('write')
    try {
      await session.requireRoom?.(50)
      await session.requireRoom?.(120)
      await expect(session.requireRoom?.(20_000)).rejects.toMatchObject({
        message: expect.stringContaining('no room for the locks of a promotion of 20000 views'),
        hint: expect.stringContaining('max_locks_per_transaction = 2048'),
      })
      expect(
        await session.query("SELECT count(*)::integer AS n FROM pg_locks WHERE locktype = 'advisory'"),
      ).toEqual([{ n: 0 }])
    } finally {
      await session.close()
    }
  }, 60_000)

  it('is asked about 20,000 names at once', async () => {
    const warehouse = postgresWarehouse({ url: database, root, project: 'size' })
    const session = await warehouse.open('write')
    try {
      await session.execute(['CREATE TABLE svc.kept (id integer)'])
      const many = Array.from({ length: 20_000 }, (_, index) => ({ schema: 'svc', name: `none_${index}` }))
      const found = await session.columns([...many, { schema: 'svc', name: 'kept' }])
      expect([...found]).toEqual([['svc.kept', [{ name: 'id', type: 'integer' }]]])
      expect([...(await session.sizes([...many, { schema: 'svc', name: 'kept' }])).keys()]).toEqual([
        'svc.kept',
      ])
    } finally {
      await session.close()
    }
  }, 120_000)
})
