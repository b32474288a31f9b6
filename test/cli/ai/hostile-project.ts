/** The project that hostile patches are tried on, and what makes such a patch: each has the code of the refusal that it is to get. */
import type { PatchOp } from '../../../server/contract/index.ts'
import { shop } from '../shop-project.ts'
import { hashOf } from './patch-of.ts'

export interface HostilePatch {
  readonly name: string
  /** The text of the patch file. */
  readonly text: (root: string) => string
  /** The code of one of the refusals; `weaker` for a check that nobody has agreed to weaken. */
  readonly code: string
}

export const orders = 'models/orders.svc'
export const customers = 'models/customers.svc'
export const daily = 'models/marts/daily_sales.svc'

/** Known to the project by `env:HOSTILE_TOKEN`. */
export const knownSecret = 'correct-horse-battery-staple'

export const hostileProject: Readonly<Record<string, string>> = {
  ...shop,
  'svc.yaml': 'name: shop\nvars: {smallest: 0}\nwarehouse: duckdb:./warehouse.duckdb\n',
  [daily]: (shop[daily] ?? '').replace(
    '  - row_count: {min: 1}\n',
    `  - row_count: {min: 1}
  - name: adds_up
    unit:
      given: {orders: [{day: 2026-01-01, amount: 1}, {day: 2026-01-01, amount: 2}]}
      expect: [{total: 3}]
`,
  ),
  'models/api.svc': `name: api
ingest:
  type: rest_api
  endpoint: https://api.example.com
  resource: /v1/things
  auth: {type: bearer, token: "env:HOSTILE_TOKEN"}
  exclude: [password]
contract:
  evolution: freeze
  enforce_types: true
  required_columns: [id]
  columns: {id: bigint, email: {type: varchar, pii: true, nullable: false}}
  max_rejects: 0
transform: SELECT id, email FROM {{ source }}
columns:
  email: {pii: true}
tests:
  - not_null: id
  - {name: few, row_count: {max: 10}, where: id > 0}
  - sql: SELECT * FROM {{ this }} WHERE id < 0
freshness: {warn_after: 1h, error_after: 2h}
deploy: {k_anonymity: 5}
`,
  'models/shared.svc':
    'name: shared\ningest: none\ntransform: SELECT 1 AS id\ncolumns:\n  id: &doc {description: The id}\n  other: *doc\n',
  'glossary.yaml': `terms:
  - {name: Customer, description: Who buys}
metrics:
  - {name: Orders, sql_definition: "SELECT count(*) FROM {{ ref('orders') }}"}
policies:
  - {name: people, rule: Names stay inside, pii_columns: [customers.name], applies_to: [daily_sales], enforcement: strict}
`,
  'other/outside.svc': 'name: outside\ningest: none\ntransform: SELECT 1 AS id\n',
  'notes.txt': 'nothing for patches\n',
  'models/latin.svc': 'name: latin\ningest: none\ntransform: SELECT 1 AS id\n',
}

export const some: readonly PatchOp[] = [{ op: 'add', path: '/description', value: 'Harmless' }]
export const envelope = (files: unknown, version: unknown = 1) => JSON.stringify({ version, files })

export function at(path: string, code: string): HostilePatch {
  return {
    name: `path ${JSON.stringify(path.slice(0, 60))}`,
    code,
    text: root =>
      envelope([{ path, base_sha256: path.includes('\0') ? null : hashOf(root, path), ops: some }]),
  }
}

export function raw(
  name: string,
  text: string | ((root: string) => string),
  code = 'patch-shape',
): HostilePatch {
  return { name, code, text: typeof text === 'string' ? () => text : text }
}

export function ops(path: string, code: string, name: string, ...list: readonly unknown[]): HostilePatch {
  return {
    name: `${path}: ${name}`,
    code,
    text: root => envelope([{ path, base_sha256: hashOf(root, path), ops: list }]),
  }
}

export const set = (path: string, value: unknown) => ({ op: 'add', path, value })
export const drop = (path: string) => ({ op: 'remove', path })

export function asset(code: string, name: string, value: unknown): HostilePatch {
  return {
    name: `a new asset: ${name}`,
    code,
    text: () => envelope([{ path: 'models/fresh.svc', base_sha256: null, ops: [set('', value)] }]),
  }
}

export const sql = (code: string, text: string) =>
  ops(daily, code, text.slice(0, 60), set('/transform', text))
export const weaker = (path: string, name: string, ...list: readonly unknown[]) =>
  ops(path, 'weaker', name, ...list)
export const consent = (path: string, name: string, ...list: readonly unknown[]) =>
  ops(path, 'patch-needs-consent', name, ...list)
