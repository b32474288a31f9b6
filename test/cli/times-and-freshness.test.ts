/** The files of a run say only what was measured: times of tests, ages of data, what was tried and what was not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CatalogFile, TestHistoryFile, TestResultsFile } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const files = {
  'svc.yaml': 'name: shop\nwarehouse: duckdb:./w.duckdb\n',
  'models/orders.svc': `name: orders
ingest: none
transform: SELECT 1 AS id, TIMESTAMP '2020-01-01 00:00:00' AS placed
tests:
  - unique: id
  - not_null: [id, placed]
  - name: one_row
    unit: {given: {}, expect: [{id: 1}]}
freshness: {error_after: 30d, column: placed}
`,
  'models/daily.svc': `name: daily
ingest: none
transform: SELECT count(*) AS orders FROM {{ ref('orders') }}
tests:
  - not_null: orders
freshness: {error_after: 30d}
`,
}

let ground: Ground
beforeEach(() => {
  ground = createGround(files)
})
afterEach(() => ground.dispose())

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(ground.root, path), 'utf8')) as T
}

function assetOf(name: string): CatalogFile['assets'][number] | undefined {
  return read<CatalogFile>('svc_catalog.json').assets.find(asset => asset.name === name)
}

it('a source has the time of its fetch and of its build, as a failed fetch has that of the fetch', async () => {
  ground.write(
    'models/visits.svc',
    'name: visits\ningest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}\n',
  )
  const said = await ground.line(['run', 'visits', '--log-format', 'json'])
  const events = said.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string; asset?: string; seconds: number })
  const took = (type: string) => events.find(event => event.type === type)?.seconds ?? Number.NaN
  const whole = took('fetch-finished') + took('load-finished') + took('build-finished')
  expect(assetOf('visits')?.seconds).toBeCloseTo(whole, 6)
})

it('tests of one scan have its time, and say with how many they share it, also when they did not run again', async () => {
  const told = await ground.line(['run', '--json'])
  const { tests } = JSON.parse(told.stdout) as {
    tests: { name: string; kind: string; execution_time: number; scan: unknown }[]
  }
  const data = tests.filter(({ kind }) => kind !== 'unit')
  expect(new Set(data.map(({ execution_time }) => execution_time)).size).toBe(1)
  expect(data.map(({ scan }) => scan)).toEqual([{ tests: 4 }, { tests: 4 }, { tests: 4 }, { tests: 4 }])
  expect(tests.find(({ kind }) => kind === 'unit')?.scan).toBeNull()
  const scans = () =>
    read<TestResultsFile>('.svc/test_results.json')['orders']?.tests.map(({ name, scan }) => [
      name,
      scan?.tests,
    ])
  const first = scans()
  expect(first).toEqual([
    ['not_null_id', 4],
    ['not_null_placed', 4],
    ['one_row', undefined],
    ['unique_id', 4],
  ])
  const again = JSON.parse((await ground.line(['run', '--json'])).stdout) as typeof tests & {
    tests: typeof tests
  }
  expect(again.tests.filter(({ kind }) => kind !== 'unit').every(({ scan }) => scan !== null)).toBe(true)
  expect(scans()).toEqual(first)
})

it('a unit test is recorded once a run', async () => {
  expect((await ground.line(['run'])).code).toBe(0)
  const { tests } = read<TestHistoryFile>('.svc/dev/test_history.json')
  expect(tests.map(({ name, history }) => [name, history.length])).toEqual([
    ['not_null_orders', 1],
    ['not_null_id', 1],
    ['not_null_placed', 1],
    ['one_row', 1],
    ['unique_id', 1],
  ])
})

it('freshness has both clocks, in the catalogue and in svc freshness', async () => {
  expect((await ground.line(['run'])).code).toBe(0)
  const orders = assetOf('orders')
  expect(orders?.freshness).toMatchObject({ column: 'placed', newest_row: '2020-01-01T00:00:00.000Z' })
  expect(orders?.loaded_at).toBe(orders?.last_run)
  expect(assetOf('daily')?.freshness).not.toHaveProperty('newest_row')
  const text = await ground.line(['freshness'])
  expect(text.code).toBe(1)
  expect(text.stdout).toMatch(/orders +ERROR +.*newest placed/)
  expect(text.stdout).toMatch(/daily +OK +.*loaded/)
  const json = JSON.parse((await ground.line(['freshness', '--json'])).stdout) as { assets: object[] }
  expect(json.assets).toMatchObject([
    { name: 'orders', status: 'ERROR', clock: 'newest_row', last: '2020-01-01T00:00:00.000Z' },
    { name: 'daily', status: 'OK', clock: 'loaded', newest_row: null },
  ])
})

it('what a failed run did not try is skipped, and neither it nor a rollback loads anything', async () => {
  const orders = files['models/orders.svc'].replace(/ {2}- name: one_row\n.*\n/, '')
  ground.write('models/orders.svc', orders)
  expect((await ground.line(['run'])).code).toBe(0)
  const loaded = assetOf('daily')?.loaded_at
  ground.write('models/orders.svc', orders.replace('SELECT 1 AS id', 'SELECT 2 AS id'))
  expect((await ground.line(['run'])).code).toBe(0)
  expect(assetOf('daily')?.loaded_at).not.toBe(loaded)
  expect((await ground.line(['rollback'])).code).toBe(0)
  expect(assetOf('daily')).toMatchObject({ status: 'deployed', loaded_at: loaded })
  const told = JSON.parse((await ground.line(['freshness', '--json'])).stdout) as { assets: object[] }
  expect(told.assets).toMatchObject([
    { name: 'orders', loaded_at: loaded },
    { name: 'daily', loaded_at: loaded },
  ])
  ground.write('models/orders.svc', orders.replace('SELECT 1 AS id', "SELECT error('x')::INT AS id"))
  expect((await ground.line(['run'])).code).not.toBe(0)
  expect(assetOf('orders')).toMatchObject({ status: 'Failed', loaded_at: loaded })
  expect(assetOf('daily')).toMatchObject({ status: 'skipped', seconds: null, loaded_at: loaded })
})
