/** A plan of what a run refuses, because rows that loads have gathered would go: it says so and ends as the run would. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const ordersOf = (resource: string, contract = '') =>
  `name: orders
ingest: {type: file, endpoint: data, resource: ${resource}, write: append, incremental: {cursor: id}}
${contract}transform: SELECT id, v FROM {{ source }}
`

let ground: Ground

beforeEach(async () => {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': ordersOf('one.ndjson'),
    'data/one.ndjson': '{"id": 1, "v": "a"}\n{"id": 2, "v": "b"}\n',
    'data/two.ndjson': '{"id": 7, "v": "c"}\n',
  })
  expect((await ground.line(['run'])).code).toBe(0)
})

afterEach(() => ground.dispose())

const plan = (...words: string[]) => ground.line(['plan', ...words])

const reason = 'the 2 rows that its loads have gathered would go, because ingest.resource is not what it was'

test('another source is refused, with the rows, the key and what to do', async () => {
  ground.write('models/orders.svc', ordersOf('two.ndjson'))
  const { code, stdout } = await plan()
  expect(code).toBe(1)
  const said = stdout.replace(/\s+/g, ' ')
  expect(said).toContain(`✗ orders refused ${reason} models/orders.svc:2:`)
  expect(said).toContain('svc run orders --full-refresh')
  const dry = await ground.line(['run', '--dry-run'])
  expect([dry.code, dry.stdout]).toEqual([1, stdout])
  const run = await ground.line(['run', '--json'])
  expect([run.code, JSON.parse(run.stdout).failure]).toEqual([
    1,
    expect.objectContaining({ code: 'history-lost', message: reason }),
  ])
})

test('JSON and Markdown have it, too', async () => {
  ground.write('models/orders.svc', ordersOf('two.ndjson'))
  const { code, stdout } = await plan('--json')
  const json = JSON.parse(stdout)
  expect(new Ajv2020({ allowUnionTypes: true }).validate(outputSchemas['plan'] ?? {}, json)).toBe(true)
  expect(code).toBe(1)
  expect(json.refusals).toEqual([
    {
      asset: 'orders',
      code: 'history-lost',
      message: reason,
      hint: expect.stringContaining('ingest.on_change: forward'),
      place: expect.stringMatching(/^models\/orders\.svc:2:/),
      facts: { rows: 2, keys: ['ingest.resource'] },
    },
  ])
  const markdown = await plan('--format', 'markdown')
  expect([markdown.code, markdown.stdout]).toEqual([
    1,
    expect.stringContaining(`> - \`orders\`: ${reason}. The`),
  ])
})

test('a type that gathered rows cannot have is refused by what they hold', async () => {
  ground.write('models/orders.svc', ordersOf('one.ndjson', 'contract: {columns: {v: integer}}\n'))
  const { code, stdout } = await plan('--json', '--offline')
  expect([code, JSON.parse(stdout).refusals]).toEqual([
    1,
    [
      expect.objectContaining({
        code: 'history-lost',
        message: 'the 2 rows that its loads have gathered cannot have "v" as INTEGER: it is VARCHAR there',
        facts: { rows: 2, column: 'v' },
      }),
    ],
  ])
})

test('what is agreed to, or keeps the rows, is refused by no plan', async () => {
  ground.write('models/orders.svc', ordersOf('two.ndjson'))
  const refreshed = await plan('--full-refresh', '--json')
  expect([refreshed.code, JSON.parse(refreshed.stdout).refusals]).toEqual([0, undefined])
  ground.write(
    'models/orders.svc',
    ordersOf('one.ndjson', 'contract: {columns: {v: {description: A value}}}\n'),
  )
  const described = await plan('--json')
  expect([described.code, JSON.parse(described.stdout).refusals]).toEqual([0, undefined])
})
