/** Promotions on PostgreSQL beside the transactions of a BI program: nobody sees two runs, and nobody waits for long. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { postgresUnderTest } from '../../engine/warehouse/engines.ts'
import { promoteBesideBoards } from '../../engine/warehouse/films/boards.ts'
import { next } from '../../engine/warehouse/films/readers.ts'
import { liveGeneration, makeGreens, promote } from '../../engine/warehouse/generations.ts'
import { figure } from '../../support/figure.ts'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'

const promotions = 50
const views = 20
const longestMs = 4_000

describe.runIf(canStartPostgres())('promotions', () => {
  it('beside four sessions with transactions of 0.1 to 4 s', { timeout: 1_800_000 }, async () => {
    const server = await startPostgres()
    const root = mkdtempSync(join(tmpdir(), 'svc-promotions-'))
    try {
      const address = await server.createDatabase()
      const session = await (await postgresUnderTest().open(address, root, 'shop')).open('write')
      await makeGreens(session)
      await promote(session, next(0, views))
      const beganMs = performance.now()
      const seen = await promoteBesideBoards({ session, address, views, promotions, longestMs })
      const seconds = (ms: number) => (ms / 1000).toFixed(1)
      const errors = [...seen.errors].map(([what, count]) => `${count} x ${what}`)
      figure(
        'promotions',
        `${promotions} promotions of ${views} views in ${seconds(performance.now() - beganMs)} s (slowest ${seconds(seen.slowestMs)} s), longest wait of a reader ${Math.round(seen.longestWaitMs)} ms, ${seen.reads} reads, ${seen.mixed + errors.length} wrong`,
      )
      expect({ mixed: seen.mixed, errors }).toEqual({ mixed: 0, errors: [] })
      expect(await liveGeneration(session)).toBe(promotions + 1)
      expect(await session.query('SELECT view FROM svc.svc_pointed_views')).toEqual([])
      await session.close()
    } finally {
      await server.stop()
      rmSync(root, { recursive: true, force: true })
    }
  })
})
