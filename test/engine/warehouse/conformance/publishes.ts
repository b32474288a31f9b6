/** What was published, in and out, of any engine. */

import { beforeEach, describe, expect, it } from 'vitest'
import {
  finishPublish,
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

    it('tell what was published, by environment, asset and target', async () => {
      await session.state.initialise()
      const to = { environment: 'prod', asset: 'a', target: 'crm' }
      const publish = {
        ...to,
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
      } as const
      const counts = { inserts: 2, updates: 0, deletes: 0, unchanged: 1, invalid: 0, refused: 1 }
      const finished = {
        ...publish,
        status: 'published',
        finished_at: at(2),
        build_key: 'k',
        counts,
      } as const
      await stored(insertPublish(publish), insertPublish({ ...publish, run_id: 'r2', environment: 'dev' }))
      await stored(finishPublish(finished))
      expect(await session.state.publishes({ environment: 'prod' }, 5)).toEqual([finished])
      expect(await session.state.publishes({ environment: 'prod', target: 'other' }, 5)).toEqual([])
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
      const sql = "SELECT * FROM (VALUES ('k1', 'h1'), ('k2', 'h2')) AS t (key_hash, row_hash)"
      const rows = [{ table: 'svc_published', facts: { ...to, place: 'p' }, columns, sql }] as const
      await session.append([], { removals: [], rows })
      const path = ground.path('published.parquet')
      const published = async () => {
        await session.export({ table: 'svc_published', columns, where: publishedWhere(to) }, path)
        return rowsOfFile(path)
      }
      expect(await published()).toEqual([
        { key_hash: 'k1', row_hash: 'h1' },
        { key_hash: 'k2', row_hash: 'h2' },
      ])
      const gone = { table: 'svc_published', where: publishedWhere(to), column: 'key_hash' } as const
      const other = { ...to, target: 'shop' }
      await session.append([], {
        removals: [{ ...gone, where: publishedWhere(other), sql: "SELECT 'k1'" }],
        rows: [],
      })
      expect(await published()).toHaveLength(2)
      await session.append([], {
        removals: [{ ...gone, sql: "SELECT unnest(['k1', 'k2'])" }],
        rows: [{ ...rows[0], sql: "SELECT 'k2' AS key_hash, 'h3' AS row_hash" }],
      })
      expect(await published()).toEqual([{ key_hash: 'k2', row_hash: 'h3' }])
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
