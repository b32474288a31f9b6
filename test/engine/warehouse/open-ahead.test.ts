import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { Warehouse } from '../../../cli/engine/warehouse/warehouse.ts'

let root: string
let warehouse: Warehouse

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-ahead-'))
  warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root, project: 'shop' })
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

/** This process has the file open as long as nothing can be said about its content. */
async function isOpen(): Promise<boolean> {
  return (await warehouse.version?.()) === undefined
}

async function createFile(): Promise<void> {
  const session = await warehouse.open('write')
  await session.state.initialise()
  await session.close()
}

describe('a warehouse that is opened ahead', () => {
  test('is the one of the session that comes, and is closed with it', async () => {
    await createFile()
    expect(await isOpen()).toBe(false)
    await warehouse.openAhead?.()
    expect(await isOpen()).toBe(true)
    const session = await warehouse.open('write')
    expect(await session.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await session.close()
    expect(await isOpen()).toBe(false)
  })

  test('is closed where no session comes', async () => {
    await createFile()
    const giveUp = await warehouse.openAhead?.()
    giveUp?.()
    await vi.waitFor(async () => expect(await isOpen()).toBe(false), 60_000)
    await warehouse.openAhead?.()
    expect(await isOpen()).toBe(true)
    await vi.waitFor(async () => expect(await isOpen()).toBe(false), 20_000)
  }, 240_000)

  test('is not created', async () => {
    const giveUp = await warehouse.openAhead?.()
    giveUp?.()
    expect(existsSync(join(root, 'warehouse.duckdb'))).toBe(false)
  })

  test('is left to its session while someone reads it', async () => {
    await createFile()
    const reader = await warehouse.open('read')
    await warehouse.openAhead?.()
    const waiting = warehouse.open('write')
    await reader?.close()
    const session = await waiting
    await session.state.initialise()
    await session.close()
    expect(await isOpen()).toBe(false)
  })
})
