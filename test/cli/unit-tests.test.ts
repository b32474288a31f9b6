/** `svc test` with unit tests: without a warehouse, beside data tests, and what a run and `validate` make of them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStyle } from '../../cli/render/style.ts'
import { diffLines } from '../../cli/render/unit-diff.ts'
import { type HistoryFile, outputSchemas } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const revenue = (expected: string, severity = 'error') => `name: revenue
ingest: none
transform: |
  WITH paid AS (SELECT * FROM {{ ref('orders') }} WHERE status = 'paid')
  SELECT day, sum(amount) AS total, count(*) AS orders FROM paid GROUP BY day
tests:
  - not_null: total
  - name: counts_paid_orders
    severity: ${severity}
    unit:
      given:
        orders:
          - {day: 2024-01-01, status: paid, amount: 10}
          - {day: 2024-01-01, status: open, amount: 5}
      expect: [${expected}]
`
const right = '{day: 2024-01-01, total: 10, orders: 1}'
const wrong = '{day: 2024-01-01, total: 15, orders: 1}'
const files = {
  'svc.yaml': 'name: shop\n',
  'models/orders.svc': `name: orders
ingest: {type: rows, rows: [{id: 1, day: "2024-03-01", status: paid, amount: 2}]}
transform: "SELECT id, CAST(day AS DATE) AS day, status, amount FROM {{ source }}"
tests: [{unique: id}]
`,
  'models/revenue.svc': revenue(right),
}

let ground: Ground
beforeEach(() => {
  ground = createGround(files)
})
afterEach(() => ground.dispose())

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })

async function json(...words: string[]) {
  const said = await ground.line([...words, '--json'])
  const value = JSON.parse(said.stdout) as {
    tests: { id: string; status: string; ran: boolean; diff: unknown }[]
  }
  ajv.validate(outputSchemas['test'] ?? false, value)
  expect(ajv.errors).toBeNull()
  return { code: said.code, ...value, of: value.tests.map(({ id, status, ran }) => [id, status, ran]) }
}

describe('svc test --unit', () => {
  it('needs no warehouse and makes none', async () => {
    expect((await json('test', '--unit')).of).toEqual([['revenue/counts_paid_orders', 'pass', true]])
    expect(existsSync(join(ground.root, 'warehouse.duckdb'))).toBe(false)
    expect((await ground.line(['test', '--unit', 'orders'])).stdout).toBe(
      'No tests to run: no selected asset has a unit test.\n',
    )
  })

  it('shows what differs, cell by cell', async () => {
    ground.write('models/revenue.svc', revenue(wrong))
    const said = await ground.line(['test', '--unit'])
    expect(said.code).toBe(1)
    expect(said.stdout).toBe(`  ✗ revenue                  unit failed  counts_paid_orders: 1 wrong row
        day         total    orders
      ~ 2024-01-01  15 → 10  1
      models/revenue.svc:8:11

0 passed, 1 failed  ${/\d\S* \w+\n$/.exec(said.stdout)?.[0].trim()}
`)
    const { code, tests } = await json('test', '--unit')
    expect(code).toBe(1)
    expect(tests[0]?.diff).toMatchObject({ columns: ['day', 'total', 'orders'], expected: 1, actual: 1 })
  })

  it('keeps results from one command to the next, unless all are asked for', async () => {
    const run = async (...words: string[]) => {
      const said = await ground.line(['test', '--unit', '--json', ...words], { program: 'svc of a test' })
      return (JSON.parse(said.stdout) as { tests: { ran: boolean }[] }).tests.map(({ ran }) => ran)
    }
    expect(await run()).toEqual([true])
    expect(await run()).toEqual([false])
    expect(await run('--all-tests')).toEqual([true])
    ground.write('models/revenue.svc', revenue(wrong))
    expect(await run()).toEqual([true])
  })

  it('tells its results as events', async () => {
    ground.write('models/revenue.svc', revenue(wrong))
    const said = await ground.line(['test', '--unit', '--log-format', 'json'])
    const [event] = said.stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { type: string; result: object })
    expect(event).toMatchObject({
      type: 'test-finished',
      result: { name: 'counts_paid_orders', kind: 'unit' },
    })
    const shapes = (outputSchemas['event'] as { anyOf: { properties: { type: { enum: string[] } } }[] }).anyOf
    ajv.validate(shapes.find(each => each.properties.type.enum.includes('test-finished')) ?? false, event)
    expect(ajv.errors).toBeNull()
  })

  it('refuses what makes no sense', async () => {
    const refused = async (...words: string[]) =>
      (await ground.line(['test', ...words])).stderr.replace(/\s+/g, ' ')
    expect(await refused('--unit', '--run', 'x')).toContain('--unit and --run exclude each other')
    expect(await refused('--test', 'counts_paid_order')).toContain('did you mean "counts_paid_orders"?')
    expect(await refused('--unit', 'revenu')).toContain('did you mean "revenue"?')
  })

  it('says of an asset with errors that its unit tests cannot run', async () => {
    ground.write('models/revenue.svc', revenue(right).replace('sum(amount)', 'sum(amont)'))
    const said = await ground.line(['test', '--unit'])
    expect(said.code).toBe(1)
    expect(said.stdout.replace(/\s+/g, ' ')).toContain('counts_paid_orders: the SQL of the asset has errors')
  })
})

describe('svc test', () => {
  it('runs unit tests and data tests, or one test by its name', async () => {
    await ground.line(['run'])
    expect((await json('test')).of.map(([id]) => id)).toEqual([
      'revenue/counts_paid_orders',
      'orders/unique_id',
      'revenue/not_null_total',
    ])
    expect((await json('test', '--test', 'unique_id')).of.map(([id]) => id)).toEqual(['orders/unique_id'])
    expect((await json('test', '--test', 'counts_paid_orders')).of.map(([id]) => id)).toEqual([
      'revenue/counts_paid_orders',
    ])
  })

  it('runs data tests although a unit test fails', async () => {
    await ground.line(['run'])
    ground.write('models/revenue.svc', revenue(wrong))
    const { code, of } = await json('test')
    expect(code).toBe(1)
    expect(of.map(([id, status]) => [id, status])).toEqual([
      ['revenue/counts_paid_orders', 'fail'],
      ['orders/unique_id', 'pass'],
      ['revenue/not_null_total', 'pass'],
    ])
  })
})

describe('a unit test that fails', () => {
  it('fails validate, and its asset in a run', async () => {
    ground.write('models/revenue.svc', revenue(wrong))
    const checked = await ground.line(['validate'])
    expect(checked.code).toBe(1)
    expect(checked.stdout).toContain('unit-test-failed')
    const ran = await ground.line(['run'])
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('~ 2024-01-01  15 → 10  1')
    expect(ran.stderr).toContain('✗ 1 unit test failed')
    expect(ran.stderr).not.toContain('warned')
    expect(ran.stdout).toContain('Nothing was promoted')
    expect((await ground.line(['status', '--json'])).stdout).not.toContain('"active_hash": "')
    // It never came to its turn, which took no time.
    const text = readFileSync(join(ground.root, '.svc/dev/history.json'), 'utf8')
    const inHistory = (JSON.parse(text) as HistoryFile).runs[0]?.assets.find(({ name }) => name === 'revenue')
    expect(inHistory).toMatchObject({ status: 'failed', seconds: null })
    expect((await ground.line(['run', 'orders'])).code).toBe(0)
  })

  it('only warns where its severity says so', async () => {
    ground.write('models/revenue.svc', revenue(wrong, 'warn'))
    expect((await ground.line(['validate'])).code).toBe(0)
    const ran = await ground.line(['run'])
    expect(ran.code).toBe(0)
    expect(ran.stderr).toContain('unit warns')
    expect(ran.stderr).toContain('1 unit test warned')
  })
})

describe('after a run', () => {
  it('results of unit tests stand beside those of data tests', async () => {
    const ran = await ground.line(['run'])
    expect(ran.stderr).toContain('1 unit test passed in memory')
    const results = JSON.parse(readFileSync(join(ground.root, '.svc/test_results.json'), 'utf8')) as object
    expect(results).toMatchObject({
      revenue: {
        tests: [
          { name: 'counts_paid_orders', status: 'pass' },
          { name: 'not_null_total', status: 'pass' },
        ],
        summary: { total: 2, passed: 2, failed: 0 },
      },
    })
    await ground.line(['run', 'orders'])
    const later = JSON.parse(readFileSync(join(ground.root, '.svc/test_results.json'), 'utf8')) as object
    expect(later).toMatchObject({ revenue: { summary: { total: 2 } } })
  })
})

describe('the difference on a terminal', () => {
  const style = (width: number, color = false) => createStyle({ width, color })
  const cell = (expected: string | null, actual: string | null) => ({
    expected,
    actual,
    same: expected === actual,
  })
  const columns = Array.from({ length: 12 }, (_, index) => `column_${index}`)
  const cells = columns.map((_, index) => cell('a value', index === 9 ? 'another value' : 'a value'))
  const diff = {
    columns,
    rows: [{ kind: 'changed' as const, row: 0, cells }],
    more: 14,
    expected: 15,
    actual: 15,
  }

  it.each([40, 80, 120])('fits into %i columns, with what is wrong', width => {
    const lines = diffLines(diff, '      ', style(width))
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(width)
    expect(lines.join('\n')).toContain('column_9')
    expect(lines.join(' ')).toContain('14 more rows')
  })

  it('is red and green, and says without colours too what is missing and what came', () => {
    const rows = [
      { kind: 'missing' as const, row: 0, cells: [{ expected: null, same: false }] },
      { kind: 'unexpected' as const, cells: [{ actual: '', same: false }] },
    ]
    const some = { columns: ['n'], rows, more: 0, expected: 1, actual: 1 }
    expect(diffLines(some, '', style(80))).toEqual(['  n', '- NULL  missing', "+ ''    not expected"])
    expect(diffLines(some, '', style(80, true)).join('')).toContain('\u001b[31m')
  })
})
