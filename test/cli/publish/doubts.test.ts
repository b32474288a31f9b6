/**
 * What an earlier publish is in doubt of: planned anew by the settings, the policies and the rows of today before anything
 * leaves, told by the dry run, and never in clear on the disk.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assetWith, type Customer, customer, customers, type Ground, publishGround } from './ground.ts'
import { type Service, startService, take } from './service.ts'

let service: Service
let ground: Ground

const base = ', batch: 10, max_change: 100%, limits: {retries: 0, concurrency: 1}'
const mirror = ', mode: mirror, remove: {resource: people/remove}'

beforeEach(async () => {
  service = await startService()
  ground = publishGround(targetWith(''))
})
afterEach(async () => {
  ground.dispose()
  await service.close()
})

function targetWith(more: string, resource = 'people'): string {
  return `{type: http, endpoint: "${service.address}/api", resource: ${resource}, key: id${base}${more}}`
}

function change(more: string, resource?: string): void {
  ground.write('models/customers.svc', assetWith(targetWith(more, resource)))
}

/** Publishes while the service takes every batch, or none, and never says so. */
async function publishInDoubt(takes: boolean): Promise<void> {
  service.behave(request => {
    if (takes) take(request, service.rows)
    return { status: 500, body: 'it fell' }
  })
  expect(await ground.publish()).toMatchObject({ code: 3, value: { error: { code: 'http-status' } } })
  service.behave(() => undefined)
}

function there(): unknown[] {
  return [...service.rows.values()].toSorted((a, b) => Number(a['id']) - Number(b['id']))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

describe('deletes in doubt', () => {
  for (const more of ['', ', mode: upsert', `${mirror}, on_delete: ignore`]) {
    it(`are not sent where ${more === '' ? 'there is no mode any more' : `the target says${more}`}`, async () => {
      change(mirror)
      await ground.production(customers(10))
      await ground.publish()
      await ground.production(customers(4))
      await publishInDoubt(false)
      const before = service.requests.length
      change(more.replace('mode: mirror', 'mode: upsert'))
      const look = await ground.publish(['--dry-run'])
      expect(look.value).toMatchObject({ planned: { deletes: 0 }, resumed: { in_doubt: 6 } })
      expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { deletes: 0 } } })
      expect(service.requests.slice(before)).toEqual([])
      expect(there()).toEqual(customers(10))
    })
  }

  it('are sent where they are still meant, by the request that the target names now, as another batch', async () => {
    change(mirror)
    await ground.production(customers(10))
    await ground.publish()
    await ground.production(customers(4))
    await publishInDoubt(false)
    const [first] = service.requests.slice(-1)
    expect((await ground.publish(['--dry-run'])).value.planned).toMatchObject({ deletes: 6, unchanged: 4 })
    change(mirror.replace('people/remove', 'people/remove/all'))
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { deletes: 6, unchanged: 4 } } })
    const last = service.requests.at(-1)
    expect(last?.path).toBe('/api/people/remove/all')
    expect(last?.key).not.toBe(first?.key)
    expect(there()).toEqual(customers(4))
  })

  it('of a row that has come back are none: the row is sent', async () => {
    change(mirror)
    await ground.production(customers(3))
    await ground.publish()
    await ground.production(customers(2))
    await publishInDoubt(true)
    await ground.production(customers(3))
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 1, deletes: 0, unchanged: 2 })
    expect(there()).toEqual(customers(3))
  })

  it('that were marked have the time again that they had', async () => {
    change(', on_delete: mark')
    await ground.production(customers(3))
    await ground.publish()
    await ground.production(customers(1))
    await publishInDoubt(true)
    const [first] = service.requests.slice(-1)
    await ground.publish()
    expect(service.requests.at(-1)).toMatchObject({ key: first?.key, body: first?.body })
  })
})

