import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { Warehouse, WarehouseReader } from '../../../cli/engine/warehouse/warehouse.ts'
import { withReader } from '../../../cli/engine/workspace/remembered-warehouse.ts'

let root: string
let warehouse: Warehouse
let openings: number
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-remembered-'))
  const real = await openWarehouse('duckdb:./w.duckdb', { root, project: 'test' })
  const open = (async (...request: Parameters<Warehouse['open']>) => {
    openings += 1
    return real.open(...request)
  }) as Warehouse['open']
  warehouse = { ...real, open }
  openings = 0
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const kept = () => join(root, '.svc', 'cache', 'warehouse')
const long = 'ü"\n\u001e🦆'.repeat(5000)
const texts = 'SELECT n, repeat(t, 5000) AS long, [n, n] AS list, NULL AS nothing FROM main.t ORDER BY n'

async function write(sql: string): Promise<void> {
  const session = await warehouse.open('write')
  await session.execute([sql])
  await session.close()
  openings = 0
}

function read<T>(
  work: (reader: WarehouseReader | undefined) => Promise<T>,
  change: { readonly program?: string | undefined; readonly warehouse?: Warehouse } = {},
): Promise<T> {
  return withReader({ warehouse, path: kept(), program: 'svc test', options: {}, ...change }, work)
}

const ask = async (reader: WarehouseReader | undefined) => ({
  rows: await reader?.query(texts),
  relations: await reader?.relations('main'),
})

const table = "CREATE TABLE t AS SELECT 1 AS n, 'ü\"\n\u001e🦆' AS t"
const answer = {
  rows: [{ n: 1, long, list: [1, 1], nothing: null }],
  relations: [{ name: 't', kind: 'table' }],
}

test('a warehouse that nobody wrote to is not opened again', async () => {
  await write(table)
  expect(await read(ask)).toEqual(answer)
  expect(openings).toBe(1)
  expect(await read(ask)).toEqual(answer)
  expect(openings).toBe(1)
})

test('a question that is new is asked, and kept beside the others', async () => {
  await write(table)
  await read(ask)
  const other = (reader: WarehouseReader | undefined) => reader?.query('SELECT 7 AS n')
  expect(await read(async reader => [await ask(reader), await other(reader)])).toEqual([answer, [{ n: 7 }]])
  expect(openings).toBe(2)
  expect(await read(async reader => [await other(reader), await ask(reader)])).toEqual([[{ n: 7 }], answer])
  expect(await read(async reader => reader?.query('SELECT 8 AS n'))).toEqual([{ n: 8 }])
  expect(openings).toBe(3)
})

test('every change of the warehouse is noticed', async () => {
  await write(table)
  await read(ask)
  for (const change of ['UPDATE t SET n = 2', 'CREATE VIEW v AS SELECT 1 AS one', 'DROP VIEW v']) {
    await write(change)
    expect(await read(ask)).toEqual(await read(ask, { program: undefined }))
  }
  rmSync(join(root, 'w.duckdb'))
  expect(await read(async reader => reader)).toBeUndefined()
})

test('what was found out is found out again when the warehouse has changed, and for another project', async () => {
  await write(table)
  let found = 0
  const find = async (reader: WarehouseReader) => {
    found += 1
    return reader.query<{ n: number }>('SELECT n FROM t')
  }
  const recall = async (reader?: WarehouseReader) => reader?.recall?.('n', () => find(reader))
  for (const times of [1, 1]) {
    expect(await read(recall)).toEqual([{ n: 1 }])
    expect(found).toBe(times)
  }
  await read(recall, { warehouse: warehouse.ofProject('other') })
  expect(found).toBe(2)
  await write('UPDATE t SET n = 2')
  expect(await read(recall)).toEqual([{ n: 2 }])
  expect(found).toBe(3)
})

test('what another svc kept, and what is damaged or gone, counts for nothing', async () => {
  await write(table)
  await read(ask)
  await read(ask, { program: 'svc other' })
  expect(openings).toBe(2)
  const bytes = readFileSync(kept())
  bytes[bytes.length - 2] = 0
  writeFileSync(kept(), bytes)
  expect(await read(ask, { program: 'svc other' })).toEqual(answer)
  rmSync(join(root, '.svc'), { recursive: true })
  expect(await read(ask, { program: 'svc other' })).toEqual(answer)
  expect(openings).toBe(4)
})

test('nothing is kept while a log holds more than the file', async () => {
  await write(table)
  await read(ask)
  writeFileSync(join(root, 'w.duckdb.wal'), '')
  await read(ask)
  await read(ask)
  expect(openings).toBe(3)
})

test('a file that is open here has no version, and stays locked', async () => {
  await write(table)
  expect(await warehouse.version?.()).toEqual(expect.any(String))
  const session = await warehouse.open('write')
  expect(await warehouse.version?.()).toBeUndefined()
  await session.close()
})

test('answers of two moments are never mixed', async () => {
  await write(table)
  await read(async reader => reader?.query('FROM t'))
  const original = warehouse.open
  const open = (async (...request: Parameters<Warehouse['open']>) => {
    const session = await original('write')
    await session.execute(['UPDATE t SET n = n + 1'])
    await session.close()
    return original(...request)
  }) as Warehouse['open']
  const both = async (reader: WarehouseReader | undefined) => {
    const [known] = (await reader?.query<{ n: number }>('FROM t')) ?? []
    const [asked] = (await reader?.query<{ n: number }>('SELECT n FROM t')) ?? []
    return [known?.n, asked?.n]
  }
  const [known, asked] = await read(both, { warehouse: { ...warehouse, open } })
  expect(known).toBe(asked)
})

test('an error of the work is thrown, and the warehouse is closed', async () => {
  await write(table)
  const failing = read(async reader => {
    await reader?.query('FROM t')
    throw new Error('of the work')
  })
  await expect(failing).rejects.toThrow('of the work')
  await write('DROP TABLE t')
})
