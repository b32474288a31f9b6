/** Uploads of several servers on one PostgreSQL database: one at a time, and none waits for a server that is gone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage, type Storage } from '../../../hosted-api/storage/index.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { type ServiceProcess, startProcess } from '../support/child.ts'
import { createClient } from '../support/client.ts'
import { engines } from '../support/engines.ts'

const token = 'claims-token-0123456789-0123456789-01234'
const upload = '/api/svc/metadata/projects/1/upload'

const pack = (assets: number) => ({
  project: { id: 'shop' },
  assets: Array.from({ length: assets }, (_, index) => ({
    id: `asset_${index}`,
    schema: { columns: Array.from({ length: 20 }, (_, column) => ({ name: `column_${column}` })) },
  })),
})

describe.skipIf(!engines.some(({ isPostgres }) => isPostgres))('an upload of another server', () => {
  let postgres: PostgresServer
  let address = ''
  let storage: Storage
  const running: ServiceProcess[] = []

  const start = async () => {
    const words = ['--db', address, '--log-level', 'silent', '--question-processes', '0']
    const made = await startProcess(words, { SVC_HOSTED_BOOTSTRAP_TOKEN: token })
    running.push(made)
    return { ...made, client: createClient(made.url, token) }
  }
  const claimedBy = async () => {
    const row = await storage.reads.first('select claim_by from metadata_head where project_id = 1')
    return row?.['claim_by'] ?? undefined
  }

  beforeAll(async () => {
    postgres = await startPostgres()
    address = await postgres.createDatabase()
    storage = await openStorage({ address, driver: 'sqlite3', clock: () => new Date() })
  })
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await storage.close()
    await postgres.stop()
  })

  it('that was killed in the middle is taken over at once', async () => {
    const [first, second] = [await start(), await start()]
    const cut = first.client.post(upload, pack(8000)).catch(() => undefined)
    await expect.poll(claimedBy, { timeout: 60_000, interval: 1 }).toMatch(/^server:/)
    first.child.kill('SIGKILL')
    expect(await cut).toBe(undefined)
    await first.ended
    expect(await claimedBy()).toMatch(/^server:/)
    const answer = await second.client.post(upload, pack(3))
    expect([answer.status, answer.body.assets_synced]).toEqual([200, 3])
    expect(await claimedBy()).toBe(undefined)
  })

  it('that runs still, or of an earlier version, is waited for', async () => {
    const { client } = await start()
    for (const holder of [storage.server, 'c0ffee00-0000-4000-8000-000000000000']) {
      await storage.write(tx =>
        tx.all(`update metadata_head set claim_id = 9999, claim_by = ?, claim_at = ? where project_id = 1`, [
          holder,
          new Date().toISOString(),
        ]),
      )
      const { status, body, headers } = await client.post(upload, pack(4))
      expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'request_in_progress', '5'])
    }
    await storage.write(tx =>
      tx.all(`update metadata_head set claim_at = ? where project_id = 1`, [
        new Date(Date.now() - 61_000).toISOString(),
      ]),
    )
    expect((await client.post(upload, pack(4))).status).toBe(200)
  })
})
