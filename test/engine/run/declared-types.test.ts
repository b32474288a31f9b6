/** A column that the contract gives a type has that type, without `enforce_types` too: what does not fit is kept and told. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outcomes, projectMaker } from './test-project.ts'

const make = projectMaker()

const values = ['7', '3000000000', '2.5', 'x']

const deliveries = {
  'orders.csv': `id,amount\n${values.map((value, index) => `${index + 1},${value}\n`).join('')}`,
  'orders.ndjson': values
    .map(
      (value, index) =>
        `${JSON.stringify({ id: index + 1, amount: value === 'x' ? value : Number(value) })}\n`,
    )
    .join(''),
}

function project(file: keyof typeof deliveries, contract: string) {
  const made = make({
    orders: `ingest: {type: file, endpoint: data, resource: ${file}}\ncontract: {${contract}}\ntransform: SELECT id, amount FROM {{ source }}`,
  })
  mkdirSync(join(made.root, 'data'), { recursive: true })
  writeFileSync(join(made.root, 'data', file), deliveries[file])
  return made
}

describe.each(Object.keys(deliveries) as (keyof typeof deliveries)[])('in %s', file => {
  it('a value that an integer cannot hold is NULL, kept as rejected, and warned of', async () => {
    const p = project(file, 'columns: {amount: integer}')
    const report = await p.run()
    expect(outcomes(report)).toEqual(['orders built'])
    expect(report.warnings).toMatchObject([{ code: 'rejected-records', asset: 'orders' }])
    expect(report.rejects).toEqual([
      { asset: 'orders', rows: 0, values: 3, columns: [], tables: [], refused: false },
    ])
    const rows = await p.query('SELECT id, amount FROM analytics.orders ORDER BY id')
    expect(rows.map(({ amount }) => (amount === null ? null : Number(amount)))).toEqual([7, null, null, null])
    const kept = await p.query('SELECT column_name, raw FROM svc.svc_rejects ORDER BY record_number')
    expect(kept).toHaveLength(3)
    kept.forEach(({ column_name, raw }, index) => {
      expect(column_name).toBe('amount')
      expect(String(raw)).toContain(values[index + 1])
    })
  })

  it('with enforce_types the same values fail the asset', async () => {
    const report = await project(file, 'enforce_types: true, columns: {amount: integer}').run()
    expect(outcomes(report)).toEqual(['orders failed'])
  })

  it('with max_rejects more of them fail it', async () => {
    const report = await project(file, 'max_rejects: 2, columns: {amount: integer}').run()
    expect(outcomes(report)).toEqual(['orders failed'])
  })
})
