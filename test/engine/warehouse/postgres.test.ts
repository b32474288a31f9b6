import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dropGarbage } from '../../../cli/engine/run/collect-garbage.ts'
import { askPostgres, canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { startChild } from './child-process.ts'
import { describeWarehouse } from './conformance.ts'
import { postgresUnderTest } from './engines.ts'

describe.runIf(canStartPostgres())('PostgreSQL', () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await startPostgres()
  })

  afterAll(() => server.stop())

  const withMain = async () => {
    const url = await server.createDatabase()
    await askPostgres(url, 'CREATE SCHEMA main')
    return url
  }

  describeWarehouse(postgresUnderTest(withMain))

  it('ends what a killed process has begun, so that nobody waits for it', async () => {
    const root = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
    const url = await server.createDatabase()
    const session = await (await postgresUnderTest().open(url, root, 'shop')).open('write')
    const endless = `CREATE TABLE public.busy AS SELECT sum(sqrt(x + y)) AS n
      FROM generate_series(1, 1000000) AS a(x), generate_series(1, 1000000) AS b(y)`
    const child = startChild(['fill', 'postgres', url, root, endless])
    const busy = async () =>
      (await session.query("SELECT pid FROM pg_stat_activity WHERE query LIKE 'CREATE TABLE public.busy%'"))
        .length
    await expect.poll(busy).toBe(1)
    await child.kill()
    await expect.poll(busy).toBe(0)
    await session.close()
    rmSync(root, { recursive: true, force: true })
  })

  it('lets what is not trusted change nothing, also with a second statement', async () => {
    const root = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
    const warehouse = await postgresUnderTest().open(await server.createDatabase(), root, 'shop')
    const session = await warehouse.open('write')
    await session.execute(['CREATE TABLE public.kept AS SELECT 1 AS n'])
    const isolated = await warehouse.open('read', { isolated: true })
    expect(await isolated?.query('SELECT n FROM public.kept')).toEqual([{ n: 1 }])
    for (const sql of [
      'DROP TABLE public.kept',
      'COMMIT; DROP TABLE public.kept',
      'SELECT 1; COMMIT; DROP TABLE public.kept',
    ])
      await expect(isolated?.query(sql)).rejects.toMatchObject({ code: 'warehouse-failed' })
    expect(await session.query('SELECT n FROM public.kept')).toEqual([{ n: 1 }])
    await isolated?.close()
    await session.close()
    rmSync(root, { recursive: true, force: true })
  })

  it('keeps what was published when its table gets the shape of today', async () => {
    const root = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
    const warehouse = await postgresUnderTest().open(await server.createDatabase(), root, 'shop')
    const session = await warehouse.open('write')
    await session.state.initialise()
    await session.execute([
      'DROP TABLE svc.svc_published',
      `CREATE TABLE svc.svc_published (environment text, asset text, target text, place text, key_hash text, row_hash text,
        row_key json, remote_id text, run_id text, acknowledged_at timestamptz, project text)`,
      `INSERT INTO svc.svc_published VALUES ('prod', 'a', 'crm', 'p', md5('key'), md5('row'), '{"id": 1}', 'r', 'r1', now(), 'shop')`,
      'UPDATE svc.svc_meta SET version = 7',
    ])
    await session.state.initialise()
    expect(
      await session.query(`SELECT key_hash = CAST(md5('key') AS uuid) AS is_key, row_hash = CAST(md5('row') AS uuid) AS is_row,
        row_key ->> 'id' AS id, remote_id, run_id, project FROM svc.svc_published`),
    ).toEqual([{ is_key: true, is_row: true, id: '1', remote_id: 'r', run_id: 'r1', project: 'shop' }])
    await session.close()
    rmSync(root, { recursive: true, force: true })
  })

  it('tells a view that was replaced by one with another query', async () => {
    const root = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
    const warehouse = await postgresUnderTest().open(await server.createDatabase(), root, 'shop')
    const session = await warehouse.open('write')
    await session.execute(['CREATE SCHEMA green', 'CREATE TABLE green.t AS SELECT 1 AS n'])
    const present = async () =>
      (await session.inventory('green')).get('green')?.find(({ name }) => name === 'v')?.text
    const textOf = async (sql: string) => {
      await session.execute([`CREATE OR REPLACE VIEW green.v AS ${sql}`])
      return present()
    }
    const first = await textOf('SELECT n FROM green.t')
    expect(first).toMatch(/^\d+\/\d{6} [0-9a-f]{32}$/)
    expect(await textOf('SELECT n FROM green.t WHERE n > 1')).not.toBe(first)
    expect(await textOf('SELECT n FROM green.t')).toBe(first)
    await session.execute(['ALTER TABLE green.t ADD COLUMN m int', 'VACUUM FULL pg_rewrite'])
    expect(await present()).toBe(first)
    await session.close()
    rmSync(root, { recursive: true, force: true })
  })

  it('collects what nobody needs, and keeps a build that others have made a view of', async () => {
    const root = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
    const warehouse = await postgresUnderTest().open(await server.createDatabase(), root, 'shop')
    const session = await warehouse.open('write')
    await session.execute([
      'CREATE SCHEMA svc_g_old',
      'CREATE TABLE svc_g_old.a AS SELECT 1 AS n',
      'CREATE TABLE svc_g_old.b AS SELECT 2 AS n',
      'CREATE SCHEMA reports',
      'CREATE VIEW reports.ours AS SELECT n FROM svc_g_old.a',
    ])
    const relations = ['a', 'b'].map(name => ({
      relation: { schema: 'svc_g_old', name },
      kind: 'table' as const,
    }))
    const whole = { builds: [], loads: [], relations, schemas: ['svc_g_old'] }
    expect(await dropGarbage(session, whole)).toEqual({ relations: [], schemas: [] })
    expect(await session.relations('svc_g_old')).toHaveLength(2)
    expect(await dropGarbage(session, { ...whole, schemas: [] })).toEqual({
      relations: [relations[1]],
      schemas: [],
    })
    expect(await session.relations('svc_g_old')).toEqual([{ name: 'a', kind: 'table' }])
    expect(await session.query('SELECT n FROM reports.ours')).toEqual([{ n: 1 }])
    await session.execute(['DROP VIEW reports.ours'])
    expect(await dropGarbage(session, whole)).toEqual({ relations, schemas: ['svc_g_old'] })
    await session.close()
    rmSync(root, { recursive: true, force: true })
  })
})
