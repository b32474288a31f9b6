/** Promotions of any adapter: all or nothing, for readers too. */
import { describe, expect, it } from 'vitest'
import type { WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { change, greensSeen, liveGeneration, makeGreens, promote, viewCount } from '../generations.ts'
import type { Ground } from './ground.ts'

export function describePromotion(ground: Ground): void {
  describe('promotion', () => {
    it('moves views, state and generation together', async () => {
      const session = await ground.write()
      await makeGreens(session)
      await promote(session, change(0))
      expect(await liveGeneration(session)).toBe(1)
      expect(await greensSeen(session)).toEqual(['odd'])
      await promote(session, change(1))
      expect(await greensSeen(session)).toEqual(['even'])
      expect(await runsOf(session)).toEqual(['run1', 'run2'])
      expect(await session.promotion.recover('prod', () => {})).toBe('nothing')
    })

    it('shows exactly the given columns, of a table or of a query, with the description', async () => {
      const session = await ground.write()
      await makeGreens(session)
      await session.createSchema('svc_g_x')
      await session.execute(['CREATE TABLE svc_g_x.t AS SELECT 1 AS a, 2 AS "Two Words", 3 AS "select"'])
      const target = { schema: 'svc_g_x', name: 't' }
      const columns = [
        { name: 'select', type: 'INTEGER' },
        { name: 'Two Words', type: 'INTEGER' },
      ]
      const views = [
        {
          view: { schema: 'odd "schema"', name: 'a.b' },
          target,
          columns,
          description: 'it\'s; a "view" 🦆',
        },
        {
          view: { schema: 'analytics', name: 'q' },
          target,
          query: 'SELECT a, "select" + 1 AS "select", 9 AS "Two Words" FROM svc_g_x.t -- end',
          columns,
          description: undefined,
        },
      ]
      await promote(session, change(0, { views }))
      await session.execute(['ALTER TABLE svc_g_x.t ADD COLUMN later INTEGER'])
      expect(await session.query('SELECT * FROM "odd ""schema"""."a.b"')).toEqual([
        { select: 3, 'Two Words': 2 },
      ])
      expect(await session.query('SELECT * FROM analytics.q')).toEqual([{ select: 4, 'Two Words': 9 }])
    })

    it('drops views that are no longer wanted', async () => {
      const session = await ground.write()
      await makeGreens(session)
      await promote(session, change(0))
      const views = change(1).views.slice(1)
      const drops = [
        { schema: 'analytics', name: 'v0' },
        { schema: 'analytics', name: 'never' },
      ]
      await promote(session, change(1, { views, drops }))
      expect(await session.relations('analytics')).toHaveLength(viewCount - 1)
    })

    it('changes nothing when production has moved', async () => {
      const session = await ground.write()
      await makeGreens(session)
      await promote(session, change(0))
      for (const from of [0, 2]) {
        await expect(promote(session, change(from))).rejects.toMatchObject({
          code: 'promotion-stale',
        })
      }
      expect(await liveGeneration(session)).toBe(1)
      expect(await greensSeen(session)).toEqual(['odd'])
      expect(await runsOf(session)).toEqual(['run1'])
    })

    it('keeps environments apart', async () => {
      const session = await ground.write()
      await makeGreens(session)
      await promote(session, change(0))
      const views = change(1).views.map(({ view, ...rest }) => ({
        ...rest,
        view: { schema: 'analytics_dev', name: view.name },
      }))
      await promote(session, change(0, { environment: 'dev', views, changes: [] }))
      expect(await liveGeneration(session)).toBe(1)
      expect(await greensSeen(session)).toEqual(['odd'])
    })

    it.each([
      ['a view that cannot be made', { schema: 'svc_g_even', name: 'missing' }, 'warehouse-failed'],
      ['a foreign table in the way', { schema: 'svc_g_even', name: 't1' }, 'foreign-object'],
    ])('changes nothing because of %s', async (_, target, code) => {
      const session = await ground.write()
      await makeGreens(session)
      await promote(session, change(0))
      await session.execute(['CREATE TABLE analytics.zz AS SELECT 1 AS mine'])
      const next = change(1)
      const columns = [{ name: 'green', type: 'VARCHAR' }]
      const name = code === 'foreign-object' ? 'zz' : 'v_new'
      const bad = { view: { schema: 'analytics', name }, target, columns, description: undefined }
      await expect(promote(session, { ...next, views: [...next.views, bad] })).rejects.toMatchObject({
        code,
      })
      expect(await greensSeen(session)).toEqual(['odd'])
      expect(await liveGeneration(session)).toBe(1)
      expect(await session.query('SELECT mine FROM analytics.zz')).toEqual([{ mine: 1 }])
      expect(await runsOf(session)).toEqual(['run1'])
    })

    it.each([0, 1])('lets exactly one of two promotions of generation %s at once win', async from => {
      const [a, b] = [await ground.write(), await ground.write()]
      await makeGreens(a)
      for (let generation = 0; generation < from; generation++) await promote(a, change(generation))
      const both = await Promise.allSettled([promote(a, change(from)), promote(b, change(from))])
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const lost = both.find(({ status }) => status === 'rejected')
      expect(lost).toMatchObject({ reason: { code: 'promotion-stale' } })
      expect(await liveGeneration(a)).toBe(from + 1)
      expect(await runsOf(a)).toHaveLength(from + 1)
    })

    it('never shows a reader two generations at once', async () => {
      const writer = await ground.write()
      await makeGreens(writer)
      await promote(writer, change(0))
      const reader = await ground.write()
      let isDone = false
      let reads = 0
      const seen = new Set<string>()
      const reading = async () => {
        while (!isDone) {
          const greens = await greensSeen(reader)
          expect(greens).toHaveLength(1)
          seen.add(String(greens[0]))
          reads += 1
        }
      }
      const promoting = async () => {
        for (let generation = 1; generation <= 40; generation++) await promote(writer, change(generation))
        isDone = true
      }
      await Promise.all([reading(), promoting()])
      expect(seen).toEqual(new Set(['even', 'odd']))
      expect(reads).toBeGreaterThan(20)
    })
  })
}

async function runsOf({ state }: WarehouseSession): Promise<string[]> {
  return (await state.runs()).map(({ run_id }) => run_id).sort()
}
