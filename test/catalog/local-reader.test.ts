/** What a reader of local files leaves for the next one, which may get the same database. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLocalReader } from '../../server/catalog/duckdb/local-reader.ts'
import { quoteLiteral } from '../../server/catalog/duckdb/quoting.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-local-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const large = 'CREATE TEMP TABLE large AS SELECT range AS a, md5(range::VARCHAR) AS b FROM range(400000)'

test('tables, variables and settings of one are not those of the next', async () => {
  const options = { temporaryFolder: join(root, 'first'), threads: 1 }
  const first = await openLocalReader(options)
  await first.rows('CREATE TEMP TABLE here AS SELECT 1 AS a')
  await first.rows('SET VARIABLE secret = 42')
  await first.rows("SET GLOBAL TimeZone = 'Asia/Tokyo'")
  first.close()
  const next = await openLocalReader({ ...options, temporaryFolder: join(root, 'next') })
  await expect(next.rows('FROM here')).rejects.toThrow('here does not exist')
  const asked =
    "SELECT getvariable('secret') AS secret, current_setting('TimeZone') AS zone, current_setting('temp_directory') AS folder"
  expect(await next.rows(asked)).toEqual([{ secret: null, zone: 'UTC', folder: join(root, 'next') }])
  next.close()
})

test('what does not fit into memory goes to the folder of the reader, also after one that has written into its own', async () => {
  for (const name of ['first', 'second']) {
    const temporaryFolder = join(root, name)
    const local = await openLocalReader({ temporaryFolder, threads: 1, memory: '15MB' })
    await local.rows(large)
    expect(existsSync(temporaryFolder)).toBe(true)
    local.close()
    rmSync(temporaryFolder, { recursive: true, force: true })
  }
})

test('the limit of memory holds again for the next one', async () => {
  const options = { memory: '10MB', threads: 1 }
  const limit = "SELECT current_setting('memory_limit') AS most"
  const first = await openLocalReader(options)
  const before = await first.rows(limit)
  await first.rows("SET GLOBAL memory_limit = '1GB'")
  first.close()
  const next = await openLocalReader(options)
  expect(await next.rows(limit)).toEqual(before)
  next.close()
})

test('a file that has been written again is read again', async () => {
  const path = join(root, 'rows.csv')
  for (const value of [1, 2, 3]) {
    writeFileSync(path, `a,b\n${value},x\n`)
    const local = await openLocalReader({ threads: 1 })
    const parquet = quoteLiteral(join(root, 'rows.parquet'))
    expect(await local.rows(`SELECT a::INTEGER AS a FROM read_csv(${quoteLiteral(path)})`)).toEqual([
      { a: value },
    ])
    await local.rows(`COPY (SELECT ${value} AS a) TO ${parquet} (FORMAT parquet)`)
    expect(await local.rows(`SELECT a FROM read_parquet(${parquet})`)).toEqual([{ a: value }])
    local.close()
  }
})

test('a file that was attached is free once its reader is closed, even if nobody has detached it', async () => {
  const path = join(root, 'other.duckdb')
  for (let round = 0; round < 2; round++) {
    const local = await openLocalReader({ temporaryFolder: root, attaches: true })
    await local.rows(`ATTACH ${quoteLiteral(path)} AS other`)
    await local.rows('CREATE TABLE IF NOT EXISTS other.t AS SELECT 1 AS a')
    local.close()
    const instance = await DuckDBInstance.create(path)
    instance.closeSync()
  }
})

test('reads a text with all of its characters, also U+FEFF at its start', async () => {
  const local = await openLocalReader({})
  const texts = ['\ufeff', '\ufeffx', `\ufeff${'long '.repeat(10)}`, '\ufeff\ufeffx', 'x\ufeff', '', 'x']
  const hexes = texts.map(text => `decode(unhex('${Buffer.from(text).toString('hex')}'))`)
  const rows = await local.rows(`SELECT unnest([${hexes.join(', ')}]) AS v, [${hexes[1]}] AS list`)
  local.close()
  expect(rows.map(({ v }) => v)).toEqual(texts)
  expect(rows[0]?.['list']).toEqual(['\ufeffx'])
})
