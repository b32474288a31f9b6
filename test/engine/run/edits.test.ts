/** Edits of incremental sources and of such as keep versions, a few of each kind; `test/long/edits.test.ts` has them all. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allEdits, sampleOfEdits } from '../../support/edit-cases.ts'
import { wrongEdits } from '../../support/edits.ts'
import { projectMaker } from './test-project.ts'

const project = projectMaker()

test('what was gathered is kept, or counted and asked for', async () => {
  expect(await wrongEdits(project({}), sampleOfEdits())).toEqual([])
})

test('an edit that a branch has tried before is no other one in production', async () => {
  const p = project({})
  p.branch = 'feature'
  const tried = ['naming', 'rename', 'exclude', 'mask']
  const edits = allEdits().filter(({ name }) => tried.includes(name))
  expect(await wrongEdits(p, edits, 'prod', 'dev')).toEqual([])
})

test.each([
  { second: [3, 4], visitor: undefined },
  { second: [2], visitor: 'dev' },
  { second: [], visitor: undefined },
])('lists under another name keep their rows ($second, $visitor)', async ({ second, visitor }) => {
  const p = project({})
  p.branch = 'feature'
  mkdirSync(join(p.root, 'data'))
  const write = (ids: readonly number[]) => {
    const lines = (id: number) => [{ skuCode: `a${id}` }, { skuCode: 'b' }]
    const records = ids.map(id => ({
      id,
      at: `2026-01-0${id}`,
      buyer: { firstName: 'x' },
      orderLines: lines(id),
    }))
    writeFileSync(join(p.root, 'data', 'r.ndjson'), records.map(each => JSON.stringify(each)).join('\n'))
  }
  const text = (naming: string, child: string, sku: string) => `ingest:
  {type: file, endpoint: data, resource: r.ndjson, write: merge, primary_key: id, incremental: {cursor: at}, naming: ${naming}}
transform: |
  SELECT s.*, (SELECT count(c."${sku}") FROM {{ source('${child}') }} c WHERE c._svc_parent_id = s._svc_id) AS n
  FROM {{ source }} s`
  p.files['orders'] = text('snake', 'order_lines', 'sku_code')
  write([1, 2, 3])
  await p.run()
  p.files['orders'] = text('source', 'orderLines', 'skuCode')
  write(second)
  if (visitor !== undefined) expect((await p.run({}, visitor)).failure).toBeUndefined()
  expect((await p.run()).failure).toBeUndefined()
  const rows = await p.query('SELECT id, "buyer__firstName" AS name, n FROM analytics.orders ORDER BY id')
  const meant = [...new Set([1, 2, 3, ...second])].map(id => ({ id, name: 'x', n: 2 }))
  expect(rows.map(({ id, name, n }) => ({ id: Number(id), name, n: Number(n) }))).toEqual(meant)
})

test('an answer is given by --full-refresh, and what others read of the asset stays until then', async () => {
  const fileOf = (name: string) =>
    `ingest: {type: file, endpoint: data, resource: ${name}.ndjson, write: append, incremental: {cursor: id}}\ntransform: SELECT id FROM {{ source }}`
  const p = project({ orders: fileOf('one'), ids: "SELECT id FROM {{ ref('orders') }}" })
  mkdirSync(join(p.root, 'data'))
  writeFileSync(join(p.root, 'data', 'one.ndjson'), '{"id":1}\n{"id":2}\n')
  writeFileSync(join(p.root, 'data', 'two.ndjson'), '{"id":7}\n')
  const ids = async () =>
    (await p.query('SELECT id FROM analytics.ids ORDER BY id')).map(({ id }) => Number(id))
  await p.run()
  p.files['orders'] = fileOf('two')
  for (const request of [{}, { kind: 'preview' as const }, { noIngest: true }]) {
    expect((await p.run(request)).failure).toMatchObject({
      code: 'history-lost',
      asset: 'orders',
      exitCode: 1,
    })
    expect(await ids()).toEqual([1, 2])
  }
  expect((await p.run({ refresh: { selector: 'orders' } })).failure).toBeUndefined()
  expect(p.events).toContainEqual(
    expect.objectContaining({ type: 'warning', code: 'lost-history', asset: 'orders', count: 2 }),
  )
  expect(await ids()).toEqual([7])
  expect((await p.run()).status).toBe('deployed')
  expect(p.events.some(({ type }) => type === 'warning')).toBe(false)
})
