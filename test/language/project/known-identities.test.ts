/** The canonical texts of definitions, written out: hashes of live builds rest on them, so that a change rebuilds them all. */
import { canonicalDefinition, parseAsset } from '@svc/server/language'
import { expect, it } from 'vitest'
import { engine, reading } from '../../support/engine.ts'
import { hash } from '../../support/spec-project.ts'

const open = {
  columns: {},
  enforceTypes: false,
  evolution: { columns: 'evolve', tables: 'evolve', types: 'evolve' },
  requiredColumns: [],
}
const shared = {
  exclude: [],
  include: [],
  naming: 'snake',
  nested: { depth: 2, mode: 'tables' },
  primaryKey: [],
  write: 'replace',
}

const cases: readonly (readonly [string, string, unknown])[] = [
  [
    'a web service with a contract, variables and a schema',
    `description: Orders
owner: me@example.com
tags: [daily]
ingest:
  type: rest_api
  endpoint: https://a.example/v1
  resource: orders
  auth: {type: basic, username: me, password: env:P}
  params: {a: 1}
  limits: {retries: 1}
contract:
  max_rejects: 1%
  columns: {id: {type: bigint, description: The id, pii: true, nullable: false, from: ID}}
transform: SELECT id FROM {{ source }} WHERE day > {{ var('start') }}
tests: [{unique: id}]
freshness: {warn_after: 12h}
exposures: [{name: board, type: dashboard}]
deploy: {schema: marts, keep: 3}`,
    {
      contract: { ...open, columns: { id: { from: 'ID', nullable: false, type: 'bigint' } } },
      deploy: { materialize: 'table', schema: 'marts' },
      ingest: {
        ...shared,
        allowHosts: [],
        auth: { type: 'basic', username: 'me' },
        endpoint: 'https://a.example/v1',
        headers: {},
        method: 'GET',
        onStatus: {},
        paginate: { in: 'query', type: 'auto' },
        params: { a: 1 },
        resource: 'orders',
        type: 'rest_api',
      },
      transform: 'select id from {{source}} where day > {{var("start")}}',
      vars: { start: '2024-01-01' },
    },
  ],
  [
    'files in a view',
    `ingest: {type: file, endpoint: data, resource: '*.csv', format: csv, options: {delimiter: ';'}, credentials: env:C}
transform: SELECT 1 AS n FROM {{ source }}
deploy: {materialize: view}`,
    {
      contract: open,
      deploy: { materialize: 'view' },
      ingest: {
        ...shared,
        // A folder has one spelling, and a format that the name says is not said twice.
        endpoint: './data',
        options: { delimiter: ';' },
        resource: '*.csv',
        type: 'file',
      },
      transform: 'select 1 as n from {{source}}',
      vars: {},
    },
  ],
  [
    'rows with names as they are',
    'ingest: {type: rows, rows: [{id: 1}], naming: source}\ntransform: SELECT 1 AS n FROM {{ source }}',
    {
      contract: open,
      deploy: { materialize: 'table' },
      ingest: { ...shared, naming: 'source', rows: [{ id: 1 }], type: 'rows' },
      transform: 'select 1 as n from {{source}}',
      vars: {},
    },
  ],
  [
    'no source',
    'ingest: none\ntransform: SELECT 1 AS n',
    {
      contract: open,
      deploy: { materialize: 'table' },
      ingest: { type: 'none' },
      transform: 'select 1 as n',
      vars: {},
    },
  ],
]

it.each(cases)('%s', (_, text, expected) => {
  const asset = parseAsset('models/x.svc', `name: x\n${text}\n`, reading, hash)
  expect(asset.diagnostics).toEqual([])
  const canonical = canonicalDefinition(asset, engine, { start: '2024-01-01', other: 1 })
  expect(canonical).toBe(sorted(expected))
})

/** JSON with sorted keys, on every level. */
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${sorted(inner)}`).join(',')}}`
}
