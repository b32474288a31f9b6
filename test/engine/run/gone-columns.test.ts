/** A column that the source has no longer is not promoted as a column of NULLs (review of the engine, 2 and 5). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outcomes, projectMaker } from './test-project.ts'

const make = projectMaker()

function shop(
  resource: string,
  { select = 'id, amount', contract = '' }: { select?: string; contract?: string } = {},
) {
  const project = make({
    orders: `ingest: {type: file, endpoint: data, resource: ${resource}}\n${contract}transform: SELECT ${select} FROM {{ source }}`,
    total: "SELECT sum(amount) AS total FROM {{ ref('orders') }}",
  })
  mkdirSync(join(project.root, 'data'), { recursive: true })
  return {
    project,
    file: (text: string) => writeFileSync(join(project.root, 'data', resource), text),
    records(...records: readonly object[]) {
      this.file(records.map(record => `${JSON.stringify(record)}\n`).join(''))
    },
    lock: () => readFileSync(join(project.root, 'schemas.lock.json'), 'utf8'),
    total: () => project.query('SELECT CAST(total AS DOUBLE PRECISION) AS total FROM analytics.total'),
  }
}

const many = (count: number, record: (id: number) => object) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, ...record(index + 1) }))

test('a key of all records that none has now fails what reads it, and the next good answer heals it', async () => {
  const it = shop('orders.ndjson')
  it.records({ id: 1, amount: 1.5 }, { id: 2, amount: 2.5 })
  await it.project.run()
  const lock = it.lock()
  it.records({ id: 1, sum: 1.5 }, { id: 2, sum: 7 })
  const report = await it.project.run()
  expect(outcomes(report)).toEqual(['orders failed', 'total skipped'])
  expect(report.failure?.message).toBe('unknown column "amount"')
  expect(await it.total()).toEqual([{ total: 4 }])
  expect(it.lock()).toBe(lock)
  it.records({ id: 1, amount: 1.5 }, { id: 2, amount: 7 })
  expect(outcomes(await it.project.run())).toEqual(['orders built', 'total built'])
  expect(await it.total()).toEqual([{ total: 8.5 }])
})

test('a header that was renamed in every file fails too', async () => {
  const it = shop('orders.csv')
  it.file('id,amount\n1,2\n')
  await it.project.run()
  it.file('id,betrag\n1,3\n')
  expect((await it.project.run()).failure?.message).toBe('unknown column "amount"')
  expect(await it.total()).toEqual([{ total: 2 }])
})

test('a key that only some records had may be absent by chance, unless there are too many without it', async () => {
  const it = shop('orders.ndjson')
  it.records(...many(20, id => (id % 2 === 0 ? { amount: 1 } : {})))
  await it.project.run()
  it.records(...many(5, () => ({})))
  expect(outcomes(await it.project.run())).toEqual(['orders built', 'total built'])
  expect(await it.total()).toEqual([{ total: null }])
  it.records(...many(20, id => (id % 2 === 0 ? { amount: 1 } : {})))
  await it.project.run()
  it.records(...many(12, () => ({})))
  expect(outcomes(await it.project.run())).toEqual(['orders failed', 'total skipped'])
  expect(await it.total()).toEqual([{ total: 10 }])
})

test('a column that production was promoted without does not come back as NULL, though the lock file still has it', async () => {
  const project = make({
    orders:
      'ingest: {type: file, endpoint: data, resource: orders.ndjson}\ntransform: SELECT id FROM {{ source }}',
  })
  const lock = join(project.root, 'schemas.lock.json')
  const records = (all: readonly object[]) =>
    writeFileSync(
      join(project.root, 'data/orders.ndjson'),
      all.map(record => `${JSON.stringify(record)}\n`).join(''),
    )
  mkdirSync(join(project.root, 'data'))
  records(many(60, id => (id % 2 === 0 ? { amount: 1 } : {})))
  await project.run()
  const before = readFileSync(lock, 'utf8')
  expect(before).toContain('amount')
  records(many(60, () => ({})))
  expect(outcomes(await project.run())).toEqual(['orders built'])
  expect(readFileSync(lock, 'utf8')).not.toContain('amount')
  // As a promotion leaves it that was killed before it wrote the file.
  writeFileSync(lock, before)
  expect(outcomes(await project.run())).toEqual(['orders unchanged'])
})

test('a column that the contract names is NULL, and the run says so', async () => {
  const it = shop('orders.ndjson', { contract: 'contract: {columns: {amount: double precision}}\n' })
  it.records({ id: 1, amount: 1.5 })
  await it.project.run()
  it.records({ id: 1 })
  expect(outcomes(await it.project.run())).toEqual(['orders built', 'total built'])
  const said = it.project.events.flatMap(event => (event.type === 'warning' ? [event.message] : []))
  expect(said).toEqual([expect.stringContaining('has had no column amount since')])
})

test('a list that is gone from all records fails what reads its table; one of some records may be missing', async () => {
  const it = shop('orders.ndjson')
  it.project.files['total'] =
    "ingest: {type: file, endpoint: data, resource: orders.ndjson}\ntransform: SELECT sum(qty) AS total FROM {{ source('lines') }}"
  it.records({ id: 1, amount: 1, lines: [{ qty: 3 }] }, { id: 2, amount: 1, lines: [{ qty: 4 }] })
  await it.project.run()
  it.records({ id: 1, amount: 1, positions: [{ qty: 3 }] })
  expect(outcomes(await it.project.run())).toEqual(['orders built', 'total failed'])
  expect(await it.total()).toEqual([{ total: 7 }])
  it.records({ id: 1, amount: 1, lines: [{ qty: 5 }] }, { id: 2, amount: 1 })
  await it.project.run()
  it.records({ id: 1, amount: 1 })
  expect(outcomes(await it.project.run())).toEqual(['orders built', 'total built'])
  expect(await it.total()).toEqual([{ total: null }])
})
