/** What was published, in and out, of any engine. */

import { beforeEach, describe, expect, it } from 'vitest'
import {
  finishPublish,
  forgetEnvironment,
  insertPublish,
  publishedWhere,
  replacePublishRejects,
  type StateChange,
} from '../../../../cli/engine/state/changes.ts'
import type { WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { openLocalReader } from '../../../../server/catalog/index.ts'
import { at, odd } from '../../state/records.ts'
import type { Ground } from './ground.ts'

export function describePublishes(ground: Ground): void {
  describe('records of what was published', () => {
    let session: WarehouseSession

    beforeEach(async () => {
      session = await ground.write()
    })

    async function stored(...changes: (readonly StateChange[])[]): Promise<void> {
      await session.state.commit(changes.flat())
    }

    const attempt = {
      run_id: 'r1',
      place: 'p',
      mode: 'upsert',
      status: 'running',
      started_at: at(1),
      finished_at: null,
      build_key: null,
      counts: null,
      error: null,
      trigger: 'cli',
      git_commit: null,
      warnings: null,
    } as const

    it('tell what was published, by environment, asset and target', async () => {
      await session.state.initialise()
      const to = { environment: 'prod', asset: 'a', target: 'crm' }
      const publish = { ...attempt, ...to }
      const counts = { inserts: 2, updates: 0, deletes: 0, unchanged: 1, invalid: 0, refused: 1 }
      const finished = {
        ...publish,
        status: 'published',
        finished_at: at(2),
        build_key: 'k',
        counts,
        warnings: [{ code: 'failed-test', asset: 'a', message: odd, count: 2 }],
      } as const
      await stored(insertPublish(publish), insertPublish({ ...publish, run_id: 'r2', environment: 'dev' }))
      await stored(finishPublish(finished))
      expect(await session.state.publishes({ environment: 'prod' }, 5)).toEqual([finished])
      expect(await session.state.publishes({ environment: 'prod', target: 'other' }, 5)).toEqual([])
      const later = { ...publish, run_id: 'r3', started_at: at(3) }
      const other = { ...publish, run_id: 'r0', started_at: at(0), target: 'other' }
      await stored(insertPublish(later), insertPublish(other))
      expect(await session.state.publishes({ environment: 'prod', isLast: true }, 5)).toEqual([later, other])
      const reject = {
        ...{ asset: 'a', target: 'crm', run_id: 'r1', operation: 'insert' as const },
        ...{
          row_key: '{"id":1}',
          reason: odd,
          raw: '{"id":1,"big":12345678901234567890}',
          rejected_at: at(1),
        },
      } as const
      await stored(replacePublishRejects(to, [reject]))
      await stored(replacePublishRejects(to, [reject]))
      expect(await session.state.publishRejects({ environment: 'prod', asset: 'a' }, 5)).toEqual({
        rejects: [reject],
        total: 1,
      })
      await stored(replacePublishRejects(to, []))
      expect(await session.state.publishRejects({ environment: 'prod' }, 5)).toMatchObject({ total: 0 })
    })

    it('take rows of files, and give rows back as a file', async () => {
      await session.state.initialise()
      const to = { environment: 'prod', asset: 'a', target: 'crm' }
      const columns = ['key_hash', 'row_hash']
      const hash = (nth: number) => `0cc175b9-c0f1-b6a8-31c3-99e26977266${nth}`
      const row = (key: number, value: number) =>
        `SELECT CAST('${hash(key)}' AS UUID) AS key_hash, CAST('${hash(value)}' AS UUID) AS row_hash`
      const sql = `${row(1, 3)} UNION ALL ${row(2, 4)}`
      await stored(
        insertPublish({ ...attempt, ...to }),
        insertPublish({ ...attempt, ...to, target: 'shop', run_id: 'r2' }),
        insertPublish({ ...attempt, ...to, place: 'elsewhere', run_id: 'r3' }),
      )
      const rows = [{ table: 'svc_published', facts: { run_id: 'r1' }, columns, sql }] as const
      await session.append([], { removals: [], rows })
      const path = ground.path('published.parquet')
      const published = async (where = publishedWhere(to, ['p', 'p #1'])) => {
        await session.export({ table: 'svc_published', columns, where }, path)
        return (await rowsOfFile(path)).map(each => Object.values(each))
      }
      expect(await published()).toEqual([
        [hash(1), hash(3)],
        [hash(2), hash(4)],
      ])
      const gone = { table: 'svc_published', where: publishedWhere(to), column: 'key_hash' } as const
      const other = { ...to, target: 'shop' }
      await session.append([], {
        removals: [{ ...gone, where: publishedWhere(other), sql: `SELECT CAST('${hash(1)}' AS UUID)` }],
        rows: [],
      })
      expect(await published()).toHaveLength(2)
      await session.append([], {
        removals: [{ ...gone, sql: `SELECT key_hash FROM (${sql})` }],
        rows: [
          { ...rows[0], sql: row(2, 5) },
          { ...rows[0], facts: { run_id: 'r3' }, sql: row(1, 1) },
        ],
      })
      expect(await published()).toEqual([[hash(2), hash(5)]])
      await stored(forgetEnvironment('prod'))
      expect(await published([])).toEqual([])
      await session.export({ sql: "SELECT 1 AS n, 'x' AS t" }, path)
      expect(await rowsOfFile(path)).toEqual([{ n: 1, t: 'x' }])
    })
  })
}

async function rowsOfFile(path: string) {
  const local = await openLocalReader({})
  try {
    return await local.rows(`SELECT * FROM read_parquet('${path}') ORDER BY ALL`)
  } finally {
    local.close()
  }
}
