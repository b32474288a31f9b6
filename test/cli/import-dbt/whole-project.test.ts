/** `svc import dbt`: a whole project comes over and gives the rows that dbt built. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importDbtSchema } from '../../../server/contract/dbt-import.ts'
import { createDbtGround, type DbtGround } from './dbt-ground.ts'

let ground: DbtGround
beforeEach(() => {
  ground = createDbtGround()
})
afterEach(() => ground.dispose())

const fixture = join(import.meta.dirname, '..', '..', 'fixtures', 'dbt-shop')

describe('a whole project', () => {
  beforeEach(() => cpSync(fixture, join(ground.root, 'my-dbt'), { recursive: true }))

  it('comes over, validates, runs, passes its tests, and has the rows that dbt built', async () => {
    const said = await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new'])
    expect(said.code).toBe(1)
    const project = ground.at('new')
    for (const words of [['validate'], ['run', '--env', 'prod']]) {
      const { code, stdout, stderr } = await project(words)
      expect(code, stdout + stderr).toBe(0)
    }
    expect(ground.read('new/.svc/test_results.json')).toContain('payments_are_added_by_method')
    const wanted = JSON.parse(readFileSync(join(fixture, 'rows.json'), 'utf8')) as Record<string, object[]>
    expect(Object.keys(wanted)).toHaveLength(11)
    for (const [name, rows] of Object.entries(wanted)) {
      expect({ name, rows: await ground.rowsOf('new/warehouse.duckdb', name) }).toEqual({ name, rows })
    }
  })

  it('tells at 80 columns what did not come over', async () => {
    const { stdout } = await ground.line(['import', 'dbt', 'my-dbt', '--no-write'])
    expect(ground.allFiles('.').filter(path => !path.startsWith('my-dbt/'))).toEqual([])
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
    expect(stdout).toMatchInlineSnapshot(`
      "· corner_shop of dbt, unrolled for target dev on DuckDB: nothing was written
          9 models, 3 seeds, 1 source, 21 tests, 1 unit test, 1 exposure

      To be done by hand
        ✗ what runs after all models
          dbt_project.yml:34:1
            svc has no hooks: run it after "svc run".
        ✗ the snapshot customers_history: svc has none yet
          snapshots/customers_history.sql:1:1
            Read the table that dbt made of it: an asset with ingest: {type: sql, …}.

      Came over differently
        ! order_facts is a table, not incremental
          models/marts/order_facts.sql:1:4
            svc has no incremental models yet: each run that finds a change builds the
            whole table.

      Left out, no row depends on it
        - an analysis
          analyses/largest_orders.sql:1:1
            Its SQL may be run by a client of the warehouse; what others read is an
            asset.
        - "store_failures" of tests
          dbt_project.yml:32:5
            svc keeps the tables of a failed run and shows the first rows that failed.
        - meta "color"
          models/marts/schema.yml:17:5
        - "maturity" of exposures
          models/marts/schema.yml:50:5
        - a disabled model
          models/marts/seen_columns.sql:1:1
        - "description" of sources
          models/sources.yml:3:5
        - the text "nobody", which no description uses
          models/staging/docs.md:13:1

      Next: the same without --no-write.
      "
    `)
  })

  it('says the same as JSON, in the published schema', async () => {
    const said = await ground.line(['import', 'dbt', 'my-dbt', '--output', 'new', '--json'])
    const value: unknown = JSON.parse(said.stdout)
    const validate = new Ajv2020({ strict: false }).compile(importDbtSchema)
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true)
    expect(value).toMatchObject({
      project: 'corner_shop',
      target: 'dev',
      written: true,
      counts: { models: 9, seeds: 3, sources: 1, tests: 21, unit_tests: 1, exposures: 1 },
    })
    const { files } = value as { files: string[] }
    expect(ground.allFiles('new')).toEqual([...files].sort())
  })

  it('unrolls SQL so that people can read on in it', async () => {
    await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new'])
    expect(ground.read('new/models/staging/orders_clean.svc')).toMatchInlineSnapshot(`
      "name: orders_clean
      description: |-
        Orders that were not cancelled.

        Amounts are in *euros*.
      tags: [nightly, staging, core]
      ingest: none

      transform: |
        /* Orders in one currency.
           Cancelled ones are out. */
        select
            o.order_id,
            o.customer_id,
            o.ordered_at,
            -- in euros
            round(o.amount * r.rate, 2) as amount,
            o.currency,
            o.status
        from {{ ref('raw_orders') }} as o
        join {{ ref('rates') }} as r on r.code = o.currency
        where o.status <> 'cancelled'
          and o.amount > 3
          and o.ordered_at >= {{ var('first_day') }}
          and o.amount > {{ var('smallest_amount') }} - 3

      columns:
        order_id: {description: Number of the order., role: primary_key}

      tests:
        - expression: amount < 1000
        - name: dbt_utils_equal_rowcount
          sql: |-
            select own.n as own_rows, other.n as other_rows
            from (select count(*) as n from {{ this }}) as own, (select count(*) as n from {{ ref('order_facts') }}) as other
            where own.n <> other.n
        - name: is_positive_order_id
          sql: |-
            select order_id
            from {{ this }}
            where not order_id > 0
        - relationships: {order_id: till_payments.order_id}
          severity: warn
          where: status = 'paid'
        - unique: order_id
        - not_null: order_id
        - range: {amount: {min: 0, strict: true}}
        - name: amounts_are_more_than_one
          sql: |-
            select amount
            from (select * from {{ this }} where currency = 'eur') dbt_subquery
            where not amount > 1
          warn_if: "> 1"
          error_if: "> 10"
        - accepted_values: {currency: [eur, usd]}

      deploy: {materialize: view}
      "
    `)
    expect(ground.read('new/svc.yaml')).toMatchInlineSnapshot(`
      "name: corner_shop
      warehouse: duckdb:./warehouse.duckdb
      default_schema: analytics
      vars: {first_day: 2024-01-01, smallest_amount: 5}
      "
    `)
    expect(ground.read('new/README.md')).toBe('# Corner shop\n\nWhat is sold, to whom, and for how much.\n')
    expect(ground.read('new/seeds/raw_orders.csv')).toBe(ground.read('my-dbt/seeds/raw_orders.csv'))
  })

  it('does not change the dbt project', async () => {
    const before = ground.allFiles('my-dbt')
    await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new'])
    expect(ground.allFiles('my-dbt')).toEqual(before)
  })
})

/** The examples of the help, in the folders that they name. */
describe('the examples of the help', () => {
  it('write a project here, or nothing', async () => {
    ground.writeAll({ 'my-dbt/models/a.sql': 'select 1 as id' })
    mkdirSync(join(ground.root, 'here'))
    const here = ground.at('here')
    const shown = await here(['import', 'dbt', '../my-dbt', '--no-write'])
    expect(shown.code).toBe(0)
    expect(ground.allFiles('here')).toEqual([])
    expect((await here(['import', 'dbt', '../my-dbt', '-o', '.'])).code).toBe(0)
    expect(ground.allFiles('here')).toEqual(['models/a.svc', 'svc.yaml'])
  })
})
