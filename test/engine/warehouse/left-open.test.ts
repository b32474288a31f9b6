import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { leaveAllOpen } from '../../../cli/engine/warehouse/duckdb/open-instances.ts'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { Warehouse } from '../../../cli/engine/warehouse/warehouse.ts'

let root: string
let warehouse: Warehouse

beforeEach(async () => {
  leaveAllOpen(false)
  root = mkdtempSync(join(tmpdir(), 'svc-left-'))
  warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root, project: 'shop', endsSoon: true })
})

afterEach(async () => {
  leaveAllOpen()
  await vi.waitFor(async () => expect(await isOpen()).toBe(false), 60_000)
  rmSync(root, { recursive: true, force: true })
})

/** This process has the file open as long as nothing can be said about its content. */
async function isOpen(): Promise<boolean> {
  return (await warehouse.version?.()) === undefined
}

const hasLog = () => existsSync(join(root, 'warehouse.duckdb.wal'))

async function write(settles: boolean): Promise<void> {
  const session = await warehouse.open('write')
  await session.state.initialise()
  if (settles) session.settle?.(false)
  await session.close()
}

describe('the warehouse of a process that ends soon', () => {
  test('is left open when everything is in the file, and only for a moment', async () => {
    await write(true)
    expect(hasLog()).toBe(false)
    expect(await isOpen()).toBe(true)
    await vi.waitFor(async () => expect(await isOpen()).toBe(false), 60_000)
  }, 120_000)

  test('is closed when a log holds something', async () => {
    await write(false)
    expect(hasLog()).toBe(false)
    expect(await isOpen()).toBe(false)
  })

  test('is closed when spilled data are left to delete', async () => {
    mkdirSync(join(root, 'warehouse.duckdb.tmp'))
    await write(true)
    expect(await isOpen()).toBe(false)
  })

  test('serves whoever opens it next in the process', async () => {
    await write(true)
    const session = await warehouse.open('write')
    expect(await session.query('SELECT count(*) AS n FROM svc.svc_state_history')).toEqual([{ n: 0 }])
    await session.close()
    const isolated = await warehouse.open('read', { isolated: true })
    expect(await isolated?.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await isolated?.close()
  })

  test('is opened anew when somebody has replaced it', async () => {
    await write(true)
    rmSync(join(root, 'warehouse.duckdb'))
    const session = await warehouse.open('write')
    expect(await session.relations('svc')).toEqual([])
    await session.close()
  })

  test('is closed when it was read only', async () => {
    await write(false)
    await (await warehouse.open('read'))?.close()
    expect(await isOpen()).toBe(false)
  })
})
