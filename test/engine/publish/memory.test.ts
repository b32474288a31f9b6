import { openLocalReader } from '@svc/server/catalog'
import { expect, it } from 'vitest'
import { inMemory } from '../../../cli/engine/publish/find-in.ts'

it('a publish whose rows need more memory than it usually takes gets it', async () => {
  const local = await openLocalReader({ memory: '10MB', threads: 1 })
  const sql =
    "SELECT sum(length(t)) AS n FROM (SELECT string_agg(repeat('x', 1000), '') AS t FROM range(50000))"
  try {
    await expect(local.rows(sql)).rejects.toThrow(/^Out of Memory Error/)
    expect(await inMemory(local, () => local.rows(sql))).toEqual([{ n: '50000000' }])
    await expect(inMemory(local, () => local.rows('SELECT 1 +'))).rejects.toThrow(/^Parser Error/)
  } finally {
    local.close()
  }
})
