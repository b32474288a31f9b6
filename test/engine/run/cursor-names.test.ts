/** The cursor of an incremental source, however it is spelled: loads continue, and nothing that was gathered goes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectMaker, type TestProject } from './test-project.ts'

const project = projectMaker()

const fileOf = (more: string) =>
  `ingest: {type: file, endpoint: data, resource: orders.ndjson, ${more}}\ntransform: SELECT * FROM {{ source }}`

const ids = async (p: TestProject) =>
  (await p.query('SELECT id FROM analytics.orders ORDER BY id')).map(({ id }) => Number(id))

describe('a cursor', () => {
  const spelled = (cursor: string, more: string) => fileOf(`incremental: {cursor: ${cursor}}, ${more}`)
  const put = (p: TestProject, ids: readonly number[]) => {
    mkdirSync(join(p.root, 'data'), { recursive: true })
    const lines = ids.map(id => JSON.stringify({ id, 'Updated At': `2026-01-0${id}T00:00:00Z` }))
    writeFileSync(join(p.root, 'data', 'orders.ndjson'), `${lines.join('\n')}\n`)
  }

  test.each([
    ['"Updated At"', 'write: append'],
    ['updated_at', 'write: append'],
    ['UPDATED_AT', 'write: append'],
    ['updatedAt', 'write: append'],
    ['UPDATED AT', 'write: append'],
    ['"Updated At"', 'write: merge, primary_key: ID'],
    ['"Updated At"', 'write: scd2, primary_key: Id'],
  ])(
    'written as %s is the column of the source, and with %s what was gathered stays',
    async (cursor, more) => {
      const p = project({ orders: spelled(cursor, more) })
      put(p, [1, 2, 3])
      await p.run()
      put(p, [3, 4])
      await p.run()
      expect(await ids(p)).toEqual([1, 2, 3, 4])
    },
  )

  test('that the contract renames is found by its name at the source', async () => {
    const contract = 'contract: {columns: {changed: {from: Updated At}}}\n'
    const p = project({ orders: contract + spelled('"Updated At"', 'write: append') })
    put(p, [1, 2, 3])
    await p.run()
    put(p, [3, 4])
    await p.run()
    expect(await ids(p)).toEqual([1, 2, 3, 4])
  })
})