describe('rows in doubt', () => {
  it('have only the fields of today', async () => {
    await ground.production(customers(5))
    await publishInDoubt(true)
    const before = service.requests.length
    change(', fields: {id: id, name: name}')
    expect(await ground.publish()).toMatchObject({ code: 0, value: { done: { inserts: 5 } } })
    const sent = service.requests.slice(before)
    expect(JSON.stringify(sent.map(({ body }) => body))).not.toContain('example.com')
    expect(sent[0]?.body).toHaveLength(5)
  })

  it('go nowhere where a strict policy was added', async () => {
    const marked = assetWith(targetWith('')).replace('email: varchar', 'email: {type: varchar, pii: true}')
    ground.write('models/customers.svc', marked)
    await ground.production(customers(5))
    await publishInDoubt(false)
    const before = service.requests.length
    ground.write(
      'glossary.yaml',
      'policies:\n  - {name: Nobody leaves, rule: x, applies_to: ["publish.*"], enforcement: strict}\n',
    )
    for (const words of [['--dry-run'], []])
      expect(await ground.publish(words)).toMatchObject({
        code: 1,
        value: { error: { code: 'policy-breach' } },
      })
    expect(service.requests.slice(before)).toEqual([])
  })

  it('that production has changed go as they are now', async () => {
    await ground.production(customers(5))
    await publishInDoubt(true)
    await ground.production([customer(1, 'changed'), ...customers(4, 2)])
    const before = service.requests.length
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 5 })
    const bodies = service.requests.slice(before).flatMap(({ body }) => body as Customer[])
    expect(bodies.find(({ id }) => id === 1)).toEqual(customer(1, 'changed'))
    expect(there()).toEqual([customer(1, 'changed'), ...customers(4, 2)])
    expect((await ground.publish()).value.done).toMatchObject({ unchanged: 5 })
  })

  it('that have gone from production are deleted where that is meant, and not sent where it is not', async () => {
    change(mirror)
    await ground.production(customers(5))
    await publishInDoubt(true)
    await ground.production(customers(4))
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 4, deletes: 1 })
    expect(there()).toEqual(customers(4))
    change('')
    await ground.production(customers(8))
    await publishInDoubt(false)
    await ground.production(customers(6))
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 2, unchanged: 4, deletes: 0 })
    expect(there()).toEqual(customers(6))
  })

  it('of another place are sent to the one that is named now, and the other is told of', async () => {
    await ground.production(customers(5))
    await publishInDoubt(false)
    const before = service.requests.length
    change('', 'others')
    const look = await ground.publish(['--dry-run'])
    expect(look.value).toMatchObject({ planned: { inserts: 5 }, warnings: [{ code: 'left-at-target' }] })
    const next = await ground.publish()
    expect(next).toMatchObject({ code: 0, value: { done: { inserts: 5 } } })
    expect(next.value.warnings).toMatchObject([{ code: 'left-at-target', count: 5 }])
    expect(service.requests.slice(before).map(({ path }) => path)).toEqual(['/api/others'])
  })

  it('of a killed publish to another place are not known here, also to a look', async () => {
    await ground.production(customers(30))
    await ground.publish()
    change('', 'others')
    const before = service.requests.length
    let kill = () => {}
    service.behave(async (_, count) => {
      if (count - before < 2) return undefined
      kill()
      return new Promise(() => {})
    })
    await ground.alone(['publish', 'customers', '--to', 'there'], {
      onStart: child => {
        kill = () => child.kill('SIGKILL')
      },
    })
    service.behave(() => undefined)
    change('')
    const look = await ground.publish(['--dry-run'])
    const { value } = await ground.publish()
    expect(value.done).toMatchObject({ inserts: 20, unchanged: 10 })
    expect(look.value.planned).toEqual(value.done)
  })

  it('may come twice to a target without keys where they are not the same any more, and that is told', async () => {
    change(', mode: insert')
    await ground.production(customers(5))
    await publishInDoubt(true)
    const key = service.requests.at(-1)?.key
    const same = await ground.publish()
    expect(same.value).toMatchObject({ done: { inserts: 5 }, warnings: [] })
    expect(service.requests.at(-1)?.key).toBe(key)
    await ground.production(customers(8))
    await publishInDoubt(true)
    await ground.production([...customers(7), customer(8, 'changed')])
    expect((await ground.publish(['--dry-run'])).value.warnings).toMatchObject([
      { code: 'sent-again', count: 3 },
    ])
    expect((await ground.publish(['--strict'])).value.error).toMatchObject({ code: 'new-warnings' })
    const next = await ground.publish()
    expect(next.value).toMatchObject({ done: { inserts: 3 }, warnings: [{ code: 'sent-again', count: 3 }] })
    expect((await ground.publish()).value).toMatchObject({ done: { unchanged: 8 }, warnings: [] })
  })

  it('keep their keys through a second publish that gets no answer, beside what it adds', async () => {
    await ground.production(customers(5))
    await publishInDoubt(true)
    const key = service.requests.at(-1)?.key
    await publishInDoubt(true)
    expect(service.requests.at(-1)?.key).toBe(key)
    await ground.production(customers(12))
    expect((await ground.publish()).value.done).toMatchObject({ inserts: 12 })
    expect(service.requests.slice(-2).map(each => [each.key === key, (each.body as []).length])).toEqual([
      [true, 5],
      [false, 7],
    ])
    expect(there()).toEqual(customers(12))
  })
})

describe('on the disk', () => {
  it('nothing of a row stays when a publish has failed or was refused, and what stays is in a folder of its owner', async () => {
    await ground.production(customers(5))
    await publishInDoubt(false)
    const below = join(ground.root, '.svc', 'dev', 'publish')
    const found = () => filesBelow(below).map(path => readFileSync(path, 'latin1'))
    expect(found()).toHaveLength(1)
    for (const text of found()) expect(text).not.toMatch(/example\.com|name \d/)
    if (process.platform !== 'win32')
      for (const path of filesBelow(below)) expect(statSync(dirname(path)).mode & 0o077, path).toBe(0)
    await ground.publish()
    expect(existsSync(below) ? found() : []).toEqual([])
    ground.write(
      'models/customers.svc',
      assetWith(targetWith(', max_change: 1').replace(', max_change: 100%', '')),
    )
    await ground.production(customers(5).map(each => ({ ...each, name: 'changed' })))
    expect((await ground.publish()).value.error).toMatchObject({ code: 'mass-change' })
    expect(found()).toEqual([])
  })
  it('what a dry run that was killed has read goes with svc gc', async () => {
    await ground.production(customers(2))
    const look = '.svc/dev/publish/dev-1a2b3c4d/there.customers.look-99999999'
    ground.write(`${look}/rows.parquet`, 'ana@example.com')
    expect((await ground.svc(['gc'])).code).toBe(0)
    expect(existsSync(join(ground.root, look))).toBe(false)
  })
})
