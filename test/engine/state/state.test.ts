import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  deleteDrift,
  insertDrift,
  insertHistory,
  type StateChange,
} from '../../../cli/engine/state/changes.ts'
import { emptyState } from '../../../cli/engine/state/state.ts'
import { stateVersion } from '../../../cli/engine/state/tables.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { Warehouse, WarehouseSession } from '../../../cli/engine/warehouse/warehouse.ts'
import { freshWarehouse, removeWarehouse } from '../../support/warehouse-under-test.ts'
import { history } from './records.ts'

describe('the state tables', () => {
  let root: string
  let url: string
  let warehouse: Warehouse
  let session: WarehouseSession

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'svc-state-'))
    url = await freshWarehouse()
    warehouse = await openWarehouse(url, { root, project: 'shop' })
    session = await warehouse.open('write')
  })

  afterEach(async () => {
    await session.close()
    await removeWarehouse(url)
    rmSync(root, { recursive: true, force: true })
  })

  async function stored(...changes: (readonly StateChange[])[]): Promise<void> {
    await session.state.commit(changes.flat())
  }

  it('have the columns of the product decisions, in order', async () => {
    await session.state.initialise()
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
      'project',
    ])
  })

  it('are made once and keep what they hold', async () => {
    await session.state.initialise()
    await stored(insertHistory(history('r1')))
    await session.state.initialise()
    await session.close()
    session = await warehouse.open('write')
    await session.state.initialise()
    expect((await session.state.read('prod')).history).toHaveLength(1)
    expect(await session.query('SELECT version FROM svc.svc_meta')).toEqual([{ version: stateVersion }])
  })

  it('made by two sessions at once are made once', async () => {
    const other = await warehouse.open('write')
    await Promise.all([session.state.initialise(), other.state.initialise()])
    await other.close()
    expect(await session.query('SELECT version FROM svc.svc_meta')).toEqual([{ version: stateVersion }])
  })

  it('of an older svc get the tables that it did not know', async () => {
    await session.state.initialise()
    await stored(insertHistory(history('r1')))
    await session.execute(['DROP TABLE svc.svc_rejects', 'UPDATE svc.svc_meta SET version = 1'])
    await session.state.initialise()
    expect(await session.query('SELECT * FROM svc.svc_rejects')).toEqual([])
    expect(await session.query('SELECT version FROM svc.svc_meta')).toEqual([{ version: stateVersion }])
    expect((await session.state.read('prod')).history).toHaveLength(1)
  })

  it('say nothing of drift where an older svc made them', async () => {
    await session.state.initialise()
    const changes = [
      { kind: 'vanished', child: undefined, column: 'city', from: 'VARCHAR', page: 3 },
    ] as const
    const record = { load_key: 'raw-1', asset: 'orders', changes }
    await stored([...insertDrift(record), ...insertDrift(record)])
    expect(await session.state.drift()).toEqual([record])
    await stored(deleteDrift(['raw-1']))
    expect(await session.state.drift()).toEqual([])
    await session.execute(['DROP TABLE svc.svc_drift'])
    await expect(session.state.drift()).rejects.toThrow('svc_drift')
    await session.execute(['UPDATE svc.svc_meta SET version = 2'])
    expect(await session.state.drift()).toEqual([])
  })

  it('of a newer svc are left alone', async () => {
    await session.state.initialise()
    await session.execute([`UPDATE svc.svc_meta SET version = ${stateVersion + 1}`])
    await expect(session.state.initialise()).rejects.toMatchObject({ code: 'warehouse-newer' })
    await expect(session.state.read('prod')).rejects.toMatchObject({ code: 'warehouse-newer' })
  })

  it('that do not exist read as an environment where nothing happened', async () => {
    expect(await session.state.read('prod')).toEqual(emptyState('prod'))
    await session.createSchema('svc')
    await session.execute(['CREATE TABLE svc.mine AS SELECT 1 AS n'])
    expect(await session.state.read('prod')).toEqual(emptyState('prod'))
  })

  it('that are damaged are not taken for missing', async () => {
    await session.state.initialise()
    await session.execute(['DROP TABLE svc.svc_builds'])
    await expect(session.state.read('prod')).rejects.toThrow('svc_builds')
  })
})
