/** `schemas.lock.json` follows production: what a failed run saw at a source decides nothing afterwards (decisions 8). */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let server: RestServer
let p: Ground
let orders: readonly unknown[]
const well = [
  { id: 1, amount: 10 },
  { id: 2, amount: 20 },
]

const source = (columns: string) =>
  `name: orders\ningest: {type: rest_api, endpoint: ${server.origin}, resource: /orders}\ntransform: SELECT ${columns} FROM {{ source }}\n`

beforeAll(async () => {
  server = await startRestServer()
  server.route('/orders', (_request, response) => void response.end(JSON.stringify(orders)))
})

afterAll(() => server.close())

beforeEach(async () => {
  p?.dispose()
  orders = well
  p = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': source('id, amount'),
    'models/total.svc':
      "name: total\ningest: none\ntransform: SELECT sum(amount) AS amount FROM {{ ref('orders') }}\n",
  })
  expect((await p.line(['run'])).code).toBe(0)
})

afterAll(() => p.dispose())

const lock = () => readFileSync(join(p.root, 'schemas.lock.json'), 'utf8')
const live = async (asset: string) => (await p.line(['sample', asset, '--json'])).stdout

const texts = ['ten', 'twenty', 'thirty'].map((amount, index) => ({ id: index + 1, amount }))

describe('a bad day at an API', () => {
  test('fails its run and leaves nothing behind that the next run believes', async () => {
    const before = lock()
    orders = texts
    const failed = await p.json(['run', '--json'])
    expect(failed.code).toBe(1)
    expect(failed.value).toMatchObject({ failure: { code: 'type-changed', asset: 'orders' } })
    expect(lock()).toBe(before)
    orders = [...well, { id: 3, amount: 30 }]
    const plan = await p.line(['plan'])
    expect(plan.code).toBe(0)
    expect((await p.line(['run'])).code).toBe(0)
    expect(await live('total')).toContain('60')
  })
})

describe('environments with other columns live', () => {
  const withCurrency = [{ id: 1, amount: 10, currency: 'EUR' }]
  const both = async () => {
    for (const environment of ['dev', 'prod'])
      expect((await p.line(['run', '--env', environment])).code).toBe(0)
  }

  test('keep theirs in the lock, whichever promotes or rolls back last', async () => {
    await both()
    orders = withCurrency
    p.write('models/orders.svc', source('id, amount, currency'))
    await both()
    const full = lock()
    expect(full).toContain('currency')
    expect((await p.line(['rollback', '--all', '--env', 'prod'])).code).toBe(0)
    expect(lock()).toBe(full)
    expect((await p.line(['validate'])).code).toBe(0)
    expect((await p.line(['run', '--no-ingest'])).code).toBe(0)
    await both()
    expect(lock()).toBe(full)
  })

  test('lose a column with the last of them', async () => {
    orders = withCurrency
    await both()
    orders = well
    expect((await p.line(['run'])).code).toBe(0)
    expect(lock()).toContain('currency')
    expect((await p.line(['run', '--env', 'prod'])).code).toBe(0)
    expect(lock()).not.toContain('currency')
  })
})

describe('a type that changes at the source, where the contract lets it', () => {
  test('fails what reads the column, by its place, before anything is built', async () => {
    p.write('models/orders.svc', `${source('id, amount')}contract: {evolution: evolve}\n`)
    expect((await p.line(['run'])).code).toBe(0)
    orders = texts
    const failed = await p.json(['run', '--json'])
    expect(failed.code).toBe(1)
    expect(failed.value).toMatchObject({
      failure: { code: 'breaking-change', asset: 'total', place: 'models/total.svc:3:19' },
    })
  })
})

describe('a column that the source has since the last promotion', () => {
  test('can be written into a file at once: the run looks at the source before it judges', async () => {
    orders = [{ id: 1, amount: 10, currency: 'EUR' }]
    p.write('models/orders.svc', source('id, amount, currency'))
    expect((await p.line(['plan'])).code).toBe(0)
    expect((await p.line(['run', '--no-ingest'])).code).toBe(1)
    expect(lock()).not.toContain('currency')
    expect((await p.line(['run'])).code).toBe(0)
    expect(lock()).toContain('currency')
    expect((await p.line(['validate'])).code).toBe(0)
  })

  test('is missed by its place where the source does not have it after all', async () => {
    p.write('models/orders.svc', source('id, amount, currency'))
    const failed = await p.json(['run', '--json'])
    expect(failed.code).toBe(1)
    expect(failed.value).toMatchObject({ failure: { asset: 'orders', place: 'models/orders.svc:3:31' } })
    expect(await live('total')).toContain('30')
  })

  test('is in the lock again after a rollback', async () => {
    orders = [{ id: 1, amount: 10, note: 'x' }]
    expect((await p.line(['run'])).code).toBe(0)
    expect(lock()).toContain('note')
    expect((await p.line(['rollback'])).code).toBe(0)
    expect(lock()).not.toContain('note')
    expect(lock()).toContain('amount')
  })

  test('reaches the lock with the preview that is promoted, not before', async () => {
    orders = [{ id: 1, amount: 10, note: 'x' }]
    const { value } = await p.json(['preview', '--json'])
    expect(lock()).not.toContain('note')
    const { run_id } = value as { readonly run_id: string }
    expect((await p.line(['promote', run_id])).code).toBe(0)
    expect(lock()).toContain('note')
  })
})

describe('a lock with conflict markers', () => {
  const conflict = () =>
    lock().replace(/^.*"amount".*$/m, line => `<<<<<<< HEAD\n${line}\n=======\n${line}\n>>>>>>> theirs`)

  test('is an error with its line in validate, and refuses a run, which leaves it alone', async () => {
    const broken = conflict()
    p.write('schemas.lock.json', broken)
    const line = broken.split('\n').findIndex(text => text.startsWith('<<<<<<<')) + 1
    const validated = await p.line(['validate'])
    expect(validated.code).toBe(1)
    expect(validated.stdout + validated.stderr).toContain(`schemas.lock.json:${line}:1`)
    const refused = await p.line(['run'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('conflict markers')
    expect((await p.line(['run', 'total'])).code).toBe(1)
    expect(lock()).toBe(broken)
  })

  test('keeps no rollback back, and is left alone by it', async () => {
    orders = [...well, { id: 3, amount: 30 }]
    expect((await p.line(['run'])).code).toBe(0)
    const broken = conflict()
    p.write('schemas.lock.json', broken)
    expect((await p.line(['rollback'])).code).toBe(0)
    expect(lock()).toBe(broken)
    p.remove('schemas.lock.json')
    expect((await p.line(['run'])).code).toBe(0)
    expect(existsSync(join(p.root, 'schemas.lock.json'))).toBe(true)
  })
})
