import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workFolder } from '../../../cli/engine/run/journal.ts'
import { typeUnderTest } from '../../support/warehouse-under-test.ts'
import { outcomes, projectMaker } from './test-project.ts'

const project = projectMaker()

const orders = `ingest:
  type: rows
  rows:
    - {id: 1, lines: [{sku: a, n: 2}, {sku: b, n: 1}]}
    - {id: 2, lines: [{sku: a, n: 5}]}
transform: |
  SELECT o.id, CAST(sum(l.n) AS INTEGER) AS pieces
  FROM {{ source }} AS o JOIN {{ source('lines') }} AS l ON l._svc_parent_id = o._svc_id
  GROUP BY o.id ORDER BY o.id`

test('lists of objects are child tables, kept as long as what was built from them', async () => {
  const p = project({ orders, other: 'SELECT 0 AS n' })
  const { runId } = await p.run()
  expect(await p.query('SELECT * FROM analytics.orders')).toEqual([
    { id: 1, pieces: 3 },
    { id: 2, pieces: 5 },
  ])
  for (let n = 1; n < 9; n++) {
    p.files['other'] = `SELECT ${n} AS n`
    expect(outcomes(await p.run())).toEqual(['orders unchanged', 'other built'])
  }
  const kept = await p.withSession(session => session.relations(`svc_g_${runId}`))
  expect(kept.map(({ name }) => name).sort()).toEqual(['orders', 'orders__raw', 'orders__raw__lines'])

  p.files['orders'] = orders.replace('sum(l.n)', 'count(*)')
  expect(outcomes(await p.run({ noIngest: true }))).toEqual(['orders built', 'other unchanged'])
  expect(await p.query('SELECT pieces FROM analytics.orders')).toEqual([{ pieces: 2 }, { pieces: 1 }])
})

test('a run leaves no spool behind and writes down what the sources look like', async () => {
  const p = project({ orders })
  await p.run()
  const workspace = await p.workspace()
  const folder = await workFolder(workspace)
  await workspace.close()
  mkdirSync(join(folder, 'spool', 'dead'), { recursive: true })
  await p.run()
  // A folder that is left empty goes.
  expect(existsSync(folder)).toBe(false)
  const lock = readFileSync(join(p.root, 'schemas.lock.json'), 'utf8')
  expect(JSON.parse(lock)).toMatchObject({
    sources: {
      orders: { '': { id: typeUnderTest('BIGINT') }, lines: { sku: { type: typeUnderTest('VARCHAR') } } },
    },
  })
  await p.run()
  expect(readFileSync(join(p.root, 'schemas.lock.json'), 'utf8')).toBe(lock)
})

test('a source that cannot be read takes its readers with it; the others go on', async () => {
  const file =
    'ingest: {type: file, endpoint: ./data, resource: people.csv}\ntransform: SELECT id FROM {{ source }}'
  const p = project({ people: file, reader: "SELECT id FROM {{ ref('people') }}", other: 'SELECT 1 AS n' })
  mkdirSync(join(p.root, 'data'))
  const missing = await p.run()
  expect(outcomes(missing)).toEqual(['other built', 'people failed', 'reader skipped'])
  expect(missing.failure).toMatchObject({ asset: 'people', exitCode: 3 })
  expect(missing.failure?.place).toMatch(/^models\/people\.svc:2:/)
  expect(p.events.find(({ type }) => type === 'asset-skipped')).toMatchObject({ because: 'people' })

  writeFileSync(join(p.root, 'data', 'people.csv'), 'id\n1\n2\n')
  const repaired = await p.run()
  expect(outcomes(repaired)).toEqual(['other taken_over', 'people built', 'reader built'])
  writeFileSync(join(p.root, 'data', 'people.csv'), 'id\n1\n2\n3\n')
  expect(outcomes(await p.run())).toEqual(['other unchanged', 'people built', 'reader built'])
  expect(await p.query('SELECT count(*) AS n FROM analytics.reader')).toEqual([{ n: 3 }])
})

test('a broken contract fails the asset and leaves production alone', async () => {
  const rows = (second: string) =>
    `ingest: {type: rows, rows: [{id: 1}, {id: ${second}}]}
contract: {enforce_types: true, columns: {id: bigint}}
transform: SELECT id FROM {{ source }}`
  const p = project({ a: rows('2') })
  await p.run()
  p.files['a'] = rows('two')
  const report = await p.run()
  expect(report.failure).toMatchObject({ code: 'contract-violated', asset: 'a', exitCode: 1 })
  expect(await p.query('SELECT count(*) AS n FROM analytics.a')).toEqual([{ n: 2 }])
})
