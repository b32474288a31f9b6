/** An asset that a rollback took away is not deployed, in any answer, and the rollback counts it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { CatalogFile } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let p: Ground
afterEach(() => p.dispose())

const asset = (name: string, value: number) =>
  `name: ${name}\ningest: none\ntransform: SELECT ${value} AS value\n`

test('is in the catalogue without status, hash and time, and one view is removed', async () => {
  p = createGround({ 'svc.yaml': 'name: shop\n', 'models/orders.svc': asset('orders', 1) })
  expect((await p.line(['run'])).code).toBe(0)
  p.write('models/late.svc', asset('late', 1))
  expect((await p.line(['run'])).code).toBe(0)
  const back = await p.line(['rollback'])
  expect(back.code).toBe(0)
  expect(back.stdout).toMatch(/^Rolled back dev: 1 view removed in /m)
  const { assets } = JSON.parse(readFileSync(join(p.root, 'svc_catalog.json'), 'utf8')) as CatalogFile
  expect(assets.find(({ name }) => name === 'late')).toMatchObject({
    status: null,
    active_hash: null,
    deployed_at: null,
    deployed_by: null,
  })
  const { value } = await p.json(['status', '--json'])
  expect(JSON.stringify(value)).not.toContain('"late"')
  p.write('models/orders.svc', asset('orders', 2))
  expect((await p.line(['run'])).code).toBe(0)
  const again = await p.line(['rollback'])
  expect(again.stdout).toMatch(/^Rolled back dev: 1 view, 1 removed in /m)
})
