import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initialiseState } from '../../../cli/engine/state/initialise-state.ts'
import {
  emptyState,
  readBuilds,
  readDefinitions,
  readDrift,
  readHistory,
  readRunMaps,
  readRuns,
  readState,
} from '../../../cli/engine/state/read-state.ts'
import type {
  BuildRecord,
  CatalogRecord,
  HistoryRecord,
  TestRecord,
} from '../../../cli/engine/state/state.ts'
import {
  deleteBuilds,
  deleteCatalog,
  deleteDefinitions,
  deleteDrift,
  deleteTestResults,
  deleteViews,
  finishHistory,
  insertBuild,
  insertBuilds,
  insertDefinitions,
  insertDrift,
  insertHistory,
  insertTestResults,
  replaceCatalog,
  upsertCatalog,
  upsertViews,
} from '../../../cli/engine/state/statements.ts'
import { stateVersion } from '../../../cli/engine/state/tables.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { Statement, Warehouse, WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'

const odd = 'it\'s "odd"; -- 🦆\n\t\\ $1'

describe('the state tables', () => {
  let root: string
  let warehouse: Warehouse
  let session: WarehouseSession

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'svc-state-'))
    warehouse = await openWarehouse('duckdb:./w.duckdb', { root })
    session = await warehouse.open('write')
  })

  afterEach(async () => {
    await session.close()
    rmSync(root, { recursive: true, force: true })
  })

  async function stored(...statements: (readonly Statement[])[]): Promise<void> {
    await session.transaction(statements.flat())
  }

  it('have the columns of the product decisions, in order', async () => {
    await initialiseState(session)
    const tables = ['svc_state_history', 'svc_catalog'].map(name => ({ schema: 'svc', name }))
    const columns = await session.columns(tables)
    const names = (table: string) => columns.get(table)?.map(({ name }) => name)
    expect(names('svc.svc_state_history')?.slice(0, 10)).toEqual([
      'run_id',
      'environment',
      'kind',
      'selector',
      'status',
      'started_at',
      'finished_at',
      'generation',
      'assets',
      'error',
    ])
    expect(names('svc.svc_catalog')).toEqual([
      'environment',
      'asset',
      'definition_hash',
      'build_key',
      'run_id',
      'deployed_at',
      'green_schema',
      'columns',
    ])
  })

  it('are made once and keep what they hold', async () => {
    await initialiseState(session)
    await stored(insertHistory(session.dialect, history('r1')))
    await initialiseState(session)
    await session.close()
    session = await warehouse.open('write')
    await initialiseState(session)
    expect((await readState(session, 'prod')).history).toHaveLength(1)
    expect(await session.query('SELECT version FROM svc.svc_meta')).toEqual([{ version: stateVersion }])
  })

  it('made by two sessions at once are made once', async () => {
    const other = await warehouse.open('write')
    await Promise.all([initialiseState(session), initialiseState(other)])
    await other.close()
    expect(await session.query('SELECT version FROM svc.svc_meta')).toEqual([{ version: stateVersion }])
  })

  it('of an older svc get the tables that it did not know', async () => {
    await initialiseState(session)
    await stored(insertHistory(session.dialect, history('r1')))
    await session.execute(['DROP TABLE svc.svc_rejects', 'UPDATE svc.svc_meta SET version = 1'])
    await initialiseState(session)
    expect(await session.query('SELECT * FROM svc.svc_rejects')).toEqual([])
    expect(await session.query('SELECT version FROM svc.svc_meta')).toEqual([{ version: stateVersion }])
    expect((await readState(session, 'prod')).history).toHaveLength(1)
  })

  it('say nothing of drift where an older svc made them', async () => {
    await initialiseState(session)
    const changes = [
      { kind: 'vanished', child: undefined, column: 'city', from: 'VARCHAR', page: 3 },
    ] as const
    const record = { load_key: 'raw-1', asset: 'orders', changes }
    await stored([...insertDrift(session.dialect, record), ...insertDrift(session.dialect, record)])
    expect(await readDrift(session)).toEqual([record])
    await stored(deleteDrift(session.dialect, ['raw-1']))
    expect(await readDrift(session)).toEqual([])
    await session.execute(['DROP TABLE svc.svc_drift'])
    await expect(readDrift(session)).rejects.toThrow('svc_drift')
    await session.execute(['UPDATE svc.svc_meta SET version = 2'])
    expect(await readDrift(session)).toEqual([])
  })

  it('of a newer svc are left alone', async () => {
    await initialiseState(session)
    await session.execute([`UPDATE svc.svc_meta SET version = ${stateVersion + 1}`])
    await expect(initialiseState(session)).rejects.toMatchObject({ code: 'warehouse-newer' })
    await expect(readState(session, 'prod')).rejects.toMatchObject({ code: 'warehouse-newer' })
  })

  it('that do not exist read as an environment where nothing happened', async () => {
    expect(await readState(session, 'prod')).toEqual(emptyState('prod'))
    await session.createSchema('svc')
    await session.execute(['CREATE TABLE svc.mine AS SELECT 1 AS n'])
    expect(await readState(session, 'prod')).toEqual(emptyState('prod'))
  })

  it('that are damaged are not taken for missing', async () => {
    await initialiseState(session)
    await session.execute(['DROP TABLE svc.svc_builds'])
    await expect(readState(session, 'prod')).rejects.toThrow('svc_builds')
  })

  it('give back every record as it was', async () => {
    await initialiseState(session)
    const { dialect } = session
    const run = history('r1', { selector: odd, error: odd, assets: [asset('a', 'k1'), asset(odd, null)] })
    const builds = [
      build('k1', { asset: odd, children: { [odd]: child }, pins: ['k2', odd], sql: `SELECT '${odd}'` }),
      build('k2', { part: 'raw', rows: null, load_id: 'l', deploy_schema: 'marts' }),
    ]
    const test = testRecord('a', { message: odd, failures: 9007199254740991 })
    await stored(
      insertHistory(dialect, run),
      insertBuilds(dialect, builds),
      upsertCatalog(dialect, [catalog('a'), catalog(odd)]),
      upsertViews(dialect, [{ environment: 'prod', asset: odd, view: { schema: 'analytics', name: odd } }]),
      insertTestResults(dialect, 'prod', [test]),
      insertDefinitions(dialect, [{ definition_hash: 'h', definition: odd }]),
      [{ sql: "INSERT INTO svc.svc_live VALUES ('prod', 7, 'r1')" }],
    )
    const state = await readState(session, 'prod')
    expect(state.generation).toBe(7)
    expect(state.history).toEqual([run])
    expect([...state.builds.values()]).toMatchObject(builds)
    expect(state.live.get(odd)).toMatchObject(catalog(odd))
    expect(state.views.get(odd)).toEqual({ schema: 'analytics', name: odd })
    expect([...state.tests]).toMatchObject([[`a\n${test.name}`, test]])
    expect(await readDefinitions(session, ['h', 'unknown'])).toEqual(new Map([['h', odd]]))
    expect(await readDefinitions(session, [])).toEqual(new Map())
  })

  it('hold text that is no text', async () => {
    await initialiseState(session)
    const broken = 'half \ud83d pair, \\ud800 written, nul \0, separator \u001e'
    const whole = 'half \ufffd pair, \\ud800 written, nul \0, separator \u001e'
    const many = Array.from({ length: 20 }, (_, n) => build(`k${n}`, { sql: broken, pins: [broken] }))
    await stored(
      insertBuilds(session.dialect, many),
      insertBuild(session.dialect, build('alone', { pins: [broken] })),
    )
    const { builds } = await readState(session, 'prod')
    expect(builds.get('k7')).toMatchObject({ sql: whole, pins: [whole] })
    expect(builds.get('alone')?.pins).toEqual([whole])
  })

  it('take records by the thousand', async () => {
    await initialiseState(session)
    const builds = Array.from({ length: 1234 }, (_, n) => build(`k${n}`))
    await stored(insertBuilds(session.dialect, builds))
    expect((await readState(session, 'prod')).builds.size).toBe(1234)
    await stored(
      deleteBuilds(
        session.dialect,
        builds.slice(0, 1000).map(({ build_key }) => build_key),
      ),
    )
    expect((await readBuilds(session)).size).toBe(234)
  })

  it('need no statement for nothing', () => {
    const { dialect } = session
    expect([
      insertBuilds(dialect, []),
      deleteBuilds(dialect, []),
      upsertCatalog(dialect, []),
      deleteCatalog(dialect, 'prod', []),
      upsertViews(dialect, []),
      deleteViews(dialect, 'prod', []),
      insertTestResults(dialect, 'prod', []),
      deleteTestResults(dialect, 'prod', []),
      insertDefinitions(dialect, []),
      deleteDefinitions(dialect, []),
    ]).toEqual(Array.from({ length: 10 }, () => []))
  })

  it('keep environments apart, but share builds', async () => {
    await initialiseState(session)
    const { dialect } = session
    await stored(
      insertHistory(dialect, history('r1')),
      insertHistory(dialect, history('r2', { environment: 'dev' })),
      upsertCatalog(dialect, [catalog('a'), catalog('a', { environment: 'dev', build_key: 'dev-key' })]),
      upsertViews(dialect, [
        { environment: 'prod', asset: 'a', view: { schema: 'analytics', name: 'a' } },
        { environment: 'dev', asset: 'a', view: { schema: 'analytics_dev', name: 'a' } },
      ]),
      insertBuild(dialect, build('k1')),
    )
    const dev = await readState(session, 'dev')
    expect(dev.generation).toBe(0)
    expect(dev.history.map(run => run.run_id)).toEqual(['r2'])
    expect(dev.live.get('a')?.build_key).toBe('dev-key')
    expect(dev.views.get('a')?.schema).toBe('analytics_dev')
    expect(dev.builds.has('k1')).toBe(true)
    await stored(deleteCatalog(dialect, 'dev', ['a']), deleteViews(dialect, 'dev', ['a']))
    expect((await readState(session, 'dev')).live.size).toBe(0)
    expect((await readState(session, 'prod')).live.size).toBe(1)
    expect((await readState(session, 'prod')).views.size).toBe(1)
  })

  it('know a test result of another environment until the own one is there', async () => {
    await initialiseState(session)
    const { dialect } = session
    const keyOf = async (environment: string) =>
      (await readState(session, environment)).tests.get('a\nnot_null_id')?.input_key
    await stored(insertTestResults(dialect, 'prod', [testRecord('a', { input_key: 'of prod' })]))
    expect(await keyOf('dev')).toBe('of prod')
    await stored(insertTestResults(dialect, 'dev', [testRecord('a', { input_key: 'of dev', ran_at: at(1) })]))
    expect(await keyOf('dev')).toBe('of dev')
    expect(await keyOf('prod')).toBe('of prod')
    expect(await keyOf('ci')).toBe('of dev')
    await stored(insertTestResults(dialect, 'prod', [testRecord('a', { input_key: 'again' })]))
    expect(await keyOf('prod')).toBe('again')
    await stored(deleteTestResults(dialect, 'prod', ['a']))
    expect(await keyOf('prod')).toBe('of dev')
  })

  it('replace a catalogue whole or in part', async () => {
    await initialiseState(session)
    const { dialect } = session
    await stored(upsertCatalog(dialect, [catalog('a'), catalog('b'), catalog('c', { environment: 'dev' })]))
    await stored(upsertCatalog(dialect, [catalog('b', { build_key: 'new' })]))
    const before = (await readState(session, 'prod')).live
    expect([...before.values()].map(({ asset, build_key }) => `${asset} ${build_key}`).sort()).toEqual([
      'a key of a',
      'b new',
    ])
    await stored(replaceCatalog(dialect, 'prod', [catalog('d')]))
    expect([...(await readState(session, 'prod')).live.keys()]).toEqual(['d'])
    expect([...(await readState(session, 'dev')).live.keys()]).toEqual(['c'])
  })

  it('finish a run in place', async () => {
    await initialiseState(session)
    const { dialect } = session
    const running = history('r1', { status: 'running', finished_at: null, generation: null })
    await stored(insertHistory(dialect, running), insertHistory(dialect, { ...running, environment: 'dev' }))
    expect((await readState(session, 'prod')).history).toEqual([running])
    const done = history('r1', { assets: [asset('a', 'k')], finished_at: at(9) })
    await stored(finishHistory(dialect, done))
    expect((await readState(session, 'prod')).history).toEqual([done])
    expect((await readState(session, 'dev')).history[0]?.status).toBe('running')
  })

  it('show the newest runs first, and old ones only while they run', async () => {
    await initialiseState(session)
    const { dialect } = session
    const runs = Array.from({ length: 30 }, (_, n) =>
      history(`r${String(n).padStart(2, '0')}`, { started_at: at(n) }),
    )
    const forgotten = history('r-old', { started_at: '2020-01-01T00:00:00.000Z', status: 'running' })
    await stored(...[...runs, forgotten].map(run => insertHistory(dialect, run)))
    const ids = (all: readonly { run_id: string }[]) => all.map(({ run_id }) => run_id)
    const newest = ids(runs).reverse()
    expect(ids((await readState(session, 'prod')).history)).toEqual([...newest.slice(0, 10), 'r-old'])
    expect(ids((await readState(session, 'prod', { historyLimit: 2 })).history)).toEqual([
      'r29',
      'r28',
      'r-old',
    ])
    await stored(insertHistory(dialect, history('x1', { environment: 'dev', started_at: at(40) })))
    expect(ids(await readHistory(session, undefined, 1))).toEqual(['x1', 'r29', 'r-old'])
    expect(ids(await readRuns(session))).toEqual(['x1', ...newest, 'r-old'])
    expect((await readRuns(session))[0]).not.toHaveProperty('assets')
  })

  it('give the maps of runs', async () => {
    await initialiseState(session)
    await stored(
      insertHistory(session.dialect, history('r1', { assets: [asset('a', 'k1'), asset('failed', null)] })),
      insertHistory(session.dialect, history('r2', { assets: [asset('a', 'k2')] })),
    )
    expect(await readRunMaps(session, ['r1', 'r2', 'none'])).toEqual(
      new Map([
        ['r1', new Map([['a', 'k1']])],
        ['r2', new Map([['a', 'k2']])],
      ]),
    )
    expect(await readRunMaps(session, [])).toEqual(new Map())
  })

  it('count the newest of two builds with one key', async () => {
    await initialiseState(session)
    const newer = build('k', { created_at: at(5), relation: { schema: 'svc_g_2', name: 'a' } })
    await stored(insertBuild(session.dialect, newer), insertBuild(session.dialect, build('k')))
    expect((await readState(session, 'prod')).builds.get('k')?.relation.schema).toBe('svc_g_2')
    expect((await readBuilds(session)).get('k')?.relation.schema).toBe('svc_g_2')
  })
})

