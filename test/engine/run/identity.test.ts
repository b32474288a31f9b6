import { describe, expect, test } from 'vitest'
import { outcomes, projectMaker } from './test-project.ts'

const project = projectMaker()

const chain = {
  a: 'SELECT 1 AS id, 10 AS amount UNION ALL SELECT 2, 20',
  b: "SELECT id, amount * 2 AS doubled FROM {{ ref('a') }}",
  c: "SELECT sum(doubled) AS total FROM {{ ref('b') }}",
  other: 'SELECT 5 AS n',
}

describe('identity', () => {
  test('the first run builds everything and shows it in production', async () => {
    const p = project(chain)
    const report = await p.run()
    expect(report.failure).toBeUndefined()
    expect(outcomes(report)).toEqual(['a built', 'b built', 'c built', 'other built'])
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 60 }])
    expect(report.generation).toBe(1)
    expect(report.promotedViews).toBe(4)
  })

  test('an unchanged project builds nothing, makes no green schema and keeps its generation', async () => {
    const p = project(chain)
    await p.run()
    const report = await p.run()
    expect(outcomes(report)).toEqual(['a unchanged', 'b unchanged', 'c unchanged', 'other unchanged'])
    expect(report.generation).toBe(1)
    expect(p.events.map(({ type }) => type)).not.toContain('promoted')
    const schemas = await p.withSession(session => session.schemas('svc_g_'))
    expect(schemas).toHaveLength(1)
    const history = await p.query('SELECT status, generation FROM svc.svc_state_history ORDER BY started_at')
    expect(history).toEqual([
      { status: 'deployed', generation: 1 },
      { status: 'deployed', generation: 1 },
    ])
  })

  test('a comment, spacing and a description rebuild nothing', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] =
      "description: twice\ningest: none\ntransform: |\n  -- twice the amount\n  select ID, amount*2 as doubled\n  from {{ ref('a') }}"
    expect(outcomes(await p.run())).toEqual(['a unchanged', 'b unchanged', 'c unchanged', 'other unchanged'])
  })

  test('a change of one rebuilds it and what depends on it', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] = "SELECT id, amount * 3 AS doubled FROM {{ ref('a') }}"
    const report = await p.run()
    expect(outcomes(report)).toEqual(['a unchanged', 'b built', 'c built', 'other unchanged'])
    expect(report.promotedViews).toBe(2)
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 90 }])
  })

  test('going back to an earlier text reuses its builds', async () => {
    const p = project(chain)
    await p.run()
    p.files['b'] = "SELECT id, amount * 3 AS doubled FROM {{ ref('a') }}"
    await p.run()
    p.files['b'] = chain.b
    const report = await p.run()
    expect(outcomes(report)).toContain('b taken_over')
    expect(report.generation).toBe(3)
    expect(await p.query('SELECT CAST(total AS INTEGER) AS total FROM analytics.c')).toEqual([{ total: 60 }])
  })

  test('a variable rebuilds who uses it', async () => {
    const p = project({
      a: "SELECT {{ var('factor') }} AS n, '{{ var('factor') }} times' AS label",
      b: 'SELECT 1 AS n',
    })
    p.settings = 'vars: {factor: 3}'
    await p.run()
    expect(await p.query('SELECT * FROM analytics.a')).toEqual([{ n: 3, label: '3 times' }])
    p.settings = 'vars: {factor: 4}'
    expect(outcomes(await p.run())).toEqual(['a built', 'b unchanged'])
    expect(await p.query('SELECT * FROM analytics.a')).toEqual([{ n: 4, label: '4 times' }])
  })

  test('SQL that asks for the time is built anew in every run, and so is what reads it', async () => {
    const p = project({ a: 'SELECT now() AS t', b: "SELECT t FROM {{ ref('a') }}", c: 'SELECT 1 AS n' })
    await p.run()
    expect(outcomes(await p.run())).toEqual(['a built', 'b built', 'c unchanged'])
  })

  test('a source with other content is loaded again, with the same content it is not', async () => {
    const p = project({
      src: 'ingest: {type: rows, rows: [{id: 1}, {id: 2}]}\ntransform: SELECT id FROM {{ source }}',
      reader: "SELECT count(*) AS n FROM {{ ref('src') }}",
    })
    expect(outcomes(await p.run())).toEqual(['reader built', 'src built'])
    expect(outcomes(await p.run())).toEqual(['reader unchanged', 'src unchanged'])
    p.files['src'] =
      'ingest: {type: rows, rows: [{id: 1}, {id: 2}, {id: 3}]}\ntransform: SELECT id FROM {{ source }}'
    expect(outcomes(await p.run())).toEqual(['reader built', 'src built'])
    expect(await p.query('SELECT n FROM analytics.reader')).toEqual([{ n: 3 }])
  })

  test('--no-ingest builds on the last load', async () => {
    const rows = 'ingest: {type: rows, rows: [{id: 1}, {id: 2}]}'
    const p = project({ src: `${rows}\ntransform: SELECT id FROM {{ source }}` })
    await p.run()
    p.files['src'] = `${rows}\ntransform: SELECT id + 10 AS id FROM {{ source }}`
    const report = await p.run({ noIngest: true })
    expect(outcomes(report)).toEqual(['src built'])
    expect(p.events.map(({ type }) => type)).not.toContain('fetch-started')
    expect(await p.query('SELECT id FROM analytics.src ORDER BY id')).toEqual([{ id: 11 }, { id: 12 }])
  })

  test('--no-ingest without a load says so', async () => {
    const p = project({
      src: 'ingest: {type: rows, rows: [{id: 1}]}\ntransform: SELECT id FROM {{ source }}',
    })
    const report = await p.run({ noIngest: true })
    expect(report.failure).toMatchObject({ code: 'parent-not-built', asset: 'src' })
    expect(report.failure?.hint).toContain('--no-ingest')
  })
})

describe('tests have an identity of their own', () => {
  const tested = (tests: string) => `ingest: none\ntransform: SELECT 1 AS id, 'x' AS k\ntests: ${tests}`

  test('an unchanged test keeps its result, a new one runs on the table that is there', async () => {
    const p = project({ a: tested('[{unique: id}]') })
    await p.run()
    p.files['a'] = tested('[{unique: id}, {accepted_values: {k: [x]}}]')
    const report = await p.run()
    expect(outcomes(report)).toEqual(['a unchanged'])
    expect(report.tests.map(({ name, ran }) => `${name} ${ran}`)).toEqual([
      'unique_id false',
      'accepted_values_k true',
    ])
    const all = await p.run({ allTests: true })
    expect(all.tests.map(({ ran }) => ran)).toEqual([true, true])
  })

  test('a test of an unselected asset runs when what it reads is new, and blocks', async () => {
    const p = project({
      customers: 'SELECT 1 AS id UNION ALL SELECT 2',
      orders:
        'ingest: none\ntransform: SELECT 2 AS customer_id\ntests: [{relationships: {customer_id: customers.id}}]',
    })
    expect((await p.run()).status).toBe('deployed')
    p.files['customers'] = 'SELECT 1 AS id'
    const report = await p.run({ selector: 'customers' })
    expect(report.failure).toMatchObject({ code: 'test-failed', asset: 'orders' })
    expect(await p.query('SELECT count(*) AS n FROM analytics.customers')).toEqual([{ n: 2 }])
  })
})
