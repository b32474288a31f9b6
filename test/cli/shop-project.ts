/** A small project for tests of the command: two sources, two models, tests, freshness, an exposure. */
export const shop: Readonly<Record<string, string>> = {
  'svc.yaml': 'name: shop\nvars: {smallest: 0}\n',
  'data/orders.csv': 'id,customer_id,amount,day\n1,1,10.5,2026-01-01\n2,1,20,2026-01-01\n3,2,5,2026-01-02\n',
  'models/customers.svc': `name: customers
description: One row a customer.
owner: data@example.com
tags: [core]
ingest:
  type: rows
  rows:
    - {id: 1, name: Ana}
    - {id: 2, name: 日本}
contract:
  columns:
    id: bigint
    name: {type: varchar, pii: true}
  required_columns: [id]
transform: |
  SELECT id, name FROM {{ source }}
tests:
  - unique: id
  - not_null: [id, name]
`,
  'models/orders.svc': `name: orders
ingest:
  type: file
  endpoint: data
  resource: "*.csv"
  exclude: [day_of_week]
transform: |
  SELECT id, customer_id, amount, day FROM {{ source }}
tests:
  - unique: id
  - relationships: {customer_id: customers.id}
  - range: {amount: {min: 0}}
freshness: {warn_after: 12h, error_after: 24h}
`,
  'models/marts/daily_sales.svc': `name: daily_sales
transform: |
  SELECT day, sum(amount) AS total, count(*) AS orders
  FROM {{ ref('orders') }}
  WHERE amount >= {{ var('smallest') }}
  GROUP BY day
ingest: none
columns:
  total: {description: Sum of all orders}
tests:
  - not_null: total
  - row_count: {min: 1}
exposures:
  - {name: Board, type: dashboard, url: "https://example.com/board"}
`,
  'models/marts/best_customers.svc': `name: best_customers
ingest: none
transform: |
  SELECT c.name, sum(o.amount) AS spent
  FROM {{ ref('orders') }} o JOIN {{ ref('customers') }} c ON c.id = o.customer_id
  GROUP BY c.name
deploy: {materialize: view}
`,
}

/** `orders` reads a column that does not exist, and tests another one. */
export const broken = {
  ...shop,
  'models/orders.svc': `name: orders
ingest: {type: file, endpoint: data, resource: "*.csv", credentials: env:SHOP_KEY}
transform: |
  SELECT id, custmer_id AS customer_id, amount, day
  FROM {{ source }}
tests:
  - unique: idd
`,
}
