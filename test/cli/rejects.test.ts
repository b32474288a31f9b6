/** `svc rejects` as somebody meets it: the table, JSON, filters, masks, and where there is nothing to show. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outputSchemas } from '../../server/contract/index.ts'
import { createGround, expectRefusal, type Ground } from './bad-input/command-line.ts'

const orders = (contract: string) => `name: orders
ingest: {type: file, endpoint: data, resource: orders.ndjson}
contract: {${contract}}
transform: SELECT id, amount FROM {{ source }}
`
const lenient = 'enforce_types: true, columns: {amount: bigint}, max_rejects: 5'
const people = `name: people
ingest: {type: file, endpoint: data, resource: people.ndjson}
contract:
  evolution: {types: discard_value}
  columns: {id: bigint, born: date, email: {type: varchar, pii: true}}
transform: SELECT id, born, email FROM {{ source }}
`

let ground: Ground

beforeEach(() => {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': orders(lenient),
    'models/people.svc': people,
  })
  deliver('orders', { id: 1, amount: 10 }, { id: 2, amount: 'many' }, { id: 3, amount: 'few' })
  deliver(
    'people',
    { id: 1, born: '2001-02-03', email: 'ana@example.com' },
    { id: 2, born: 'long ago', email: 'bo@example.com' },
  )
})

afterEach(() => ground.dispose())

function deliver(name: string, ...records: readonly object[]): void {
  ground.write(`data/${name}.ndjson`, records.map(record => `${JSON.stringify(record)}\n`).join(''))
}

async function run(): Promise<string> {
  const { code, stderr } = await ground.line(['run'])
  expect(code, stderr).toBe(0)
  return /Run (\w+)/.exec(stderr)?.[1] ?? ''
}

const rejects = async (...words: string[]) => {
  const said = await ground.line(['rejects', ...words])
  expect(said).toMatchObject({ code: 0, stderr: '' })
  return said.stdout
}
const json = async (...words: string[]) => {
  const value: unknown = JSON.parse(await rejects(...words, '--json'))
  const ajv = new Ajv2020({ allowUnionTypes: true })
  expect(ajv.validate(outputSchemas['rejects'] ?? {}, value), ajv.errorsText()).toBe(true)
  return value as {
    total: number
    rejects: { asset: string; record: number; raw: string; message: string }[]
  }
}

describe('records and values that contracts rejected', () => {
  it('is shown an asset after the other, with record, reason and raw JSON, personal values masked', async () => {
    await run()
    expect(await rejects()).toBe(`orders
  record 2  column "amount" is promised as BIGINT, which cannot hold "many"
    {"id":2,"amount":"many"}
  record 3  column "amount" is promised as BIGINT, which cannot hold "few"
    {"id":3,"amount":"few"}

people
  record 2  column "born" is promised as DATE, which cannot hold "long ago"
    "long ago"

3 rejects in dev
`)
  })

  it('as JSON in the published schema', async () => {
    const runId = await run()
    expect(await json('orders', '--limit', '1')).toEqual({
      environment: 'dev',
      total: 2,
      rejects: [
        {
          asset: 'orders',
          run_id: runId,
          status: 'rejected',
          kind: 'row',
          code: 'type',
          child: null,
          column: 'amount',
          message: 'column "amount" is promised as BIGINT, which cannot hold "many"',
          record: 2,
          raw: '{"id":2,"amount":"many"}',
          rejected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/) as string,
          replayed_run_id: null,
        },
      ],
    })
  })

  it('of one asset, the first ones, of one run', async () => {
    const first = await run()
    expect(await rejects('people')).toMatch(/^people\n.*\n.*\n\n1 reject in dev\n$/)
    expect(await rejects('orders', '--limit', '1')).toContain(
      '2 rejects in dev, the first 1 shown (--limit shows more)',
    )
    deliver('orders', { id: 1, amount: 10 }, { id: 9, amount: 'none' })
    const second = await run()
    const records = async (...words: string[]) =>
      (await json('orders', ...words)).rejects.map(({ raw }) => raw)
    expect(await records()).toEqual(['{"id":9,"amount":"none"}'])
    expect(await records('--run', second)).toEqual(['{"id":9,"amount":"none"}'])
    expect(await records('--run', first)).toEqual(['{"id":2,"amount":"many"}', '{"id":3,"amount":"few"}'])
  })

  it('shows none that was marked when its load was made, when the file no longer marks it', async () => {
    const row = people.replace('types: discard_value}', 'types: discard_row}')
    ground.write('models/people.svc', row)
    await run()
    expect(await rejects('people')).toContain('"email":"***"')
    ground.write('models/people.svc', row.replace(', pii: true', ''))
    expect(await rejects('people')).toContain('"email":"***"')
    await run()
    expect(await rejects('people')).toContain('bo@example.com')
  })

  it('never shows a personal value, in raw JSON or in a message', async () => {
    ground.write(
      'models/people.svc',
      people
        .replace('types: discard_value}', 'types: discard_row}')
        .replace('type: varchar, pii', 'type: bigint, pii'),
    )
    deliver(
      'people',
      { id: 1, email: 1 },
      { id: 2, born: '2001-02-03', email: 'bo@example.com' },
      { id: 3, born: 'soon', email: 3 },
    )
    await run()
    for (const said of [await rejects('people'), JSON.stringify(await json('people'))]) {
      expect(said).not.toContain('bo@example.com')
      expect(said).toContain('***')
    }
    expect(await rejects('people')).toBe(`people
  record 2  column "email" breaks its contract (type); its value is personal
    {"id":2,"born":"2001-02-03","email":"***"}
  record 3  column "born" is promised as DATE, which cannot hold "soon"
    {"id":3,"born":"soon","email":"***"}

2 rejects in dev
`)
  })

  it('keeps nothing of a line that is no record where columns are masked or personal', async () => {
    const csv = (more: string) =>
      `name: people\ningest: {type: file, endpoint: data, resource: people.csv${more}}\ncontract:\n  evolution: {types: discard_row}\n  columns: {id: bigint, email: {type: varchar, pii: true}}\ntransform: SELECT id FROM {{ source }}\n`
    ground.write(
      'data/people.csv',
      'id,email,city\n1,ana@example.com,Bern\n2,bo@example.com\n3,cy@example.com,Ulm\n',
    )
    ground.write('models/people.svc', csv(', mask: {email: redact}'))
    await run()
    const masked = await json('people')
    expect(masked.rejects).toMatchObject([{ code: 'unparsed', record: 3, raw: null }])
    expect((await rejects('people')).replaceAll(/\s+/g, ' ')).toContain('it is not kept, because columns')
    expect(await rejects('people', '--csv')).toContain('unparsed')
    ground.write('models/people.svc', csv(''))
    await run()
    expect((await json('people')).rejects).toMatchObject([{ code: 'unparsed', raw: '"***"' }])
    expect((await rejects('people')) + (await rejects('people', '--csv'))).not.toContain('example.com')
  })

  it('of a source that was refused as a whole says so', async () => {
    ground.write('models/orders.svc', orders('enforce_types: true, columns: {amount: bigint}'))
    expect((await ground.line(['run'])).code).toBe(1)
    expect(await rejects('orders')).toMatch(/^orders {2}refused: nothing of it was loaded\n {2}record 2 /)
    expect((await json('orders')).rejects[0]).toMatchObject({ status: 'refused', record: 2 })
  })

  it('comes back in once the contract is repaired', async () => {
    const first = await run()
    ground.write('models/orders.svc', orders('columns: {amount: varchar}'))
    const said = await ground.line(['rejects', 'orders', '--replay'])
    expect(said.code, said.stderr).toBe(0)
    expect(said.stderr).toMatch(/orders +replayed +2 records that were rejected before/)
    expect(await rejects('orders')).toBe('Nothing is kept out of orders in dev.\n')
    expect(await rejects('orders', '--run', first)).toMatch(/"many" \(in\s+again since run \w+\)/)
  })
})

describe('where there is nothing', () => {
  it('says so, before the first run and after a clean one', async () => {
    expect(await rejects()).toBe('No contract keeps anything out of dev.\n')
    expect(await json()).toEqual({ environment: 'dev', total: 0, rejects: [] })
    deliver('orders', { id: 1, amount: 10 })
    deliver('people', { id: 1, born: '2001-02-03', email: 'x' })
    const runId = await run()
    expect(await rejects()).toBe('No contract keeps anything out of dev.\n')
    expect(await rejects('--run', runId)).toBe(`No contract kept anything out in run ${runId}.\n`)
    expect(await rejects('orders', '--run', runId)).toBe(`Nothing was kept out of orders in run ${runId}.\n`)
  })

  it('shows nothing of another environment', async () => {
    await run()
    expect(await rejects('--env', 'prod')).toBe('No contract keeps anything out of prod.\n')
  })
})

describe('wrong usage', () => {
  it.each([
    [['ordres'], 'did you mean "orders"?'],
    [['orders', '--limit', '0'], '--limit takes a whole number from 1 on'],
    [['--replay'], '--replay needs the name of an asset'],
    [['orders', '--replay', '--run', 'x'], 'cannot be combined with --run'],
    [['ordres', '--replay'], 'did you mean "orders"?'],
    [[''], 'no asset is called ""'],
  ])('svc rejects %j', async (words, says) => {
    expectRefusal(await ground.line(['rejects', ...words]), 2, says)
  })
})
