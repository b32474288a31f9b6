import type { DiagnosticExample, DiagnosticExamples } from './example.ts'

const orders = `name: orders
ingest: none
transform: SELECT 1 AS id, 12.5 AS amount
`

function unitTest(sql: string, unit: string, fixed: string | undefined, fix: string): DiagnosticExample {
  const text = (lines: string) =>
    `name: revenue\ningest: none\ntransform: |\n  ${sql}\ntests:\n  - name: adds_up\n    unit:\n${lines.replace(/^(?=.)/gm, '      ')}\n`
  return {
    files: { 'models/revenue.svc': text(unit), 'models/orders.svc': orders },
    ...(fixed !== undefined && { fixed: text(fixed) }),
    fix,
  }
}

const total = "SELECT sum(amount) AS total FROM {{ ref('orders') }}"

export const unitExamples: DiagnosticExamples = {
  'unit-test-broken': unitTest(
    "SELECT CAST(code AS INTEGER) AS code FROM (SELECT 'a' || id AS code FROM {{ ref('orders') }})",
    'given: {orders: [{id: 1}]}\nexpect: [{code: 1}]',
    undefined,
    'Fix the SQL, or give rows that it can work with. If it has to fail on them, write `error:` instead of `expect`.',
  ),
  'unit-test-failed': unitTest(
    total,
    'given: {orders: [{amount: 1}, {amount: 2}]}\nexpect: [{total: 4}]',
    'given: {orders: [{amount: 1}, {amount: 2}]}\nexpect: [{total: 3}]',
    'Fix the SQL or what the test expects. `svc test --unit` shows the difference row by row.',
  ),
  'unit-test-time': unitTest(
    "SELECT id, current_date AS day FROM {{ ref('orders') }}",
    'given: {orders: [{id: 1}]}\nexpect: [{id: 1}]',
    'given: {orders: [{id: 1}]}\nnow: 2024-01-31 09:30:00\nexpect: [{id: 1}]',
    'Say what time it is in the test, with `now`.',
  ),
  'unit-test-unknown-name': unitTest(
    total,
    'given: {order: [{amount: 1}]}\nexpect: [{total: 1}]',
    'given: {orders: [{amount: 1}]}\nexpect: [{total: 1}]',
    'Name an input that the SQL reads, one of its columns, CTEs or variables.',
  ),
  'unit-test-value': unitTest(
    total,
    'given: {orders: [{amount: many}]}\nexpect: [{total: 1}]',
    'given: {orders: [{amount: 1}]}\nexpect: [{total: 1}]',
    'Give a value of the type of the column.',
  ),
}
