/** Publish targets as nodes: in the catalogue, in the manifest's lineage, and in the graph of the dashboard. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020.js'
import { afterEach, expect, it } from 'vitest'
import { catalogSchema } from '../../../server/contract/files.ts'
import { makeGraphModel } from '../../../webview/graph/model.ts'
import type { CatalogFile } from '../../../webview/protocol.ts'
import { customers, type Ground, publishGround } from './ground.ts'

let ground: Ground
afterEach(() => ground.dispose())

const target =
  '{type: duckdb, endpoint: "duckdb:./other.duckdb", resource: people, key: id, fields: {who: name}}'

function json<T>(path: string): T {
  return JSON.parse(readFileSync(join(ground.root, path), 'utf8')) as T
}

it('a target is a node behind its asset, with what became of it last', async () => {
  ground = publishGround(target)
  await ground.production(customers(2))
  const edge = { from: 'customers', to: 'publish.there', kind: 'publish', columns: [] }
  expect(json<unknown[]>('.svc/lineage.json')).toContainEqual(edge)
  const before = json<CatalogFile>('svc_catalog.json')
  const about = { kind: 'publish', name: 'there', asset: 'customers', type: 'duckdb', resource: 'people' }
  expect(before.publishes).toEqual([
    { ...about, mode: 'upsert', key: ['id'], fields: { who: 'name' }, last: null },
  ])
  expect(nodeOf(before)).toMatchObject({ id: 'publish:there', kind: 'publish', status: 'never', rows: null })
  const { value } = await ground.publish()
  const after = json<CatalogFile>('svc_catalog.json')
  expect(after.publishes?.[0]?.last).toMatchObject({
    run_id: value.run_id,
    status: 'published',
    rows: 2,
    untaken: 0,
  })
  expect(nodeOf(after)).toMatchObject({ status: 'deployed', rows: 2 })
  const isValid = new Ajv2020({ strict: false }).compile(catalogSchema as object)
  expect(isValid(after), JSON.stringify(isValid.errors)).toBe(true)
  await ground.production(customers(3))
  expect(json<CatalogFile>('svc_catalog.json').publishes?.[0]?.last).toMatchObject({
    status: 'published',
    rows: 2,
  })
  ground.write('other.duckdb', 'this is no database')
  expect((await ground.publish()).code).toBe(3)
  expect(nodeOf(json<CatalogFile>('svc_catalog.json'))).toMatchObject({ status: 'failed' })
})

function nodeOf(catalog: CatalogFile) {
  const model = makeGraphModel(catalog, 0)
  const index = model.indexOf.get('publish:there') ?? -1
  expect(model.parents[index]).toEqual([model.indexOf.get('customers')])
  return model.nodes[index]
}
