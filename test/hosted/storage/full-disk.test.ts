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

  it('keeps exactly what it has acknowledged, of many at once', async () => {
    const [used] = await hosted.service.storage.reads.all('pragma page_count')
    await limitPages(Number(used?.['page_count']) + 4)
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) => {
        const description = 'x'.repeat(index % 4 === 0 ? 60_000 : 10)
        return hosted.admin.post(`${glossary}/terms`, { project: 1, name: newName('Much'), description })
      }),
    )
    await limitPages(1_000_000)
    const acknowledged = answers.filter(({ status }) => status === 201).map(({ body }) => body.term.id)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 507]))
    const kept = await hosted.service.storage.reads.all(`select id from term where name like 'Much%'`)
    expect(kept.map(({ id }) => id).sort()).toEqual(acknowledged.sort())
    const audited = await hosted.service.storage.reads.all(
      `select target from audit join term on target = 'term:' || term.id where term.name like 'Much%'`,
    )
    expect(audited).toHaveLength(kept.length)
  })

  it('leaves nothing behind of a transaction that SQLite has ended by itself', async () => {
    const { storage } = hosted.service
    const insert = (key: string, isIndependent: boolean) =>
      storage.write(tx => tx.all(`insert into setting (key, value) values (?, 'x')`, [key]), {
        isIndependent,
      })
    const outcomes = await Promise.allSettled([
      insert('ended-a', true),
      // What SQLite does on some errors of the disk.
      storage.write(tx => tx.all('rollback')),
      insert('ended-b', false),
    ])
    expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { kind: 'full' } })
    expect(outcomes[2]).toMatchObject({ status: 'rejected', reason: { kind: 'full' } })
    expect(await storage.reads.all(`select key from setting where key like 'ended-%'`)).toEqual([])
    await insert('ended-c', true)
    expect(await storage.reads.all(`select key from setting where key like 'ended-%'`)).toHaveLength(1)
  })
})
