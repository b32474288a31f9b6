/** What the command "New Asset from a Source" makes of addresses, variables and the answers of `svc discover`. */
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { addressProblem, namedSources, pathFor, tablesIn } from '../../extension/new-source.ts'
import { createGround } from '../cli/bad-input/command-line.ts'

it('takes the addresses that svc discover takes', () => {
  const good = [
    '',
    'https://api.example.com/v1/orders',
    'postgres://u:p@h/d',
    'mariadb://h/d',
    'duckdb:./x.duckdb',
    'env:SHOP',
    'data/orders.csv',
    './data/*.parquet',
    '../orders.json',
    '/srv/data/orders.csv',
    'C:\\data\\orders.csv',
    'orders.csv',
    's3://bucket/orders.parquet',
  ]
  expect(good.map(addressProblem)).toEqual(good.map(() => undefined))
  for (const bad of ['orders', 'https://', 'https:x', 'env:', 'https://a b'])
    expect(addressProblem(bad), bad).toMatch(/^Write https/)
})

it('writes the path of a file from the project, if it is in there', () => {
  expect(pathFor('/work/shop', '/work/shop/data/orders.csv')).toBe(join('data', 'orders.csv'))
  expect(pathFor('/work/shop', '/srv/orders.csv')).toBe('/srv/orders.csv')
})

it('takes a file as svc discover does', async () => {
  const ground = createGround({ 'svc.yaml': 'name: shop\n', 'data/orders.csv': 'id,amount\n1,2.5\n' })
  try {
    const said = await ground.line(['discover', 'data/orders.csv', '--json'])
    expect(JSON.parse(said.stdout)).toMatchObject({ assets: [{ path: 'models/orders.svc' }] })
  } finally {
    ground.dispose()
  }
})

it('offers the variables that name a database, without their values', () => {
  const variables = {
    SHOP: 'postgres://u:secret@h/d',
    HOME: '/root',
    API: 'https://x',
    OLD: undefined,
    LOG: 'amqp://h',
    A: 'mysql://h/d',
  }
  expect(namedSources(variables)).toEqual(['A', 'SHOP'])
})

it('reads which tables svc discover asks about', async () => {
  const ground = createGround({ 'svc.yaml': 'name: shop\n' })
  try {
    const instance = await DuckDBInstance.create(join(ground.root, 'other.duckdb'))
    const connection = await instance.connect()
    for (let table = 1; table <= 2; table++) await connection.run(`CREATE TABLE t${table} (id BIGINT)`)
    const factsOf = async () => {
      const said = await ground.line(['discover', 'duckdb:./other.duckdb', '--json'])
      return (JSON.parse(said.stdout) as { error: { facts: Record<string, unknown> } }).error.facts
    }
    connection.closeSync()
    instance.closeSync()
    expect(tablesIn(await factsOf())).toEqual(['main.t1', 'main.t2'])
    const again = await DuckDBInstance.create(join(ground.root, 'other.duckdb'))
    const other = await again.connect()
    for (let table = 3; table <= 30; table++) await other.run(`CREATE TABLE t${table} (id BIGINT)`)
    other.closeSync()
    again.closeSync()
    const many = tablesIn(await factsOf())
    expect(many).toHaveLength(30)
    expect(many?.at(-1)).toMatch(/^main\.t\d+$/)
    expect(tablesIn({})).toBeUndefined()
  } finally {
    ground.dispose()
  }
})
