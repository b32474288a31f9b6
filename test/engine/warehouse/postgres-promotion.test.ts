/** What a promotion on PostgreSQL leaves as it was, and what readers in transactions see of it. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type {
  PointerChange,
  PromotionWarning,
  WarehouseSession,
} from '../../../cli/engine/warehouse/warehouse.ts'
import { times } from '../../support/long.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { startChild } from './child-process.ts'
import { postgresUnderTest } from './engines.ts'
import { promoteBesideBoards } from './films/boards.ts'
import { change, greenOf, greensSeen, liveGeneration, makeGreens, promote } from './generations.ts'

describe.runIf(canStartPostgres())('a promotion on PostgreSQL', () => {
  let server: PostgresServer
  let root = ''
  let url = ''
  let session: WarehouseSession
  const clients: pg.Client[] = []
  let watcher: pg.Client | undefined

  beforeAll(async () => {
    server = await startPostgres()
  })

  afterAll(() => server.stop())

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-promotion-'))
    url = await server.createDatabase()
    session = await open()
    await makeGreens(session)
    await promote(session, change(0))
  })

  afterEach(async () => {
    await session.close()
    for (const client of clients.splice(0)) await client.end()
    watcher = undefined
    rmSync(root, { recursive: true, force: true })
  })

  async function open(): Promise<WarehouseSession> {
    return (await postgresUnderTest().open(url, root, 'shop')).open('write')
  }

  async function client(): Promise<pg.Client> {
    const made = new pg.Client(url)
    await made.connect()
    clients.push(made)
    return made
  }

  async function all(sql: string): Promise<unknown[]> {
    watcher ??= await client()
    return (await watcher.query(sql)).rows
  }

  /** The views with another column of this definition before the others. */
  function reshaped(from: number, definition: string): PointerChange {
    const next = change(from)
    const views = next.views.map(view => ({
      ...view,
      columns: [
        { name: 'extra', type: 'text' },
        { name: 'green', type: 'text' },
      ],
      query: `SELECT ${definition} AS extra, green FROM svc_g_${greenOf(from + 1)}.${view.target.name}`,
    }))
    return { ...next, views }
  }

  describe('keeps what others hung on a view', () => {
    beforeEach(async () => {
      await session.execute([
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'reader') THEN CREATE ROLE reader; END IF; END $$",
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'keeper') THEN CREATE ROLE keeper; END IF; END $$",
        'GRANT SELECT ON analytics.v0 TO reader WITH GRANT OPTION',
        // A view reads with the rights of its owner.
        'GRANT USAGE ON SCHEMA analytics TO keeper',
        'GRANT SELECT ON analytics.v0 TO keeper',
        'CREATE SCHEMA reports',
        'CREATE VIEW reports.first AS SELECT green AS colour FROM analytics.v0',
        'CREATE VIEW reports.second AS SELECT colour FROM reports.first',
        'GRANT SELECT ON reports.second TO PUBLIC',
        "COMMENT ON VIEW reports.first IS 'it''s ours'",
        'ALTER VIEW reports.first OWNER TO keeper',
      ])
    })

    const hung = `SELECT has_table_privilege('reader', 'analytics.v0', 'SELECT WITH GRANT OPTION') AS granted,
      (SELECT colour FROM reports.second) AS colour, obj_description('reports.first'::regclass) AS comment,
      (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = 'reports.first'::regclass) AS owner,
      has_table_privilege('keeper', 'reports.second', 'SELECT') AS public`
    const kept = (colour: string) => [
      { granted: true, colour, comment: "it's ours", owner: 'keeper', public: true },
    ]

    it('where it is replaced', async () => {
      await promote(session, change(1))
      expect(await all(hung)).toEqual(kept('even'))
    })

    it('and lets another owner of a view read what it reads from then on', async () => {
      await session.execute(['ALTER VIEW analytics.v0 OWNER TO keeper'])
      await promote(session, change(1))
      expect(await all(hung)).toEqual(kept('even'))
      await promote(session, reshaped(2, '1'))
      expect(await all('SELECT * FROM analytics.v0')).toEqual([{ extra: 1, green: 'odd' }])
      expect(await all(hung)).toEqual(kept('odd'))
    })

    it('where its columns change', async () => {
      await promote(session, reshaped(1, '1'))
      expect(await all('SELECT * FROM analytics.v0')).toEqual([{ extra: 1, green: 'even' }])
      expect(await all(hung)).toEqual(kept('even'))
    })

    it('and what hangs on that: readers of readers, of two views, of rows as a type, with all that they have', async () => {
      await session.execute([
        `CREATE MATERIALIZED VIEW reports.days WITH (fillfactor = 70) AS SELECT colour, 1 AS n FROM reports.second`,
        'CREATE UNIQUE INDEX days_colour ON reports.days (colour)',
        'GRANT SELECT (colour) ON reports.days TO reader',
        "COMMENT ON COLUMN reports.days.colour IS 'of a day'; COMMENT ON COLUMN analytics.v0.green IS 'by hand'",
        'CREATE VIEW reports.same WITH (security_barrier = true) AS SELECT a.green FROM analytics.v0 AS a JOIN analytics.v1 AS b ON a.n = b.n',
        `CREATE FUNCTION reports.rows_of(shortest integer) RETURNS SETOF analytics.v0 LANGUAGE sql AS
          'SELECT * FROM analytics.v0 WHERE length(green) > shortest'`,
        'REVOKE ALL ON FUNCTION reports.rows_of FROM PUBLIC; GRANT EXECUTE ON FUNCTION reports.rows_of TO keeper',
        'CREATE VIEW reports.called AS SELECT green FROM reports.rows_of(1)',
        'CREATE RULE none AS ON DELETE TO reports.called DO INSTEAD NOTHING',
        'ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC',
      ])
      const hanging = `SELECT (SELECT array_agg(colour) FROM reports.days) AS days, (SELECT green FROM reports.called) AS called,
        (SELECT count(*)::int FROM reports.same) AS same, pg_get_indexdef('reports.days_colour'::regclass) AS index,
        (SELECT array_agg(c.relname || coalesce(c.reloptions::text, '') || pg_get_userbyid(c.relowner)
            || (SELECT coalesce(string_agg(a::text, ' ' ORDER BY a::text), '') FROM aclexplode(c.relacl) AS a WHERE a.grantee <> c.relowner) ORDER BY c.relname)
          FROM pg_class AS c WHERE c.relnamespace = 'reports'::regnamespace AND c.relkind IN ('v', 'm')) AS relations,
        (SELECT proacl::text FROM pg_proc WHERE oid = 'reports.rows_of'::regproc) AS routine,
        (SELECT attacl::text FROM pg_attribute WHERE attrelid = 'reports.days'::regclass AND attname = 'colour') AS column,
        (SELECT array_agg(description ORDER BY description) FROM pg_description WHERE objsubid > 0 AND description IN ('of a day', 'by hand')) AS comments,
        (SELECT count(*)::int FROM pg_rewrite WHERE rulename = 'none') AS rules`
      const before = (await all(hanging)) as [Record<string, unknown>]
      expect(before[0]).toMatchObject({ days: ['odd'], called: 'odd', same: 0, rules: 1 })
      const next = change(1)
      // Numbers become texts in both views: what joins them stands only between two old or two new ones.
      const views = next.views.slice(0, 2).map(view => ({
        ...view,
        columns: [
          { name: 'green', type: 'text' },
          { name: 'n', type: 'text' },
        ],
        query: `SELECT green, 'both' AS n FROM ${view.target.schema}.${view.target.name}`,
      }))
      await promote(session, { ...next, views })
      const after = (await all(hanging)) as [Record<string, unknown>]
      expect(after[0]).toEqual({ ...before[0], days: ['even'], called: 'even', same: 1 })
    })

    it('or changes nothing, where a view of others reads a column that goes', async () => {
      const next = change(1)
      const views = next.views.map(view => ({ ...view, columns: [{ name: 'n', type: 'integer' }] }))
      await expect(promote(session, { ...next, views })).rejects.toMatchObject({
        code: 'foreign-object',
        message: expect.stringContaining('green'),
      })
      expect(await greensSeen(session)).toEqual(['odd'])
      expect(await liveGeneration(session)).toBe(1)
    })
  })

  /** A promotion of a few views, because each waits for readers of its own. */
  function few(from: number): PointerChange {
    const whole = change(from)
    return { ...whole, views: whole.views.slice(0, 10) }
  }

  async function pointed(): Promise<readonly unknown[]> {
    const [{ exists }] = (await all("SELECT to_regclass('svc.svc_pointed_views') IS NOT NULL AS exists")) as [
      { exists: boolean },
    ]
    return exists ? all('SELECT * FROM svc.svc_pointed_views') : []
  }

  async function greensOfFew(reader: pg.Client): Promise<number> {
    const names = few(0)
      .views.map(({ view }) => view.name)
      .sort(() => Math.random() - 0.5)
    const parts = names.map(name => `SELECT green FROM analytics.${name}`)
    return (await reader.query(`SELECT DISTINCT green FROM (${parts.join(' UNION ALL ')}) AS seen`)).rows
      .length
  }

  /** Keeps views locked for reading until it is told to stop. */
  async function longReader(views = few(0).views): Promise<() => Promise<void>> {
    const reader = await client()
    await reader.query('BEGIN')
    for (const { view } of views) await reader.query(`SELECT * FROM analytics.${view.name}`)
    return async () => void (await reader.query('COMMIT'))
  }

  it('goes by the pointer where readers hold views, and shows new columns when it is settled', async () => {
    const next = few(1)
    const views = next.views.map(view => ({
      ...view,
      columns: [...view.columns, { name: 'more', type: 'integer' }],
      query: `SELECT green, n, n + 1 AS more FROM svc_g_even.${view.target.name}`,
    }))
    const stop = await longReader()
    const promoting = promote(session, { ...next, views })
    setTimeout(() => void stop(), 2_000)
    await promoting
    expect(await all('SELECT * FROM analytics.v7')).toEqual([{ green: 'even', n: 7, more: 8 }])
    expect(await pointed()).toEqual([])
  })

  it('lets another owner of a view read both tables while it looks at the pointer', async () => {
    await session.execute(['DROP ROLE IF EXISTS somebody', 'CREATE ROLE somebody'])
    await session.execute(['ALTER VIEW analytics.v7 OWNER TO somebody'])
    await session.execute([`GRANT USAGE ON SCHEMA svc_g_${greenOf(1)} TO somebody`])
    await session.execute([`GRANT SELECT ON ALL TABLES IN SCHEMA svc_g_${greenOf(1)} TO somebody`])
    const stop = await longReader()
    let isDone = false
    const seen = new Set<unknown>()
    const read = async () => {
      while (!isDone) {
        for (const row of await all('SELECT green FROM analytics.v7'))
          seen.add((row as { green: string }).green)
        await pause(10)
      }
    }
    const promoting = promote(session, few(1)).finally(() => {
      isDone = true
    })
    setTimeout(() => void stop(), 2_000)
    await Promise.all([promoting, read()])
    expect(seen).toContain('odd')
    expect(await all('SELECT green FROM analytics.v7')).toEqual([{ green: 'even' }])
    expect(await pointed()).toEqual([])
    await session.execute(['DROP OWNED BY somebody CASCADE', 'DROP ROLE somebody'])
  })

  it('shows readers in transactions one generation in each statement, and no error', async () => {
    let isDone = false
    let reads = 0
    const read = async () => {
      const reader = await client()
      while (!isDone) {
        await reader.query('BEGIN')
        for (let statement = 0; statement < 4; statement++) {
          expect(await greensOfFew(reader)).toBe(1)
          reads++
          await pause(10)
        }
        await reader.query('COMMIT')
      }
    }
    let from = 1
    const promoting = (async () => {
      while (reads === 0) await pause(10)
      for (; from <= 4 || reads <= 20; from++) await promote(session, few(from))
    })().finally(() => {
      isDone = true
    })
    await Promise.all([promoting, read(), read(), read()])
    expect(await liveGeneration(session)).toBe(from)
  })

  it('shows readers with transactions of seconds one generation; test/long has fifty promotions', {
    timeout: 120_000,
  }, async () => {
    const seen = await promoteBesideBoards({
      session,
      address: url,
      views: 20,
      promotions: 1,
      longestMs: 400,
    })
    expect(seen).toMatchObject({ mixed: 0, errors: new Map() })
    expect(await liveGeneration(session)).toBe(2)
    expect(await pointed()).toEqual([])
  })

  describe('beside a session that does nothing in its transaction', () => {
    const patiently = async (blockers: 'wait' | 'cancel', address = url) => {
      await session.close()
      const patience = { blockers, waitMs: 1_500 }
      session = await (await openWarehouse(address, { root, project: 'shop', patience })).open('write')
    }
    /** Reads views in a transaction, and leaves it open. */
    const idle = async (views = few(0).views) => {
      const reader = new pg.Client({ connectionString: url, application_name: "Tim's board" })
      // It may be ended.
      reader.on('error', () => undefined)
      await reader.connect()
      clients.push(reader)
      await reader.query('BEGIN')
      for (const { view } of views) await reader.query(`SELECT * FROM analytics.${view.name}`)
      const { rows } = await reader.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      return { pid: rows[0]?.pid, end: async () => void (await reader.query('COMMIT')) }
    }

    it('gives up, says who it is, and leaves production as it was', async () => {
      await patiently('wait')
      const { pid, end } = await idle(few(0).views.slice(3, 4))
      await expect(promote(session, few(1))).rejects.toMatchObject({
        code: 'promotion-stale',
        message: expect.stringMatching(
          new RegExp(
            `^analytics\\.v3 is still locked after 1\\.5 s, by process ${pid} of role svc, application 'Tim''s board', idle in a transaction since 20`,
          ),
        ),
        hint: expect.stringContaining(`SELECT pg_terminate_backend(${pid})`),
        facts: { views: ['analytics.v3'], sessions: [String(pid)] },
      })
      expect(await greensSeen(session)).toEqual(['odd'])
      expect(await liveGeneration(session)).toBe(1)
      expect(await pointed()).toEqual([])
      await end()
      await promote(session, few(1))
      expect(await greensOfFew(await client())).toBe(1)
    })

    it('names it also where a view is made anew', async () => {
      await patiently('wait')
      const { pid } = await idle(few(0).views.slice(3, 4))
      await expect(promote(session, reshaped(1, '1'))).rejects.toMatchObject({
        code: 'promotion-stale',
        facts: { sessions: [String(pid)] },
      })
      expect(await greensSeen(session)).toEqual(['odd'])
    })

    it('ends it where the environment says so, and tells of it', async () => {
      await patiently('cancel')
      const { pid } = await idle()
      const told: PromotionWarning[] = []
      await promote(session, few(1), warning => void told.push(warning))
      expect(await all('SELECT green FROM analytics.v7')).toEqual([{ green: 'even' }])
      expect(told).toMatchObject([
        { code: 'ended-sessions', count: 1, message: expect.stringContaining(`process ${pid} of role svc`) },
      ])
      expect(await all(`SELECT pid FROM pg_stat_activity WHERE pid = ${pid}`)).toEqual([])
    })

    it('tells of it where the promotion fails afterwards', async () => {
      await patiently('cancel')
      const { pid } = await idle(few(0).views.slice(3, 4))
      const told: PromotionWarning[] = []
      const next = few(1)
      const broken = next.views.slice(0, 1).map(view => ({
        ...view,
        view: { schema: 'analytics', name: 'broken' },
        target: { schema: 'svc_g_even', name: 'nowhere' },
      }))
      const failing = promote(
        session,
        { ...next, views: [...next.views, ...broken] },
        warning => void told.push(warning),
      )
      await expect(failing).rejects.toThrow('nowhere')
      expect(told).toMatchObject([
        { code: 'ended-sessions', message: expect.stringContaining(`process ${pid} of role svc`) },
      ])
      expect(await greensSeen(session)).toEqual(['odd'])
    })

    it('says what the role lacks that may not end it', async () => {
      await session.execute(['DROP ROLE IF EXISTS plain', 'CREATE ROLE plain LOGIN'])
      const own = new URL(await server.createDatabase())
      url = own.href
      own.username = 'plain'
      const admin = await client()
      await admin.query(`GRANT CREATE, TEMPORARY ON DATABASE ${own.pathname.slice(1)} TO plain`)
      await patiently('cancel', own.href)
      await makeGreens(session)
      await promote(session, change(0))
      await admin.query('GRANT USAGE ON SCHEMA analytics TO PUBLIC')
      const { pid } = await idle()
      await expect(promote(session, few(1))).rejects.toMatchObject({
        message: expect.stringContaining(`process ${pid} of role svc`),
        hint: expect.stringContaining('GRANT pg_signal_backend, pg_read_all_stats TO plain;'),
      })
      expect(await all(`SELECT pid FROM pg_stat_activity WHERE pid = ${pid}`)).toHaveLength(1)
    })

    it('leaves the last step of its view to the next command, once production is new', async () => {
      await patiently('wait')
      const first = await idle(few(0).views.slice(3, 4))
      const next = few(1)
      await session.promotion.prepare(next, () => {})
      const flipping = session.promotion.flip(next, () => {})
      // The other views do not wait for the one that is held.
      while ((await pointed()).length < next.views.length - 1) await pause(20)
      await first.end()
      await flipping
      const { pid, end } = await idle(few(0).views.slice(5, 6))
      const told: PromotionWarning[] = []
      await session.promotion.settle(next, warning => void told.push(warning))
      expect(told).toMatchObject([
        { code: 'unsettled-views', message: expect.stringContaining(`process ${pid}`) },
      ])
      expect(await pointed()).toHaveLength(1)
      expect(await all('SELECT green FROM analytics.v5')).toEqual([{ green: 'even' }])
      await end()
      expect(await session.promotion.recover('prod', () => {})).toBe('rolled-forward')
      expect(await pointed()).toEqual([])
    })
  })

  it('is finished or undone by the next process, wherever it was killed', { timeout: 180_000 }, async () => {
    const outcomes = new Set<string>()
    for (let kill = 0; kill < times(8, 16); kill++) {
      const before = await liveGeneration(session)
      const stop = await longReader(few(0).views.slice(-1))
      const dying = startChild(['flip-few', 'postgres', url, root])
      expect(await dying.line()).toBe('flipping')
      while ((await pointed()).length < few(0).views.length - 1) await pause(20)
      if (kill > 1) await stop()
      await pause(kill > 1 ? (kill - 2) * 30 : 0)
      await dying.kill()
      if (kill <= 1) await stop()
      outcomes.add(await session.promotion.recover('prod', () => {}))
      const generation = await liveGeneration(session)
      expect(generation - before).toBeLessThanOrEqual(1)
      expect(await greensOfFew(await client())).toBe(1)
      expect(await pointed()).toEqual([])
      expect((await session.state.runs()).length).toBe(generation)
    }
    expect(outcomes.size).toBeGreaterThan(1)
  })
})
