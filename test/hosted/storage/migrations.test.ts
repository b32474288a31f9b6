/** A database of every earlier version becomes one of today, and serves what it holds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStorage, readTables, restoreDatabase } from '../../../hosted-api/storage/index.ts'
import { migrations } from '../../../hosted-api/storage/migrations/index.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { describeEngines, useHosted } from '../support/engines.ts'

const names = migrations.map(({ name }) => name)
const record = {
  created_at: '2026-01-02',
  created_by: 'ann',
  updated_at: '2026-01-02',
  updated_by: 'ann',
}
const entry = { ...record, project_id: 1, description: '', search_key: '', origin: 'api' }

/** Rows as the first version with a glossary wrote them; the second term is deleted, and one link is left to it. */
const rows: readonly (readonly [string, Readonly<Record<string, string | number | null>>])[] = [
  ['term', { ...entry, id: 1, identifier: 'revenue', name: 'Old revenue', deleted_at: null }],
  ['term', { ...entry, id: 2, identifier: 'gone', name: 'Old gone', deleted_at: '2026-01-03' }],
  ['policy', { ...entry, id: 1, identifier: 'no_mail', name: 'No mail', rule: 'never' }],
  [
    'asset',
    {
      id: 1,
      project_id: 1,
      identifier: 'asset.a',
      name: 'a',
      created_at: '2026-01-02',
      updated_at: '2026-01-02',
    },
  ],
  [
    'link',
    { ...record, id: 1, project_id: 1, term: 1, asset: 1, column: 'x', search_key: '', origin: 'api' },
  ],
  [
    'link',
    { ...record, id: 2, project_id: 1, term: 2, asset: 1, column: 'y', search_key: '', origin: 'api' },
  ],
]

/** @param heldTogether whether links and their terms are, so that none of a deleted term is left */
async function* oldRows(heldTogether: boolean) {
  for (const [table, row] of rows) {
    if (heldTogether && row['term'] === 2) continue
    const first = rows.find(([name]) => name === table)?.[1]
    if (row === first) yield { table, columns: Object.keys(row), sequence: 9 }
    yield [Object.values(row)]
  }
}

describeEngines('a database on $name', engine => {
  const hosted = useHosted(engine)
  let folder = ''
  let server: PostgresServer | undefined
  let count = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-migrations-'))
    server = engine.isPostgres ? await startPostgres() : undefined
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function shapeOf(address: string) {
    const storage = await openStorage({
      address,
      driver: engine.driver,
      clock: () => new Date(),
      shared: engine.isPostgres,
    })
    try {
      const tables = await readTables(storage.reads)
      return tables
        .map(({ name, columns, key }) => ({ name, columns, key }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    } finally {
      await storage.close()
    }
  }

  // The first version had no glossary; the last one is today's.
  it.each(names.slice(1, -1).map((name, index) => [name, names.slice(0, index + 2)] as const))(
    'as %s left it',
    async (_name, applied) => {
      const address = (await server?.createDatabase()) ?? `sqlite://${join(folder, `${++count}.db`)}`
      const target = { address, driver: engine.driver, clock: () => new Date(), force: false }
      await restoreDatabase(target, applied, oldRows(applied.includes('0006_live_links')))
      await hosted.beside(engine, address, async admin => {
        const found = await admin.get('/api/svc/search?q=old')
        expect(found.text).toContain('Old revenue')
        expect(found.text).not.toContain('Old gone')
        expect((await admin.get('/api/svc/glossary/policies/1')).text).toContain('"derived":"allow"')
        const links = await admin.get('/api/svc/glossary/links')
        expect(links.text).toContain('"column":"x"')
        expect(links.text).not.toContain('"column":"y"')
        const next = await admin.post('/api/svc/glossary/terms', { project: 1, name: 'New' })
        expect(next.status, next.text).toBe(201)
      })
      const fresh = (await server?.createDatabase()) ?? `sqlite://${join(folder, `${++count}.db`)}`
      expect(await shapeOf(address)).toEqual(await shapeOf(fresh))
    },
  )
})
