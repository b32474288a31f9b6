/** Sample tables of projects and environments that share a warehouse: none takes the place of another's. */

import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, expect, test } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'

const grounds: Ground[] = []
afterEach(() => {
  for (const ground of grounds.splice(0)) ground.dispose()
})

function project(name: string, value: number, warehouse: string): Ground {
  const ground = createGround({
    'svc.yaml': `name: ${name}\nwarehouse: ${JSON.stringify(warehouse)}\ndefault_schema: ${name}\nenvironments: {prod: {}}\n`,
    'models/orders.svc': `name: orders\ningest: none\ntransform: SELECT ${value} AS value\n`,
  })
  grounds.push(ground)
  return ground
}

async function sampleTable(p: Ground, env: string): Promise<string> {
  const { code, value } = await p.json(['sample', 'orders', '--size', '1', '--env', env, '--json'])
  expect(code).toBe(0)
  return (value as { readonly sample_table: string }).sample_table
}

test('each keeps its own, and a collection takes those of its project alone', async () => {
  const shop = project('shop', 1, 'duckdb:./warehouse.duckdb')
  const file = join(shop.root, 'warehouse.duckdb')
  const bank = project('bank', 3, `duckdb:${file}`)
  const tables = new Map<number, string>()
  for (const env of ['dev', 'prod']) {
    if (env === 'prod')
      shop.write('models/orders.svc', 'name: orders\ningest: none\ntransform: SELECT 2 AS value\n')
    expect((await shop.line(['run', '--env', env])).code).toBe(0)
  }
  expect((await bank.line(['run'])).code).toBe(0)
  tables.set(1, await sampleTable(shop, 'dev'))
  tables.set(2, await sampleTable(shop, 'prod'))
  tables.set(3, await sampleTable(bank, 'dev'))
  expect(new Set(tables.values()).size).toBe(3)
  for (const [value, table] of tables) expect(await valueIn(file, table)).toBe(value)
  expect((await shop.line(['gc'])).code).toBe(0)
  expect(await valueIn(file, tables.get(3) ?? '')).toBe(3)
  await expect(valueIn(file, tables.get(1) ?? '')).rejects.toThrow('does not exist')
  await expect(valueIn(file, tables.get(2) ?? '')).rejects.toThrow('does not exist')
})

async function valueIn(file: string, table: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  try {
    const rows = await connection.runAndReadAll(`SELECT value FROM ${table}`)
    return rows.getRows()[0]?.[0]
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
