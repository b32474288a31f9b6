/** The project of the bad days: a web service, files of two kinds, and what is made of them; with the data of two days. */
import type { Row } from './day.ts'

export const customersOf = {
  'day 1': [
    { id: 1, name: 'Ana', since: '2025-11-01' },
    { id: 2, name: 'Bo', since: '2025-12-24' },
  ],
  'day 2': [
    { id: 1, name: 'Ana', since: '2025-11-01' },
    { id: 2, name: 'Bo', since: '2025-12-24' },
    { id: 3, name: 'Cy', since: '2026-01-03' },
  ],
} as const

/** Two days of data that no day of trouble changes for good. */
export const dataOf: Readonly<Record<'day 1' | 'day 2', Readonly<Record<string, string>>>> = {
  'day 1': {
    'data/orders-1.csv': 'id,customer_id,amount,day\n1,1,10.5,2026-01-01\n2,2,20,2026-01-02\n',
    'data/rates.json': '[{"currency": "EUR", "rate": 1.0}, {"currency": "USD", "rate": 1.25}]\n',
  },
  'day 2': {
    'data/orders-1.csv': 'id,customer_id,amount,day\n1,1,10.5,2026-01-01\n2,2,20,2026-01-02\n',
    'data/orders-2.csv': 'id,customer_id,amount,day\n3,3,5,2026-01-03\n4,1,7.5,2026-01-03\n',
    'data/rates.json': '[{"currency": "EUR", "rate": 1.0}, {"currency": "USD", "rate": 1.5}]\n',
  },
}

export const project = (origin: string): Readonly<Record<string, string>> => ({
  'svc.yaml': 'name: shop\nvars: {smallest: 0}\n',
  'glossary.yaml': `terms:
  - {name: Customer, description: Who has ordered at least once.}
links:
  - {term: Customer, asset: customers, column: id}
`,
  'models/customers.svc': `name: customers
ingest:
  type: rest_api
  endpoint: ${origin}
  resource: customers
  limits: {retries: 0, timeout: 2s}
contract:
  required_columns: [id]
  enforce_types: true
  columns: {id: bigint, name: varchar, since: date}
transform: SELECT id, name, since FROM {{ source }}
tests:
  - unique: id
  - not_null: name
`,
  'models/orders.svc': `name: orders
ingest: {type: file, endpoint: ./data, resource: orders-*.csv}
contract:
  enforce_types: true
  columns: {id: bigint, customer_id: bigint, amount: double, day: date}
transform: |
  SELECT id, customer_id, amount, day
  FROM {{ source }}
tests:
  - unique: id
  - relationships: {customer_id: customers.id}
  - range: {amount: {min: 0}}
`,
  'models/rates.svc': `name: rates
ingest: {type: file, endpoint: ./data, resource: rates.json}
transform: SELECT currency, rate FROM {{ source }}
`,
  'models/marts/daily_sales.svc': `name: daily_sales
ingest: none
transform: |
  SELECT day, sum(amount) AS total
  FROM {{ ref('orders') }}
  WHERE amount >= {{ var('smallest') }}
  GROUP BY day
tests:
  - row_count: {min: 1}
`,
  'models/marts/best_customers.svc': `name: best_customers
ingest: none
transform: |
  SELECT c.name, sum(o.amount * r.rate) AS spent
  FROM {{ ref('orders') }} AS o
  JOIN {{ ref('customers') }} AS c ON c.id = o.customer_id
  CROSS JOIN {{ ref('rates') }} AS r
  WHERE r.currency = 'USD'
  GROUP BY c.name
deploy: {materialize: view}
`,
})

/** What every view of production has, worked out by hand. */
export const rowsOf: Readonly<Record<'day 1' | 'day 2', Readonly<Record<string, readonly Row[]>>>> = {
  'day 1': {
    best_customers: [
      { name: 'Ana', spent: 13.125 },
      { name: 'Bo', spent: 25 },
    ],
    customers: [...customersOf['day 1']],
    daily_sales: [
      { day: '2026-01-01', total: 10.5 },
      { day: '2026-01-02', total: 20 },
    ],
    orders: [
      { id: 1, customer_id: 1, amount: 10.5, day: '2026-01-01' },
      { id: 2, customer_id: 2, amount: 20, day: '2026-01-02' },
    ],
    rates: [
      { currency: 'EUR', rate: 1 },
      { currency: 'USD', rate: 1.25 },
    ],
  },
  'day 2': {
    best_customers: [
      { name: 'Ana', spent: 27 },
      { name: 'Bo', spent: 30 },
      { name: 'Cy', spent: 7.5 },
    ],
    customers: [...customersOf['day 2']],
    daily_sales: [
      { day: '2026-01-01', total: 10.5 },
      { day: '2026-01-02', total: 20 },
      { day: '2026-01-03', total: 12.5 },
    ],
    orders: [
      { id: 1, customer_id: 1, amount: 10.5, day: '2026-01-01' },
      { id: 2, customer_id: 2, amount: 20, day: '2026-01-02' },
      { id: 3, customer_id: 3, amount: 5, day: '2026-01-03' },
      { id: 4, customer_id: 1, amount: 7.5, day: '2026-01-03' },
    ],
    rates: [
      { currency: 'EUR', rate: 1 },
      { currency: 'USD', rate: 1.5 },
    ],
  },
}

/** A source that waits longer than any test: whatever happens to the process must end the run. */
export const patient: Readonly<Record<string, string>> = {
  'models/customers.svc': (project('<origin>')['models/customers.svc'] ?? '').replace(
    'timeout: 2s',
    'timeout: 10m',
  ),
}
