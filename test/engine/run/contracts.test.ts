/** Contracts in whole runs: what is left out is in `svc_rejects`, budgets fail the asset, repaired contracts bring back. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSchemaLock } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { driftText } from '../../../cli/engine/ingest/source-drift.ts'
import { type RejectsRequest, readRejects } from '../../../cli/engine/run/read-rejects.ts'
import { checkContracts } from '../../../cli/engine/workspace/contract-checks.ts'
import { typeUnderTest } from '../../support/warehouse-under-test.ts'
import { outcomes, projectMaker, type TestProject } from './test-project.ts'

const make = projectMaker()

interface Source {
  readonly project: TestProject
  deliver(...records: readonly object[]): void
  contract(text: string): void
  live(): Promise<unknown[]>
  rejects(): Promise<readonly Readonly<Record<string, unknown>>[]>
}

function source(contract = ''): Source {
  const text = (block: string) =>
    `ingest: {type: file, endpoint: data, resource: orders.ndjson}\n${block === '' ? '' : `contract: {${block}}\n`}transform: SELECT * FROM {{ source }}`
  const project = make({ orders: text(contract) })
  return {
    project,
    deliver(...records) {
      mkdirSync(join(project.root, 'data'), { recursive: true })
      writeFileSync(
        join(project.root, 'data', 'orders.ndjson'),
        records.map(record => `${JSON.stringify(record)}\n`).join(''),
      )
    },
    contract(block) {
      project.files['orders'] = text(block)
    },
    async live() {
      const rows = await project.query('SELECT id FROM analytics.orders ORDER BY id')
      return rows.map(({ id }) => Number(id))
    },
    rejects: () =>
      project.query(
        'SELECT run_id, asset, status, kind, code, column_name, message, raw, record_number, replayed_run_id FROM svc.svc_rejects ORDER BY run_id, record_number',
      ),
  }
}

async function show(project: TestProject, request: Partial<RejectsRequest> = {}) {
  const workspace = await project.workspace()
  try {
    const wanted = { asset: undefined, runId: undefined, limit: 20, ...request }
    return await readRejects(workspace, wanted, () => undefined)
  } finally {
    await workspace.close()
  }
}

const good = [
  { id: 1, amount: 10 },
  { id: 3, amount: 30 },
]
const bad = { id: 2, amount: 'many' }
const typed = 'enforce_types: true, columns: {amount: bigint}'

describe('rejected records', () => {
  it('are in svc_rejects with reason, raw record and run, and the rest is live', async () => {
    const orders = source(`${typed}, max_rejects: 1`)
    orders.deliver(...good, bad)
    const report = await orders.project.run()
    expect(outcomes(report)).toEqual(['orders built'])
    expect(report.rejects).toEqual([
      { asset: 'orders', rows: 1, values: 0, columns: [], tables: [], refused: false },
    ])
    expect(await orders.live()).toEqual([1, 3])
    expect(await orders.rejects()).toEqual([
      {
        run_id: report.runId,
        asset: 'orders',
        status: 'rejected',
        kind: 'row',
        code: 'type',
        column_name: 'amount',
        message: 'column "amount" is promised as BIGINT, which cannot hold "many"',
        raw: JSON.stringify(bad),
        record_number: 3,
        replayed_run_id: null,
      },
    ])
    expect(orders.project.events).toContainEqual(
      expect.objectContaining({ type: 'records-rejected', asset: 'orders', rows: 1 }),
    )
  })

  it('are written once, and reported by every run that meets them', async () => {
    const orders = source(`${typed}, max_rejects: 1`)
    orders.deliver(...good, bad)
    await orders.project.run()
    const again = await orders.project.run()
    expect(outcomes(again)).toEqual(['orders unchanged'])
    expect(again.rejects).toMatchObject([{ asset: 'orders', rows: 1 }])
    expect(await orders.rejects()).toHaveLength(1)
  })

  it('go over the budget: the asset fails, production stays, the first ones can be looked at', async () => {
    const orders = source(typed)
    orders.deliver(...good)
    await orders.project.run()
    orders.deliver(...good, bad, { id: 4, amount: 'more' })
    const failed = await orders.project.run()
    expect(outcomes(failed)).toEqual(['orders failed'])
    expect(failed.failure).toMatchObject({ code: 'contract-violated', exitCode: 1 })
    expect(await orders.live()).toEqual([1, 3])
    expect(await orders.rejects()).toMatchObject([
      { status: 'refused', record_number: 3, raw: JSON.stringify(bad) },
      { status: 'refused', record_number: 4 },
    ])
    await orders.project.run()
    expect(await orders.rejects()).toHaveLength(2)
    orders.deliver(...good, { id: 2, amount: 20 })
    expect(outcomes(await orders.project.run())).toEqual(['orders built'])
    expect(await orders.rejects()).toEqual([])
  })

  it('are kept up to the thousandth where their source is refused', async () => {
    const orders = source(typed)
    orders.deliver(...Array.from({ length: 1001 }, (_, id) => ({ id, amount: 'many' })))
    expect(outcomes(await orders.project.run())).toEqual(['orders failed'])
    expect(await orders.rejects()).toHaveLength(1000)
  })

  it('count against a number of rows or a share of them', async () => {
    const two = [...good, bad, { id: 4, amount: 'more' }]
    for (const [budget, status] of [
      ['1', 'failed'],
      ['2', 'built'],
      ['49%', 'failed'],
      ['50%', 'built'],
    ]) {
      const orders = source(`${typed}, max_rejects: ${budget}`)
      orders.deliver(...two)
      expect(outcomes(await orders.project.run()), budget).toEqual([`orders ${status}`])
    }
  })

  it('may be many with a discard mode, but not all', async () => {
    const orders = source('evolution: {types: discard_row}, columns: {amount: bigint}')
    orders.deliver(...good.slice(0, 1), bad, { id: 4, amount: 'more' })
    expect(outcomes(await orders.project.run())).toEqual(['orders built'])
    expect(await orders.live()).toEqual([1])
    orders.deliver(bad, { id: 4, amount: 'more' })
    expect(outcomes(await orders.project.run())).toEqual(['orders failed'])
    expect(await orders.live()).toEqual([1])
  })

  it('are gone when their load is collected', async () => {
    const orders = source(`${typed}, max_rejects: 50%`)
    orders.project.files['orders'] += '\ndeploy: {keep: 1}'
    for (let n = 0; n < 4; n++) {
      orders.deliver(...good, bad, { id: 10 + n, amount: n })
      await orders.project.run()
    }
    const runs = new Set((await orders.rejects()).map(({ run_id }) => run_id))
    expect(runs.size).toBe(2)
  })

  it('of a failed build are rolled back with it', async () => {
    const orders = source(`${typed}, max_rejects: 1`)
    orders.deliver(...good, bad)
    orders.project.files['orders'] =
      orders.project.files['orders']?.replace('SELECT *', "SELECT 1/0 AS x, error('no') AS y") ?? ''
    await orders.project.run()
    const loads = await orders.project.query("SELECT build_key FROM svc.svc_builds WHERE part = 'raw'")
    const rejects = await orders.project.query('SELECT DISTINCT load_key FROM svc.svc_rejects')
    expect(rejects.map(({ load_key }) => load_key)).toEqual(loads.map(({ build_key }) => build_key))
  })
})

it('a source is taken as it comes the first time, whatever the contract refuses from then on', async () => {
  const orders = source('evolution: freeze, columns: {id: bigint}')
  orders.deliver({ id: 1, amount: 1 })
  expect(outcomes(await orders.project.run())).toEqual(['orders built'])
  orders.deliver({ id: 1, amount: 1, note: 'x' })
  expect(outcomes(await orders.project.run())).toEqual(['orders failed'])
})

describe('a repaired contract', () => {
  it('brings rejected records back in with the next run, and says so', async () => {
    const orders = source(`${typed}, max_rejects: 2`)
    orders.deliver(...good, bad, { id: 4, amount: 'more' })
    const first = await orders.project.run()
    expect((await show(orders.project)).total).toBe(2)
    // The source has repaired one of them meanwhile: the old record must not come back beside it.
    orders.deliver(...good, bad, { id: 4, amount: 40 })
    orders.contract('enforce_types: true, columns: {amount: varchar}')
    const repaired = await orders.project.run()
    expect(outcomes(repaired)).toEqual(['orders built'])
    expect(await orders.live()).toEqual([1, 2, 3, 4])
    expect(orders.project.events).toContainEqual({ type: 'records-replayed', asset: 'orders', records: 1 })
    expect((await show(orders.project)).total).toBe(0)
    expect((await show(orders.project, { runId: first.runId })).rejects).toMatchObject([
      { record_number: 3, replayed_run_id: repaired.runId },
      { record_number: 4, replayed_run_id: null },
    ])
  })

  it('that still rejects a record does not call it replayed', async () => {
    const orders = source(`${typed}, max_rejects: 2`)
    orders.deliver(...good, bad)
    await orders.project.run()
    orders.contract('enforce_types: true, columns: {amount: integer}, max_rejects: 2')
    await orders.project.run()
    expect(orders.project.events.some(({ type }) => type === 'records-replayed')).toBe(false)
    expect((await orders.rejects()).map(({ replayed_run_id }) => replayed_run_id)).toEqual([null, null])
  })

  it('is not marked by a preview', async () => {
    const orders = source(`${typed}, max_rejects: 2`)
    orders.deliver(...good, bad)
    await orders.project.run()
    orders.contract('columns: {amount: varchar}')
    await orders.project.run({ kind: 'preview' })
    expect(await orders.rejects()).toMatchObject([{ replayed_run_id: null }])
  })

  it('with a smaller budget refuses what it allowed before, though no file changed', async () => {
    const orders = source(`${typed}, max_rejects: 2`)
    orders.deliver(...good, bad)
    await orders.project.run()
    orders.contract(`${typed}, max_rejects: 0`)
    expect(outcomes(await orders.project.run())).toEqual(['orders failed'])
    expect(await orders.live()).toEqual([1, 3])
  })
})

describe('what svc rejects shows', () => {
  it('hides personal values in records, values and messages', async () => {
    const secret = 'ada@example.com'
    const records = [
      { id: 1, amount: 1, Mail: secret, phone: 5 },
      { id: 2, amount: 'x', Mail: secret, phone: 5 },
      { id: 3, amount: 3, Mail: secret, phone: secret },
    ]
    const orders = source(
      'evolution: {types: discard_row}, columns: {amount: bigint, email: {from: Mail, pii: true}, phone: {type: bigint, pii: true}}',
    )
    orders.deliver(...records)
    const report = await orders.project.run()
    expect(report.rejects).toMatchObject([{ rows: 2 }])
    const { rejects } = await show(orders.project)
    expect(rejects).toHaveLength(2)
    expect(JSON.stringify(rejects)).not.toContain(secret)
    expect(JSON.stringify(orders.project.events)).not.toContain(secret)
    expect(JSON.parse(rejects[0]?.raw ?? '')).toEqual({ id: 2, amount: 'x', Mail: '***', phone: '***' })
  })

  it('hides what a personal column of the asset is made of', async () => {
    const orders = source('evolution: {types: discard_row}, columns: {phone: bigint}')
    orders.project.files['orders'] = (orders.project.files['orders'] ?? '').replace(
      'transform: SELECT * FROM {{ source }}',
      'transform: SELECT id, phone AS contact FROM {{ source }}\ncolumns: {contact: {pii: true}}',
    )
    orders.deliver({ id: 1, phone: 5 }, { id: 2, phone: 'at-home-7' })
    await orders.project.run()
    const { rejects } = await show(orders.project)
    expect(rejects).toHaveLength(1)
    expect(JSON.stringify(rejects)).not.toContain('at-home-7')
  })

  it('keeps every digit of records without personal values', async () => {
    const orders = source('evolution: {types: discard_row}, columns: {amount: bigint}')
    mkdirSync(join(orders.project.root, 'data'), { recursive: true })
    const raw = '{"id":2,"amount":"x","serial":12345678901234567890123}'
    writeFileSync(
      join(orders.project.root, 'data', 'orders.ndjson'),
      `{"id":1,"amount":1,"serial":1}\n${raw}\n`,
    )
    await orders.project.run()
    expect((await show(orders.project)).rejects[0]?.raw).toBe(raw)
  })

  it('is nothing where nothing ever ran, and refuses unknown assets', async () => {
    const orders = source()
    orders.deliver(...good)
    expect(await show(orders.project)).toEqual({ rejects: [], total: 0 })
    await expect(show(orders.project, { asset: 'ordrs' })).rejects.toMatchObject({ code: 'unknown-asset' })
  })
})

describe('a column of a contract that the source does not have', () => {
  const warnings = ({ project }: Source) =>
    project.events.flatMap(event => (event.type === 'warning' ? [event.message] : []))

  it('is named with the time since when, in every run until it is back', async () => {
    const orders = source('columns: {note: varchar}')
    orders.deliver({ id: 1, note: 'x' })
    await orders.project.run()
    expect(warnings(orders)).toEqual([])
    orders.deliver({ id: 1 })
    await orders.project.run()
    const first = warnings(orders)
    expect(first).toEqual([
      expect.stringMatching(/^the source has had no column note since \S+ \S+ UTC: it is NULL in every row$/),
    ])
    orders.deliver({ id: 2 })
    await orders.project.run()
    expect(warnings(orders)).toEqual(first)
    orders.deliver({ id: 1, note: 'x' })
    await orders.project.run()
    expect(warnings(orders)).toEqual([])
  })

  it('is named at the first load if it was never there, by its name at the source', async () => {
    const orders = source('columns: {remark: {type: varchar, from: nota}}')
    orders.deliver({ id: 1, note: 'x' })
    await orders.project.run()
    expect(warnings(orders)).toEqual(['the source has no column nota: remark is NULL in every row'])
    orders.deliver({ id: 2, note: 'x' })
    await orders.project.run()
    expect(warnings(orders)).toEqual([])
  })

  it('fails the asset if it must be there', async () => {
    for (const contract of [
      'required_columns: [note]',
      'columns: {note: {type: varchar, nullable: false}}',
      'required_columns: [note], columns: {note: varchar}',
    ]) {
      const orders = source(contract)
      orders.deliver({ id: 1, note: 'x' })
      await orders.project.run()
      orders.deliver({ id: 1 })
      expect(outcomes(await orders.project.run())).toEqual(['orders failed'])
      expect(warnings(orders)).toEqual([])
    }
  })
})

describe('records that are null', () => {
  const deliver = ({ project }: Source, text: string) => {
    mkdirSync(join(project.root, 'data'), { recursive: true })
    writeFileSync(join(project.root, 'data', 'orders.ndjson'), text)
  }
  const said = ({ project }: Source) =>
    project.events.flatMap(event =>
      event.type === 'warning' || event.type === 'asset-failed' ? [event.message] : [],
    )

  it('do not have a column that is required', async () => {
    const orders = source('columns: {id: bigint}, required_columns: [id]')
    deliver(orders, 'null\nnull\n')
    expect(outcomes(await orders.project.run())).toEqual(['orders failed'])
    expect(said(orders)).toContain('the source has no column "id"')
  })

  it('are counted in a warning where nothing is required', async () => {
    const orders = source()
    deliver(orders, 'null\n{"id":1}\n')
    await orders.project.run()
    expect(said(orders)).toEqual(['1 of 2 records is null, a row of NULLs each'])
  })

  it('alone say nothing of columns', async () => {
    const orders = source()
    deliver(orders, 'null\n')
    await orders.project.run()
    expect(said(orders)).toEqual([
      'the source brought no records but null, and nothing says which columns it has',
    ])
  })
})

const text = typeUnderTest('VARCHAR')
const bigint = typeUnderTest('BIGINT')

describe('drift of a source between runs', () => {
  it('is told once: new, gone and retyped columns, new and gone tables', async () => {
    const orders = source()
    const drift = () =>
      orders.project.events.flatMap(event =>
        event.type === 'source-drift' ? event.changes.map(driftText) : [],
      )
    orders.deliver({ id: 1, amount: 1, note: 'x' })
    await orders.project.run()
    expect(drift()).toEqual([])
    orders.deliver({ id: 1, amount: 1.5, city: 'Ulm', lines: [{ sku: 'mug' }] })
    await orders.project.run()
    expect(drift()).toEqual([
      `column city ${text} is new`,
      `column amount became ${typeUnderTest('DOUBLE')} from ${bigint}`,
      'child table lines is new',
      'column note is gone',
    ])
    orders.deliver({ id: 1, amount: 2.5, city: 'Ulm', lines: [{ sku: 'tea' }] })
    await orders.project.run()
    expect(drift()).toEqual([])
    orders.deliver({ id: 1, amount: 2.5, city: 'Ulm' })
    await orders.project.run()
    expect(drift()).toEqual(['child table lines is gone'])
  })

  it('is measured against the warehouse where the lock is missing', async () => {
    const orders = source('evolution: {columns: freeze}')
    orders.deliver(...good)
    await orders.project.run()
    rmSync(join(orders.project.root, 'schemas.lock.json'))
    orders.deliver({ ...good[0], extra: 1 })
    const failed = await orders.project.run()
    expect(failed.failure?.message).toBe('column "extra" is new (in record 1)')
  })
})

describe('drift in a plan', () => {
  it('names what is gone or retyped with every place that rests on it', async () => {
    const orders = source('columns: {id: bigint}')
    orders.project.files['totals'] = "SELECT amount * 2 AS twice FROM {{ ref('orders') }}"
    orders.deliver({ id: 1, amount: 1, note: 'x' })
    await orders.project.run()
    orders.deliver({ id: 1, amount: 'many', city: 'Ulm', note: 'x' })
    const workspace = await orders.project.workspace()
    // The catalogue knows the columns of the last load, as it does from the lock.
    const { shapes } = parseSchemaLock(readFileSync(join(orders.project.root, 'schemas.lock.json'), 'utf8'))
    const analysis = workspace.catalog.analyze(workspace.project, shapes)
    const checks = await checkContracts({ ...workspace, analysis: () => analysis }, ['orders'])
    await workspace.close()
    expect(checks.map(({ status }) => status)).toEqual(['kept'])
    const drift = checks[0]?.drift.map(({ change, readers }) => [
      driftText(change),
      readers.map(({ asset, column, path }) => `${asset} ${column} ${path}`),
    ])
    expect(drift).toEqual([
      [`column city ${text} is new`, []],
      [`column amount became ${text} from ${bigint}`, ['totals amount models/totals.svc']],
    ])
  })
})
