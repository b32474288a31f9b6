/** `svc metric`: computed over what is live, broken down, masked; errors at the metric. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../../server/contract/index.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'

const rows = [
  '{id: 1, day: 2026-01-03, amount: 10, status: open, email: a@b.co}',
  '{id: 2, day: 2026-01-20, amount: 5, status: paid, email: c@d.co}',
  '{id: 3, day: 2026-02-01, amount: 7, status: paid, email: e@f.co}',
]

const glossary = `metrics:
  - name: Revenue
    description: What was paid.
    sql_definition: SELECT sum(amount) AS revenue FROM {{ ref('orders') }} WHERE amount > 5 OR status = 'x'
    time_grain: month
    source_assets: [orders]
  - {name: Count, sql_definition: count(*), source_assets: [orders]}
  - {name: Mails, sql_definition: max(email), source_assets: [orders]}
  - {name: Top, sql_definition: "SELECT amount FROM {{ ref('orders') }} ORDER BY 1 DESC LIMIT 1"}
  - {name: Nothing}
  - {name: Visits, sql_definition: count(*), source_assets: [visits], time_grain: day}
dimensions:
  - {name: Status, values: [open, paid]}
`

let project: ProjectHere
beforeAll(async () => {
  project = createProjectHere({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': `name: orders
ingest: {type: rows, rows: [${rows.join(', ')}]}
contract: {columns: {day: {type: date}, email: {type: varchar, pii: true}}}
transform: SELECT * FROM {{ source }}
`,
    'models/visits.svc':
      "name: visits\ningest: none\ntransform: SELECT DATE '2026-01-01' AS came, DATE '2026-01-02' AS went\n",
    'glossary.yaml': glossary,
  })
  expect((await project.svc(['metric', 'Count'])).code).toBe(1)
  expect((await project.svc(['run'])).code).toBe(0)
})
afterAll(() => project.dispose())

async function metric(...words: readonly string[]) {
  const { value } = await project.json(['metric', ...words, '--json'])
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validate(outputSchemas['metric'] ?? false, value), ajv.errorsText()).toBe(true)
  return value as { metrics: { id: string }[]; result: { rows: object[]; masked: string[] } }
}
const rowsOf = async (...words: readonly string[]) =>
  (await metric(...words)).result.rows.map(row => Object.values(row))

describe('svc metric', () => {
  it('lists metrics, and computes one as it is written', async () => {
    expect((await metric()).metrics.map(({ id }) => id)).toEqual([
      ...['metric.revenue', 'metric.count', 'metric.mails', 'metric.top', 'metric.nothing', 'metric.visits'],
    ])
    expect(await rowsOf('Revenue')).toEqual([[17]])
    expect(await rowsOf('metric.count')).toEqual([[3]])
    expect(await rowsOf('top')).toEqual([[10]])
    expect((await project.svc(['metric', 'revenue'])).stdout).toBe(`Revenue
What was paid.

revenue
     17

1 row of the SQL of Revenue
`)
  })

  it('breaks it down by time, columns and dimensions, of some rows', async () => {
    const months = await rowsOf('Revenue', '--time', 'day')
    expect(months.map(([month, value]) => [String(month).slice(0, 7), value])).toEqual([
      ['2026-01', 10],
      ['2026-02', 7],
    ])
    expect(await rowsOf('Revenue', '--time', 'auto')).toEqual(await rowsOf('Revenue', '--time', 'day'))
    expect(await rowsOf('Count', '--by', 'dim.status')).toEqual([
      ['open', 1],
      ['paid', 2],
    ])
    // The condition is joined with the one of the metric, whatever words are in both.
    expect(await rowsOf('Revenue', '--by', 'Status', '--where', "status = 'paid' OR false -- only")).toEqual([
      ['paid', 7],
    ])
  })

  it('masks what is personal', async () => {
    const { result } = await metric('Mails')
    expect([result.rows, result.masked]).toEqual([[{ mails: '***' }], ['mails']])
    expect((await metric('Count', '--by', 'email')).result.masked).toEqual(['email'])
    expect(await rowsOf('Mails', '--unmasked')).toEqual([['e@f.co']])
  })

  it('says what is wrong, at the metric', async () => {
    const said = async (...words: readonly string[]) => {
      const { code, stderr } = await project.svc(['metric', ...words])
      return [code, stderr.replace(/\s+/g, ' ')]
    }
    expect(await said('Revnue')).toEqual([2, expect.stringContaining('did you mean "Revenue"?')])
    expect(await said('Nothing')).toEqual([2, expect.stringContaining('has no sql_definition')])
    expect(await said('Top', '--by', 'status')).toEqual([2, expect.stringContaining('cannot be broken down')])
    expect(await said('Count', '--time', 'day')).toEqual([2, expect.stringContaining('it has no time_grain')])
    expect(await said('Visits', '--time', 'auto')).toEqual([2, expect.stringMatching(/came.*went/)])
    expect(await said('Count', '--by', 'stats')).toEqual([
      1,
      expect.stringMatching(/the metric "Count".*stats.*glossary\.yaml:7:/),
    ])
  })

  it('refuses wrong SQL and what a policy forbids, before the warehouse is asked', async () => {
    const more = `metrics:
  - {name: Wrong, sql_definition: summ(amount), source_assets: [orders]}
  - {name: Addresses, sql_definition: min(email), source_assets: [orders]}
policies:
  - {name: No addresses, rule: Nobody sees one, applies_to: [metric.addresses]}
`
    writeFileSync(join(project.root, 'glossary.yaml'), more)
    const said = async (name: string) => {
      const { code, stderr } = await project.svc(['metric', name])
      return [code, stderr.replace(/\s+/g, ' ')]
    }
    expect(await said('Wrong')).toEqual([
      1,
      expect.stringMatching(/unknown function "summ".*glossary\.yaml:2:35 did you mean "sum"/),
    ])
    expect(await said('Addresses')).toEqual([
      1,
      expect.stringMatching(/shows personal values.*"No addresses".*glossary\.yaml:3:43 Nobody sees one\./),
    ])
  })
})
