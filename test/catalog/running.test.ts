import { describe, expect, test } from 'vitest'
import { openBinder } from '../../server/catalog/binder.ts'
import { openLocalReader } from '../../server/catalog/duckdb/local-reader.ts'
import { engine } from '../support/engine.ts'

describe('closing a database under running statements', () => {
  test('waits for them, and refuses later ones', async () => {
    for (let round = 0; round < 10; round++) {
      const binder = await openBinder(engine)
      const running = [binder.rows('SELECT sum(range) FROM range(300000)'), binder.bind('SELECT 1 AS a')]
      binder.close()
      binder.close()
      const [rows, bound] = await Promise.all(running)
      expect(rows).toEqual([[44999850000n]])
      expect(bound).toEqual({ columns: [{ name: 'a', type: 'INTEGER' }] })
      await expect(binder.rows('SELECT 1')).rejects.toThrow('closed')
    }
  })

  test('also where a file is looked at', async () => {
    for (let round = 0; round < 10; round++) {
      const duckdb = await openLocalReader({ threads: 1 })
      const running = duckdb.rows('SELECT sum(range)::INTEGER AS n FROM range(30000)')
      duckdb.close()
      expect(await running).toEqual([{ n: 449985000 }])
    }
  })
})
