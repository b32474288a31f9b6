import { expect, it } from 'vitest'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, makeAsset, makeTerm } from '../support/records.ts'

describeEngines('a link and its term on $name', engine => {
  const hosted = useHosted(engine)
  const loose = () =>
    hosted.service.storage.reads.all(
      `select link.id from link join term on term.id = link.term
        where link.deleted_at is null and term.deleted_at is not null`,
    )

  it('are linked and deleted at once without a live link to a deleted term', async () => {
    const asset = await makeAsset(hosted, 'raced')
    const terms = await Promise.all(Array.from({ length: 20 }, () => makeTerm(hosted)))
    const statuses = await Promise.all(
      terms.map(async term => {
        const [linked, deleted] = await Promise.all([
          hosted.admin.post(`${glossary}/links`, { term: term.id, asset }),
          hosted.admin.delete(`${glossary}/terms/${term.id}`),
        ])
        return [linked.status, deleted.status]
      }),
    )
    expect(await loose()).toEqual([])
    // Whoever came first, one of the two was refused, and for its own reason.
    for (const [linked = 0, deleted = 0] of statuses) {
      expect([201, 404, 422]).toContain(linked)
      expect(linked === 201 ? 409 : 200).toBe(deleted)
    }
    expect(hosted.errors).toEqual([])
  })

  it('are held together by the database itself', async () => {
    const { storage } = hosted.service
    const term = await makeTerm(hosted)
    const asset = await makeAsset(hosted, 'held')
    const { body } = await hosted.admin.post(`${glossary}/links`, { term: term.id, asset })
    const change = (text: string, id: number) => storage.write(tx => tx.all(text, [id]))
    const remove = `set deleted_at = '2026-11-01' where id = ?`
    await expect(change(`update term ${remove}`, term.id)).rejects.toMatchObject({ kind: 'reference' })
    await change(`update link ${remove}`, body.link.id)
    await change(`update term ${remove}`, term.id)
    await expect(
      change('update link set deleted_at = null where id = ?', body.link.id),
    ).rejects.toMatchObject({
      kind: 'reference',
    })
  })
})
