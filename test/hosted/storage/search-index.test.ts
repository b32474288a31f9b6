import { expect, it } from 'vitest'
import { searchedTables } from '../../../hosted-api/storage/search-index.ts'
import { describeEngines, useHosted } from '../support/engines.ts'
import { glossary, make, newName } from '../support/records.ts'

describeEngines('the search index on $name', engine => {
  const hosted = useHosted(engine)

  it.skipIf(engine.isPostgres)(
    'has exactly what its tables have, whatever comes at the same moment',
    async () => {
      const { admin } = hosted
      const path = (id: number) => `${glossary}/terms/${id}`
      const terms = await Promise.all(
        Array.from({ length: 60 }, () => make(admin, 'terms', { project: 1, name: newName('Index') })),
      )
      // The last one is among those that go, so that the next number is behind a gap.
      await Promise.all([
        ...terms.map(({ id }, index) => {
          if (index % 4 === 0) return admin.patch(path(id), { name: newName('Changed') })
          return index % 4 === 3 ? admin.delete(`${path(id)}?purge=true`) : admin.delete(path(id))
        }),
        ...Array.from({ length: 20 }, () => make(admin, 'terms', { project: 1, name: newName('Beside') })),
        admin.post(`${glossary}/metrics`, {
          project: 1,
          name: newName('Metric'),
          sql_definition: 'select 1',
        }),
        // One of each two is refused after it was written, which undoes it alone.
        ...Array.from({ length: 6 }, (_, index) =>
          hosted.service.storage
            .write(async tx => {
              await tx.all(
                `insert into term (project_id, identifier, name, search_key, search_title, search_body, origin, created_at,
                created_by, updated_at, updated_by) values (1, ?, 'Undone', '', 'undone', '', 'api', '', '', '', '')`,
                [`undone_${index}`],
              )
              await tx.all(`update term set search_title = 'redone' where identifier = ?`, [
                `undone_${index}`,
              ])
              if (index % 2 === 0) throw new Error('undone')
            })
            .catch(() => {}),
        ),
      ])
      const pack = (size: number) => ({
        project: { id: 'index' },
        assets: Array.from({ length: size }, (_, index) => ({
          id: `a_${index}`,
          columns: [{ name: `c_${index}` }],
        })),
      })
      for (const size of [300, 20])
        expect((await admin.post('/api/svc/metadata/projects/1/upload?source=cli', pack(size))).status).toBe(
          200,
        )
      const { storage } = hosted.service
      for (const table of searchedTables) {
        // Fails when the index and the table differ.
        await storage.write(tx =>
          tx.all(`insert into ${table}_search (${table}_search, rank) values ('integrity-check', 1)`),
        )
        const rows = await storage.reads.all(
          `select (select count(*) from ${table}_search_docsize) as indexed,
          (select count(*) from ${table} where search_title is not null) as titled`,
        )
        expect(rows[0]?.['indexed'], table).toBe(rows[0]?.['titled'])
      }
      const found = await admin.get('/api/svc/search?q=redone')
      expect(found.body).toHaveLength(3)
    },
  )
})
