/** Edits of incremental sources and of such as keep versions, a few of each kind; `test/long/edits.test.ts` has them all. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleOfEdits } from '../../support/edit-cases.ts'
import { wrongEdits } from '../../support/edits.ts'
import { projectMaker } from './test-project.ts'

const project = projectMaker()

test('what was gathered is kept, or counted and asked for', async () => {
  expect(await wrongEdits(project({}), sampleOfEdits())).toEqual([])
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
