/** What edits mean for the rows that loads have gathered; every key of a source and of a contract has its rule. */
import { canonicalDefinition, historyChanges, parseAsset, storedSource } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { assetShape } from '../../../server/language/schema/asset-schema.ts'
import type { Key, Shape } from '../../../server/language/schema/shape.ts'
import { contractRules, sharedRules } from '../../../server/language/sources/history-rules.ts'
import { sourceKinds } from '../../../server/language/sources/index.ts'
import { engine, reading } from '../../support/engine.ts'
import { hash } from '../../support/spec-project.ts'

const propertyOf = ({ name, property }: Key) =>
  property ?? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function keysOf(shape: Shape | undefined): readonly Key[] {
  if (shape?.kind === 'shorthand') return keysOf(shape.of)
  return shape?.kind === 'object' ? shape.keys : []
}

describe('every key has a rule', () => {
  it.each(sourceKinds.map(kind => [kind.variant.value, kind] as const))('of %s', (_, kind) => {
    const rules = Object.keys({ ...sharedRules, ...kind.history })
    expect(kind.variant.keys.map(propertyOf).filter(name => !rules.includes(name))).toEqual([])
  })

  it('of a contract', () => {
    const contract = assetShape.keys.find(({ name }) => name === 'contract')
    const names = keysOf(contract?.shape).map(propertyOf)
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter(name => !Object.hasOwn(contractRules, name))).toEqual([])
  })
})

const sourceOf = (ingest: string) => {
  const asset = parseAsset(
    'models/x.svc',
    `name: x\ningest: {${ingest}}\ntransform: SELECT 1\n`,
    reading,
    hash,
  )
  return storedSource(canonicalDefinition(asset, engine, {}))
}

describe('of two spellings', () => {
  const merge = 'write: merge, primary_key: id, incremental: {cursor: updated_at}'
  it.each([
    [
      'type: file, endpoint: data, resource: x.csv',
      'type: file, endpoint: ./data//, resource: ./x.csv, format: csv',
    ],
    ['type: file, endpoint: data/a, resource: x.csv', 'type: file, endpoint: data/b/../a, resource: x.csv'],
    [
      'type: sql, endpoint: "postgres://me@db/shop", resource: public.orders',
      'type: sql, endpoint: "postgresql://you@DB:5432/shop?sslmode=require", resource: \'public."orders"\'',
    ],
    [
      'type: sql, endpoint: "sqlite:///srv/shop.db", query: "SELECT 1\\n"',
      'type: sql, endpoint: "sqlite:/srv/shop.db", query: "SELECT 1 \\r\\n"',
    ],
    [
      'type: rest_api, endpoint: https://x.example/v1, resource: orders',
      'type: rest_api, endpoint: https://x.example:443/v1/, resource: /orders, params: {since: "{cursor}"}',
    ],
  ])('%s', (one, other) => {
    const spelled = merge.replace('updated_at', 'updatedAt').replace('id', '[Id]')
    expect(historyChanges(sourceOf(`${one}, ${merge}`), sourceOf(`${other}, ${spelled}`))).toEqual([])
  })
})

it('another place is another source', () => {
  const rest = (more: string) => sourceOf(`type: rest_api, resource: orders, write: append, ${more}`)
  const before = rest('endpoint: "https://x.example/v1?shop=1"')
  for (const more of ['endpoint: "https://x.example/v1?shop=2"', 'endpoint: "https://y.example/v1?shop=1"'])
    expect(historyChanges(before, rest(more))).toEqual([{ key: 'ingest.endpoint', role: 'origin' }])
})
