import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalReader } from '@svc/server/catalog'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { insertDefinitions, publishedWhere, setLive } from '../../../cli/engine/state/changes.ts'
import { migrations } from '../../../cli/engine/state/migrations.ts'
import type { StateReader } from '../../../cli/engine/state/state-store.ts'
import { stateVersion } from '../../../cli/engine/state/tables.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { freshWarehouse, kindUnderTest, removeWarehouse } from '../../support/warehouse-under-test.ts'
import { olderTables } from './older-tables.ts'

let root: string
let urls: Map<string, Promise<string>>
let sessions: WarehouseSession[]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-migrate-'))
  urls = new Map()
  sessions = []
})

afterEach(async () => {
  for (const session of sessions) await session.close()
  for (const url of urls.values()) await removeWarehouse(await url)
  rmSync(root, { recursive: true, force: true })
})

/** @param name of a warehouse of this test */
async function open(name: string, project = 'shop'): Promise<WarehouseSession> {
  const url = urls.get(name) ?? urlOf(name)
  urls.set(name, url)
  const warehouse = await openWarehouse(await url, { root, project })
  const session = await warehouse.open('write')
  sessions.push(session)
  return session
}

/** Everything that a project can ask for. */
async function allOf(state: StateReader) {
  const { live, builds, tests, views, generation, history } = await state.read('prod')
  return {
    generation,
    history,
    live: live.get('a')?.build_key,
    build: builds.get('k')?.relation,
    test: tests.get('a\nnot_null_id')?.status,
    views: [...views],
    runs: (await state.runs()).map(run => run.run_id),
    definitions: [...(await state.definitions(['d']))],
    liveDefinition: (await state.liveDefinitions('prod'))('d'),
    rejects: await state.rejects({}, 10),
    open: await state.openRejects({
      environment: 'prod',
      liveLoads: [],
      assets: ['a'],
      exceptLoads: [],
      limit: 5,
    }),
    drift: await state.drift(),
    files: await state.loadedFiles('load'),
    lineage: [...(await state.lineage(['k']))],
    lineageKeys: [...(await state.lineageKeys())],
    viewTexts: [...(await state.viewTexts())],
    marks: await state.marks(),
    keys: await state.liveKeys(),
    pins: [...(await state.builds()).keys()],
    others: await state.otherProjects(),
  }
}

async function urlOf(name: string): Promise<string> {
  return kindUnderTest === 'duckdb' ? `duckdb:./${name}.duckdb` : freshWarehouse()
}

/** The versions that this engine never had. */
const isTooOld = (version: number) => kindUnderTest === 'postgres' && version < 7
const tooOld = ', on DuckDB only: svc has known PostgreSQL since version 7'

/** A statement as svc sent it to the engine under test; opening a PostgreSQL has made the schema. */
function inWordsOfEngine(statement: string): string {
  if (kindUnderTest === 'duckdb') return statement
  return statement
    .replace('CREATE SCHEMA svc', 'CREATE SCHEMA IF NOT EXISTS svc')
    .replaceAll(/\b(VARCHAR|DOUBLE)\b/g, type => (type === 'DOUBLE' ? 'DOUBLE PRECISION' : 'TEXT'))
}

/** Columns with their types, and what each key is of. */
async function shapeOf(session: WarehouseSession) {
  const columns = await session.query(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = 'svc' ORDER BY table_name, ordinal_position`,
  )
  const keys = await session.query(
    `SELECT table_name, column_name, ordinal_position FROM information_schema.key_column_usage
     WHERE table_schema = 'svc' ORDER BY table_name, ordinal_position`,
  )
  expect(keys.length).toBeGreaterThan(0)
  return { columns, keys }
}

it('is there for every version but the first', () => {
  expect(migrations.map(({ to }) => to)).toEqual(Array.from({ length: stateVersion - 1 }, (_, n) => n + 2))
  expect([...olderTables.keys()]).toEqual(Array.from({ length: stateVersion - 1 }, (_, n) => n + 1))
})

const versions = [...olderTables].map(([version, before]) => {
  const name = `state tables of version ${version}${isTooOld(version) ? tooOld : ''}`
  return [name, version, before.map(inWordsOfEngine)] as const
})

describe.each(versions)('%s', (_name, version, statements) => {
  const it = isTooOld(version) ? test.skip : test

  it('become those of today, and keep what they hold, for the project that came first', async () => {
    const session = await open('old')
    await session.execute(statements)
    const before = await allOf(session.state)
    expect(await session.state.initialise()).toEqual({ from: version, to: stateVersion })
    expect(await session.state.initialise()).toBeUndefined()
    expect(await session.query('SELECT version FROM svc.svc_meta')).toEqual([{ version: stateVersion }])
    const fresh = await open('new')
    await fresh.state.initialise()
    expect(await shapeOf(session)).toEqual(await shapeOf(fresh))
    const after = await allOf(session.state)
    expect(after).toEqual(before)
    expect(after).toMatchObject({ generation: 7, live: 'k', test: 'pass', liveDefinition: 'the text' })
    expect(after.rejects.total).toBe(version < 2 ? 0 : 1)
    expect(after.drift).toHaveLength(version < 3 ? 0 : 1)
    const other = await open('old', 'other')
    expect(await allOf(other.state)).toMatchObject({ generation: 0, history: [], others: ['shop'] })
  })

  it('keep what was published', async () => {
    const session = await open('old')
    await session.execute(statements)
    const path = join(root, 'published.parquet')
    const to = { environment: 'prod', asset: 'a', target: 'crm' }
    const columns = ['key_hash', 'row_hash', 'row_key', 'remote_id']
    const published = async () => {
      await session.export({ table: 'svc_published', columns, where: publishedWhere(to, ['place']) }, path)
      const local = await openLocalReader({ threads: 1 })
      try {
        return await local.rows(`SELECT replace(CAST(key_hash AS VARCHAR), '-', '') = md5('key ' || remote_id[-1]) AS is_key,
          CAST(row_hash AS UUID) = CAST(md5('row ' || remote_id[-1]) AS UUID) AS is_row, CAST(row_key AS VARCHAR) AS row_key
          FROM read_parquet('${path}') ORDER BY row_key`)
      } finally {
        local.close()
      }
    }
    const kept = [0, 1].map(id => ({ is_key: true, is_row: true, row_key: `{"id":${id}}` }))
    // A publish that only looks reads the tables as they are.
    if (version >= 6) expect(await published()).toEqual(kept)
    await session.state.initialise()
    expect(await published()).toEqual(version < 6 ? [] : kept)
  })

  it('stay whole when they are closed and opened again', async () => {
    const session = await open('old')
    await session.execute(statements)
    await session.state.initialise()
    const after = await allOf(session.state)
    await session.close()
    const again = await open('old')
    expect(await allOf(again.state)).toEqual(after)
    await again.state.commit([
      ...setLive('prod', 8, 'r2'),
      ...insertDefinitions([{ definition_hash: 'd', definition: 'never' }]),
    ])
    expect(await allOf(again.state)).toEqual({ ...after, generation: 8 })
    expect(await again.query('SELECT generation FROM svc.svc_live')).toEqual([{ generation: 8 }])
  })
})
