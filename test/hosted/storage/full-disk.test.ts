import { describe, expect, it } from 'vitest'
import { hasSqlite3, useHosted } from '../support/engines.ts'
import { glossary, makeTerm, newName } from '../support/records.ts'

describe.skipIf(!hasSqlite3)('a disk that is full', () => {
  const hosted = useHosted({ name: 'sqlite3', driver: 'sqlite3', isPostgres: false })
  const limitPages = (pages: number) =>
    hosted.service.storage.write(tx => tx.all(`pragma max_page_count = ${pages}`))

  it('is told to who writes; who reads is not concerned; it ends when there is room again', async () => {
    const term = await makeTerm(hosted)
    const [used] = await hosted.service.storage.reads.all('pragma page_count')
    await limitPages(Number(used?.['page_count']) + 2)

    const large = { project: 1, description: 'x'.repeat(60_000) }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        hosted.admin.post(`${glossary}/terms`, { ...large, name: newName('Large') }),
      ),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['507 storage_full']),
    )
    expect((await hosted.admin.get(`${glossary}/terms/${term.id}`)).status).toBe(200)
    expect((await hosted.admin.get(`${glossary}/terms?q=large`)).body).toEqual([])

    await limitPages(1_000_000)
    expect((await hosted.admin.post(`${glossary}/terms`, { ...large, name: newName('Large') })).status).toBe(
      201,
    )
    const [check] = await hosted.service.storage.reads.all('pragma integrity_check')
    expect(check).toEqual({ integrity_check: 'ok' })
  })
})
