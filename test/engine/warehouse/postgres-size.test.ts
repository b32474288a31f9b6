/** More relations than the server has room for in one transaction, and more names than a condition may have. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doWhenFree } from '../../../cli/engine/warehouse/postgres/locks.ts'
import { postgresWarehouse } from '../../../cli/engine/warehouse/postgres/postgres-warehouse.ts'
import type { ProductionView, Relation } from '../../../cli/engine/warehouse/warehouse.ts'
import { liveThrough } from '../../support/many-assets.ts'
import { askPostgres, canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { change, promote } from './generations.ts'

/** Each with four locks, where the server promises room for 200. */
const tables = 400
/** Some twenty of these take all room that the server has. */
const locksOfWork = 100
/** More than the server has room for, whatever it keeps besides. */
const manyViews = 500

function viewsOf(table: string, count: number): readonly ProductionView[] {
  return Array.from({ length: count }, (_, index) => ({
    view: { schema: 'analytics', name: `v${index}` },
    target: { schema: 'svc_g_parts', name: table },
    columns: [
      { name: 'id', type: 'integer' },
      { name: 't', type: 'text' },
    ],
    description: undefined,
  }))
}

function dropsFrom(first: number): readonly Relation[] {
  return viewsOf('odd', manyViews)
    .slice(first)
    .map(({ view }) => view)
}

describe.runIf(canStartPostgres())('PostgreSQL with room for few locks', () => {
  let server: PostgresServer
  let database: string
  let root: string
  beforeAll(async () => {
    const few = ['max_worker_processes=0', 'max_wal_senders=0', 'autovacuum_max_workers=1']
    server = await startPostgres({ settings: ['max_connections=20', 'max_locks_per_transaction=10', ...few] })
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

  it('refuses a promotion that gives more views other columns than there is room for, and says the setting', async () => {
    const warehouse = postgresWarehouse({ url: database, root, project: 'size' })
    const session = await warehouse.open('write')
    try {
      await session.requireRoom?.(50)
      await session.requireRoom?.(120)
      await expect(session.requireRoom?.(20_000)).rejects.toMatchObject({
        message: expect.stringContaining(
          'no room for the locks of a promotion that gives 20000 views other columns',
        ),
        hint: expect.stringContaining('max_locks_per_transaction = 2048'),
      })
      expect(
        await session.query("SELECT count(*)::integer AS n FROM pg_locks WHERE locktype = 'advisory'"),
      ).toEqual([{ n: 0 }])
    } finally {
      await session.close()
    }
  }, 60_000)

  it('does as much together as there is room for, and the rest in the next transaction', async () => {
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    try {
      const done: number[] = []
      const works = Array.from({ length: 60 }, (_, index) => ({
        views: [],
        attempt: async () => {
          const first = index * locksOfWork
          const locks = `SELECT pg_advisory_xact_lock(n) FROM generate_series(${first}, ${first + locksOfWork - 1}) AS n`
          await client.query(locks)
          done.push(index)
        },
      }))
      await doWhenFree(client, works, { blockers: 'wait', waitMs: 10_000, onEnded: () => {} })
      expect(new Set(done).size).toBe(works.length)
    } finally {
      await client.end()
    }
  }, 60_000)

  /** The views that are there: how many, and which table each shows. */
  const shown = () =>
    askPostgres(
      database,
      `SELECT count(*)::int AS views, (SELECT string_agg(DISTINCT t, ',') FROM analytics.v0) AS first,
        (SELECT string_agg(DISTINCT t, ',') FROM analytics.v${manyViews / 2}) AS middle
       FROM pg_views WHERE schemaname = 'analytics'`,
    )

  it('promotes in parts what one transaction has no room for: new views, other ones, and views that go', async () => {
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    const patience = { blockers: 'wait', waitMs: 1_000 } as const
    const warehouse = postgresWarehouse({ url: database, root, project: 'parts', patience })
    const session = await warehouse.open('write')
    try {
      await expect(session.requireRoom?.(manyViews)).rejects.toThrow('has no room')
      await session.state.initialise()
      await session.createSchema('svc_g_parts')
      await session.execute(
        ['odd', 'even'].map(name => `CREATE TABLE svc_g_parts.${name} AS SELECT 1 AS id, '${name}' AS t`),
      )
      await promote(session, change(0, { views: viewsOf('odd', manyViews) }))
      expect(await shown()).toEqual([{ views: manyViews, first: 'odd', middle: 'odd' }])

      // Somebody stays in a transaction: nothing of it may be seen, or be left.
      await client.query(`BEGIN; SELECT * FROM analytics.v${manyViews - 1}`)
      const next = { views: viewsOf('even', manyViews / 2 + 1), drops: dropsFrom(manyViews / 2 + 1) }
      const added = [...next.views, ...viewsOf('even', manyViews + 1).slice(-1)]
      await expect(promote(session, change(1, { ...next, views: added }))).rejects.toMatchObject({
        code: 'promotion-stale',
      })
      await client.query('COMMIT')
      expect(await shown()).toEqual([{ views: manyViews, first: 'odd', middle: 'odd' }])

      await promote(session, change(1, next))
      expect(await shown()).toEqual([{ views: manyViews / 2 + 1, first: 'even', middle: 'even' }])
      expect(await session.query('SELECT view FROM svc.svc_pointed_views')).toEqual([])
    } finally {
      await session.close()
      await client.end()
    }
  }, 240_000)

  it('holds a project from its first plan to its collection; test/long has thousands of assets', async () => {
    await liveThrough(150, await server.createDatabase())
  }, 240_000)

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
