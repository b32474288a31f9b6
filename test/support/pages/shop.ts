/** A shop in which one thing at a time can go wrong: two sources, a model of each, one of both, and a target. */
export const orders = (
  change: { readonly sql?: string; readonly more?: string; readonly day?: string } = {},
) => `name: orders
ingest: {type: file, endpoint: data, resource: orders.csv}
contract: {columns: {id: bigint, amount: bigint}}
transform: ${change.sql ?? 'SELECT id, amount FROM {{ source }}'}
tests:
  - unique: id
${change.more ?? ''}`

export const people = (change: { readonly rows?: string; readonly more?: string } = {}) => `name: people
ingest: {type: rows, rows: [${change.rows ?? '{id: 1, name: Ana}, {id: 2, name: Bo}'}]}
transform: SELECT id, name FROM {{ source }}
tests:
  - not_null: name
publish:
  crm: {type: duckdb, endpoint: "duckdb:./crm.duckdb", resource: people, key: id, environments: [dev]}
${change.more ?? ''}`

export const daily = (sql = "SELECT count(*) AS n FROM {{ ref('orders') }}") => `name: daily
ingest: none
transform: ${sql}
`

export const names = (sql = "SELECT name FROM {{ ref('people') }}", more = '') => `name: names
ingest: none
transform: ${sql}
${more}`

export const both = `name: both
ingest: none
transform: SELECT n, (SELECT count(*) FROM {{ ref('names') }}) AS m FROM {{ ref('daily') }}
deploy: {materialize: view}
`

export const assets = ['orders', 'people', 'daily', 'names', 'both'] as const

export const shop: Readonly<Record<string, string>> = {
  'svc.yaml': 'name: shop\nwarehouse: duckdb:./w.duckdb\n',
  'data/orders.csv': 'id,amount\n1,10\n2,20\n3,30\n',
  'models/orders.svc': orders(),
  'models/people.svc': people(),
  'models/daily.svc': daily(),
  'models/names.svc': names(),
  'models/both.svc': both,
}
