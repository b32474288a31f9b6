/** A publish that slept while another host took its lease sends nothing more. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { customers, type Ground, publishGround } from './ground.ts'
import { type Service, startService } from './service.ts'

let service: Service
let ground: Ground

beforeEach(async () => {
  service = await startService()
  const address = `endpoint: "${service.address}/api", resource: people, key: id`
  ground = publishGround(`{type: http, ${address}, batch: 10, limits: {retries: 3, concurrency: 1}}`)
})
afterEach(async () => {
  ground.dispose()
  await service.close()
})

it('sends nothing more after another publish took its lease, and says so; what was not sent is in no doubt', async () => {
  await ground.production(customers(40))
  const holder = { runId: 'r2', command: 'publish', user: 'bob', host: 'another-host', pid: 1, since: '' }
  const leases = () => readdirSync(ground.root).filter(name => name.endsWith('.lease'))
  service.behave((_request, number) => {
    if (number === 2) {
      const [path = ''] = leases()
      writeFileSync(join(ground.root, path), JSON.stringify({ holder, token: 'theirs' }))
    }
    return undefined
  })
  const { code, value } = await ground.publish()
  expect([code, value.error?.code]).toEqual([3, 'lease-lost'])
  expect(service.rows.size).toBe(20)
  for (const path of leases()) rmSync(join(ground.root, path))
  const again = await ground.publish()
  expect(again).toMatchObject({ code: 0, value: { done: { inserts: 20 }, resumed: null, warnings: [] } })
  expect(service.rows.size).toBe(40)
  expect(service.requests.map(({ body }) => (body as unknown[]).length)).toEqual([10, 10, 10, 10])
})
