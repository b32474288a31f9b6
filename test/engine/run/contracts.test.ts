/** Contracts in whole runs: what is left out is in `svc_rejects`, budgets fail the asset, mended contracts bring back. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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
