/** `DESTINATION__<TARGET>__CREDENTIALS` that holds a whole address, as other tools keep it. */
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { canStartPostgres, startPostgres } from '../../support/postgres.ts'
import { assetWith, customers, type Ground, publishGround } from './ground.ts'

let ground: Ground | undefined
afterEach(() => {
  ground?.dispose()
  ground = undefined
})

const at = (address: string) => ({ DESTINATION__THERE__CREDENTIALS: address })

describe('the variable of the credentials that is an address', () => {
  it('is the endpoint of a target that names none', async () => {
    ground = publishGround('{type: duckdb, resource: people, key: id}')
    await ground.production(customers(2))
    expect(await ground.publish([], at('duckdb:./other.duckdb'))).toMatchObject({
      code: 0,
      value: { creates: true, done: { inserts: 2 } },
    })
    expect((await ground.publish([], at('duckdb:./other.duckdb'))).value.done).toMatchObject({ unchanged: 2 })
    expect((await ground.publish()).value.error).toMatchObject({
      code: 'missing-credentials',
      message: expect.stringContaining('DESTINATION__THERE__CREDENTIALS'),
    })
    expect((await ground.publish([], at('nothing'))).value.error).toMatchObject({ code: 'invalid-project' })
  })

  it.skipIf(!canStartPostgres())('has to be the place that the target names, with its password', async () => {
    const server = await startPostgres()
    try {
      const address = await server.createDatabase()
      const target = (endpoint: string) =>
        `{type: postgres, endpoint: "${endpoint}", resource: people, key: id}`
      ground = publishGround(target(address))
      await ground.production(customers(2))
      expect(await ground.publish([], at(address))).toMatchObject({
        code: 0,
        value: { done: { inserts: 2 } },
      })
      ground.write('models/customers.svc', assetWith('{type: postgres, resource: people, key: id}'))
      expect((await ground.publish([], at(address))).value).toMatchObject({
        known: 2,
        done: { unchanged: 2 },
      })
      const client = new pg.Client({ connectionString: address })
      await client.connect()
      expect((await client.query('SELECT count(*)::int AS n FROM people')).rows).toEqual([{ n: 2 }])
      await client.end()
      ground.write('models/customers.svc', assetWith(target(address.replace(/\/[^/]*$/, '/elsewhere'))))
      const { value } = await ground.publish([], at(address))
      expect(value.error).toMatchObject({
        code: 'invalid-project',
        message: expect.stringContaining('are two places'),
      })
    } finally {
      await server.stop()
    }
  })
})
