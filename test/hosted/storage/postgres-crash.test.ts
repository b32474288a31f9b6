import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStorage, type Storage } from '../../../hosted-api/storage/index.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { engines } from '../support/engines.ts'

const hasPostgres = engines.some(engine => engine.isPostgres)

describe.skipIf(!hasPostgres)('a PostgreSQL server that crashes', () => {
  let server: PostgresServer
  let storage: Storage

  beforeAll(async () => {
    server = await startPostgres()
    const address = await server.createDatabase()
    storage = await openStorage({ address, driver: 'sqlite3', clock: () => new Date() })
  })
  afterAll(async () => {
    await storage.close()
    await server.stop()
  })

  const write = (key: string) =>
    storage.write(tx => tx.all('insert into setting (key, value) values (?, ?)', [key, 'x']))

  it('is told as what it is, and used again when it is back', async () => {
    await write('before')
    // Some of these are under way when it happens.
    const during = Array.from({ length: 20 }, (_, index) =>
      write(`during-${index}`).then(() => `during-${index}`),
    )
    const crashed = server.crash()
    const outcomes = await Promise.allSettled(during)
    await crashed
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ name: 'StorageError', kind: 'unavailable' })
    }
    await expect(write('while it is down')).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(storage.reads.first('select 1 as one')).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(storage.ping()).rejects.toMatchObject({ kind: 'unavailable' })

    await server.start()
    await write('after')
    const rows = await storage.reads.all('select key from setting')
    const kept = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(rows.map(({ key }) => key)).toEqual(expect.arrayContaining(['before', 'after', ...kept]))
  })
})
