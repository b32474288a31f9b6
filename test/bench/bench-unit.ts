/** `svc test --unit`: a thousand unit tests over rows of their own, all of them, none that changed, and one. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, svcProgram, take, type Work } from './bench.ts'
import { forget } from './bench-project.ts'

const tests = 1000

export async function benchUnit(bench: Bench): Promise<void> {
  const folder = join(bench.folder, 'work', 'unit')
  rmSync(folder, { recursive: true, force: true })
  writeUnitProject(folder)
  const step = (id: string, work: string, more: Partial<Work>) =>
    take(bench, {
      id: `unit-${id}`,
      work: `\`test --unit\`, ${tests.toLocaleString('en')} tests, ${work}`,
      assets: tests,
      program: svcProgram(bench, folder, ['test', '--unit']),
      ...more,
    })
  await step('cold', 'nothing cached', { before: () => forget(folder), goal: { seconds: 3 } })
  await step('again', 'nothing changed', {})
  await step('changed', 'one file changed', { before: () => changeOne(folder) })
  rmSync(folder, { recursive: true })
}

export function writeUnitProject(folder: string): void {
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  mkdirSync(join(folder, 'models'), { recursive: true })
  write('svc.yaml', 'name: unit\n')
  write(
    'models/orders.svc',
    source(
      'orders',
      "1::BIGINT AS id, 7 AS customer_id, 'paid' AS status, 2.50::DECIMAL(12,2) AS amount, TIMESTAMP '2024-01-01' AS ordered_at",
    ),
  )
  write('models/customers.svc', source('customers', "7 AS id, 'Ada' AS name, true AS active"))
  for (let number = 0; number < tests; number++) write(modelFile(number), model(number))
}

const modelFile = (number: number) => `models/model_${number}.svc`
const source = (name: string, columns: string) =>
  `name: ${name}\ningest: none\ntransform: "SELECT ${columns}"\n`

function model(number: number): string {
  return `name: model_${number}
ingest: none
transform: |
  WITH paid AS (SELECT * FROM {{ ref('orders') }} WHERE status = 'paid')
  SELECT customer.name, CAST(paid.ordered_at AS DATE) AS day, sum(paid.amount) + ${number} AS total, count(*) AS orders
  FROM paid JOIN {{ ref('customers') }} AS customer ON customer.id = paid.customer_id
  GROUP BY ALL
tests:
  - name: adds_up_paid_orders
    unit:
      given:
        orders:
          - {id: 1, customer_id: 7, status: paid, amount: 10.50, ordered_at: "2024-01-01 09:00:00"}
          - {id: 2, customer_id: 7, status: paid, amount: ${number}, ordered_at: "2024-01-01 10:00:00"}
          - {id: 3, customer_id: 7, status: open, amount: 1, ordered_at: "2024-01-01 10:00:00"}
        customers: [{id: 7, name: Ada}]
      expect: [{name: Ada, day: 2024-01-01, total: ${(10.5 + 2 * number).toFixed(2)}, orders: 2}]
`
}

let changes = 0

function changeOne(folder: string): void {
  const path = join(folder, modelFile(tests / 2))
  writeFileSync(path, `${readFileSync(path, 'utf8')}# change ${++changes}\n`)
}
