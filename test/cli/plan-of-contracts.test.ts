/** How `svc plan` shows changes of a contract: by the keys as they are written, and only the parts that differ. */
import { afterEach, expect, test } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'

let p: Ground
afterEach(() => p.dispose())

const names = Array.from({ length: 12 }, (_, index) => `column_${index}`)
const asset = (type: string, more = '') =>
  `name: orders
ingest: {type: rows, rows: [{${names.map(name => `${name}: 1`).join(', ')}}]}
contract:
  columns:
${names.map((name, index) => `    ${name}: ${index === 9 ? type : 'bigint'}\n`).join('')}${more}transform: SELECT * FROM {{ source }}
`

test('a column of many is shown alone, and keys have their written names', async () => {
  p = createGround({ 'svc.yaml': 'name: shop\n', 'models/orders.svc': asset('bigint') })
  expect((await p.line(['run'])).code).toBe(0)
  p.write('models/orders.svc', asset('double', '  required_columns: [column_1]\n  enforce_types: true\n'))
  const plan = (await p.line(['plan', '--offline'])).stdout.replace(/\s+/g, ' ')
  expect(plan).toContain(
    'contract.columns.column_9: {"nullable":true,"type":"bigint"} -> {"nullable":true,"type":"double"}',
  )
  expect(plan).not.toContain('column_8')
  expect(plan).toContain('contract.required_columns: [] -> ["column_1"]')
  expect(plan).toContain('contract.enforce_types: false -> true')
  const { value } = await p.json(['plan', '--offline', '--json'])
  expect(JSON.stringify(value)).not.toMatch(/requiredColumns|enforceTypes/)
})
