/** Drift of a source, between its pages and between runs, as a run tells it and as a plan shows it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let server: RestServer
let ground: Ground
let pages: readonly (readonly object[])[]

const orders = (origin: string) => `name: orders
ingest:
  type: rest_api
  endpoint: ${origin}
  resource: /orders
  paginate: {type: page, total: total_pages}
contract: {evolution: evolve, columns: {id: bigint}}
transform: |
  SELECT id, amount, city FROM {{ source }}
`
const totals = `name: totals
ingest: none
transform: |
  SELECT city, count(amount) AS paid
  FROM {{ ref('orders') }}
  GROUP BY city
`

beforeEach(async () => {
  server = await startRestServer()
  server.route('/orders', (request, response) => {
    const number = Number(request.query.get('page') ?? 1)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ items: pages[number - 1], page: number, total_pages: pages.length }))
  })
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': orders(server.origin),
    'models/totals.svc': totals,
  })
})

afterEach(async () => {
  ground.dispose()
  await server.close()
})

const steady = (id: number) => ({ id, amount: id * 10, city: 'Ulm' })
const run = async (environment = 'prod') => {
  const said = await ground.line(['run', '--env', environment])
  return { ...said, id: /run (\w+)/i.exec(said.stderr)?.[1] ?? '', text: said.stderr.replace(/\n +/g, ' ') }
}
const plan = async (...words: string[]) => {
  const said = await ground.line(['plan', '--env', 'prod', ...words])
  expect(said.stderr).toBe('')
  return said.stdout.replace(/, just now/g, '')
}

describe('between the pages of one fetch', () => {
  beforeEach(() => {
    pages = [
      [steady(1), steady(2)],
      [steady(3), { ...steady(4), coupon: 'X' }],
      [
        { id: 5, amount: 'many', coupon: 'Y' },
        { id: 6, amount: 'few' },
      ],
    ]
  })

  it('the run says page, column, before and after', async () => {
    const { code, text } = await run()
    expect(code).toBe(0)
    expect(text).toContain(
      '~ orders                   drifted      between its pages: column amount is VARCHAR from page 3 on, BIGINT before; column city is gone from page 3 on; column coupon VARCHAR is new on page 2 ',
    )
  })

  it('the plan shows it with the columns downstream and every place', async () => {
    const { id } = await run()
    expect(
      await plan('--offline'),
    ).toBe(`Nothing to do for prod (analytics in warehouse.duckdb): 2 assets are as deployed
(run ${id}). A run fetches 1 source and builds what came new.

  ~ orders                   drifted      between pages, in run ${id}
      column amount is VARCHAR from page 3 on, BIGINT before
        downstream: orders.amount, totals.paid
        models/orders.svc:9:14
        models/totals.svc:4:22
      column city is gone from page 3 on
        downstream: orders.city, totals.city
        models/orders.svc:9:22
        models/totals.svc:4:10
        models/totals.svc:6:12
      column coupon VARCHAR is new on page 2
`)
  })

  it('as a comment on a pull request', async () => {
    const { id } = await run()
    expect(await plan('--offline', '--format', 'markdown')).toBe(`### Plan for \`prod\`: nothing changes

> [!NOTE]
> Sources have changed:
> - \`orders\`: column amount is VARCHAR from page 3 on, BIGINT before (between pages, in run \`${id}\`); downstream: \`orders.amount, totals.paid\`
>   - \`models/orders.svc:9:14\`
>   - \`models/totals.svc:4:22\`
> - \`orders\`: column city is gone from page 3 on (between pages, in run \`${id}\`); downstream: \`orders.city, totals.city\`
>   - \`models/orders.svc:9:22\`
>   - \`models/totals.svc:4:10\`
>   - \`models/totals.svc:6:12\`
> - \`orders\`: column coupon VARCHAR is new on page 2 (between pages, in run \`${id}\`)

2 assets reused: same definition, same inputs.

Fetch 1 source.
`)
  })

  it('as JSON in the published schema', async () => {
    const { id } = await run()
    const value: unknown = JSON.parse(await plan('--offline', '--json'))
    const ajv = new Ajv2020({ allowUnionTypes: true })
    expect(ajv.validate(outputSchemas['plan'] ?? {}, value), ajv.errorsText()).toBe(true)
    expect(value).toMatchObject({
      last_loads: [
        {
          asset: 'orders',
          run_id: id,
          drift: [
            {
              kind: 'retyped',
              column: 'amount',
              from: 'BIGINT',
              to: 'VARCHAR',
              page: 3,
              columns: [
                { asset: 'orders', column: 'amount' },
                { asset: 'totals', column: 'paid' },
              ],
              readers: [
                { asset: 'orders', column: 'amount', place: 'models/orders.svc:9:14' },
                { asset: 'totals', column: 'amount', place: 'models/totals.svc:4:22' },
              ],
            },
            { kind: 'vanished', column: 'city', page: 3 },
            { kind: 'added', column: 'coupon', page: 2 },
          ],
        },
      ],
    })
  })

  it('is over when the source is loaded anew without it, and what is known is no news', async () => {
    await run()
    pages = [[steady(1)], [{ ...steady(2), coupon: 'Z' }], [{ ...steady(3), amount: 'many' }]]
    expect((await run()).text).not.toContain('drifted')
    expect(await plan('--offline')).not.toContain('drifted')
  })

  it('is told and kept also of a load that no model could use', async () => {
    pages = [[steady(1)], [steady(2)]]
    await run()
    ground.write('models/totals.svc', totals.replace('count(amount)', 'sum(amount + 1)'))
    expect((await run()).code).toBe(0)
    pages = [[steady(1)], [steady(2)], [{ id: 3, amount: 'many', city: 'Ulm' }]]
    const failed = await run()
    expect(failed.code).toBe(1)
    expect(failed.text).toContain('column amount is VARCHAR from page 3 on, BIGINT before')
    expect(await plan('--offline', '--select', 'orders')).toContain(
      `between pages, in run ${failed.id}\n      column amount is VARCHAR from page 3 on, BIGINT before\n`,
    )
  })

  it('is told also of a source that its contract refuses', async () => {
    pages = [[steady(1)], [steady(2)]]
    await run()
    ground.write('models/orders.svc', orders(server.origin).replace('evolve', 'freeze'))
    pages = [[steady(1)], [{ ...steady(2), coupon: 'X' }]]
    const failed = await run()
    expect(failed.code).toBe(1)
    expect(failed.text).toContain('between its pages: column coupon VARCHAR is new on page 2 ')
  })
})

describe('between runs', () => {
  it('a plan in which only a contract is broken says that a run would fail', async () => {
    const frozen = orders(server.origin).replace('evolution: evolve', 'evolution: freeze')
    ground.write('models/orders.svc', frozen)
    pages = [[steady(1)]]
    await run()
    pages = [[{ ...steady(1), coupon: 'X' }]]
    const said = await ground.line(['plan', '--env', 'prod'])
    expect(said.code).toBe(1)
    expect(said.stdout).not.toContain('Nothing to do')
    expect(said.stdout.replace(/\n/g, ' ')).toMatch(
      /^A run for prod \(analytics in warehouse\.duckdb\) would fail: 2 assets are as deployed \(run \w+, [^)]+\), but 1 source breaks its contract\./,
    )
    const json = JSON.parse((await ground.line(['plan', '--env', 'prod', '--json'])).stdout)
    expect(json).toMatchObject({ nothing_to_do: false })
    const markdown = (await ground.line(['plan', '--env', 'prod', '--format', 'markdown'])).stdout
    expect(markdown).toContain('### Plan for `prod`: **1 broken contract**')
  })

  it('a plan compares with what is loaded in its own environment, whatever another one saw since', async () => {
    pages = [[steady(1)]]
    await run('prod')
    pages = [[{ id: 1, amount: 'many', city: 'Ulm', coupon: 'X' }]]
    expect((await run('dev')).text).toContain('drifted')
    expect(await plan()).toContain(`
  ~ orders                   drifted      since its last load
      column coupon VARCHAR is new
      column amount became VARCHAR from BIGINT
        downstream: orders.amount, totals.paid
        models/orders.svc:9:14
        models/totals.svc:4:22
`)
    const dev = await ground.line(['plan', '--env', 'dev'])
    expect(dev.stdout).not.toContain('drifted')
  })
})