function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 2, 3, minute, 5, 678)).toISOString()
}

function history(run_id: string, parts: Partial<HistoryRecord> = {}): HistoryRecord {
  return {
    run_id,
    environment: 'prod',
    kind: 'run',
    selector: null,
    status: 'deployed',
    started_at: at(0),
    finished_at: at(1),
    generation: 1,
    from_generation: 0,
    assets: [],
    error: null,
    ...parts,
  }
}

function asset(name: string, build_key: string | null): HistoryRecord['assets'][number] {
  return { name, definition_hash: 'd', build_key, rows: 3, seconds: 0.25, status: 'built' }
}

const child = { relation: { schema: 'g', name: odd }, columns: [{ name: odd, type: 'VARCHAR' }], rows: 4 }

function build(build_key: string, parts: Partial<BuildRecord> = {}): BuildRecord {
  return {
    build_key,
    asset: 'a',
    part: 'model',
    kind: 'table',
    definition_hash: 'd',
    relation: { schema: 'svc_g_1', name: 'a' },
    children: {},
    columns: [{ name: 'id', type: 'DECIMAL(12,2)' }],
    rows: 3,
    run_id: 'r1',
    created_at: at(0),
    seconds: 0.125,
    pins: [],
    load_id: null,
    sql: null,
    deploy_schema: null,
    ...parts,
  }
}

function catalog(name: string, parts: Partial<CatalogRecord> = {}): CatalogRecord {
  return {
    environment: 'prod',
    asset: name,
    definition_hash: 'd',
    build_key: `key of ${name}`,
    run_id: 'r1',
    deployed_at: at(2),
    green_schema: 'svc_g_1',
    columns: [{ name: odd, type: 'STRUCT(a INTEGER)' }],
    ...parts,
  }
}

function testRecord(name: string, parts: Partial<TestRecord> = {}): TestRecord {
  return {
    asset: name,
    name: 'not_null_id',
    test_hash: 't',
    input_key: 'i',
    status: 'fail',
    severity: 'warn',
    failures: 2,
    message: null,
    seconds: 0.5,
    run_id: 'r1',
    ran_at: at(0),
    ...parts,
  }
}
