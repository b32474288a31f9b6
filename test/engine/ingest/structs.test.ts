/** `nested: struct`: objects and lists stay values of the engine's own nested types, with every value in them converted. */
import { openLocalReader, sourceLooker, sourceOf } from '@svc/server/catalog'
import { afterAll, describe, expect, it } from 'vitest'
import { rawTables } from '../../../server/language/index.ts'
import { engine } from '../../support/engine.ts'
import { contextFor, load, temporaryProject } from './fetching.ts'

const project = temporaryProject()
afterAll(() => project.remove())

const file = (resource: string, more = '') =>
  `ingest: {type: file, endpoint: ./data, resource: ${resource}, nested: struct${more === '' ? '' : `, ${more}`}}`

const lines = (...records: unknown[]) => `${records.map(record => JSON.stringify(record)).join('\n')}\n`

const order = {
  orderID: 1,
  customer: { fullName: 'Ada', since: '2024-01-05T10:00:00+02:00', 'Zip Code': '08001' },
  lines: [
    { sku: 'tea', qty: 2, price: 1.5 },
    { sku: 'cup', qty: 1, gift: true },
  ],
  tags: ['a', 'b'],
  nothing: {},
}

async function checked(body: string): Promise<string[]> {
  const { asset } = contextFor(project, body)
  const looker = sourceLooker({ root: project.root })
  try {
    const { tables } = sourceOf(asset, await looker.look(asset.definition.ingest), undefined, engine)
    return (tables?.[0]?.columns ?? []).map(({ name, type }) => `${name} ${type ?? '?'}`)
  } finally {
    looker.close()
  }
}

const columns = [
  'order_id BIGINT',
  'customer STRUCT(full_name VARCHAR, since TIMESTAMP WITH TIME ZONE, zip_code VARCHAR)',
  'lines STRUCT(sku VARCHAR, qty BIGINT, price DOUBLE, gift BOOLEAN)[]',
  'tags VARCHAR[]',
  'nothing JSON',
]

describe('nested: struct', () => {
  it('keeps objects and lists with typed fields, as the check of the file says', async () => {
    project.write('data/orders.ndjson', lines(order, { orderID: 2, customer: null, lines: null }))
    const { columns: loaded, rows } = await load(project, file('orders.ndjson'))
    expect(loaded['']).toEqual(columns)
    expect(await checked(file('orders.ndjson'))).toEqual(columns)
    expect(rows['']).toEqual([
      {
        order_id: '1',
        customer: { full_name: 'Ada', since: '2024-01-05 08:00:00+00', zip_code: '08001' },
        lines: [
          { sku: 'tea', qty: '2', price: 1.5, gift: null },
          { sku: 'cup', qty: '1', price: null, gift: true },
        ],
        tags: ['a', 'b'],
        nothing: '{}',
      },
      { order_id: '2', customer: null, lines: null, tags: null, nothing: null },
    ])
  })
})

const contract = (text: string) => `\ncontract: ${text}`

describe('fields of structs', () => {
  const before = [
    { id: 1, customer: { name: 'Ada', age: 36 } },
    { id: 2, customer: { name: 'Ben', age: 41 } },
  ]
  const more = [
    { id: 1, customer: { name: 'Ada', age: 36, card: { no: 'x' } } },
    { id: 2, customer: { name: 'Ben', age: 41 } },
  ]

  it('are left out by exclude, and kept alone by include', async () => {
    project.write('data/more.ndjson', lines(...more))
    const without = await load(project, file('more.ndjson', 'exclude: [customer.age, customer.card]'))
    expect(without.columns['']).toEqual(['id BIGINT', 'customer STRUCT("name" VARCHAR)'])
    expect(without.fetched.excludedColumns).toEqual(['customer.age', 'customer.card'])
    const only = await load(project, file('more.ndjson', 'include: [id, customer.name]'))
    expect(only.rows['']).toEqual([
      { id: '1', customer: { name: 'Ada' } },
      { id: '2', customer: { name: 'Ben' } },
    ])
    const none = await load(
      project,
      file('more.ndjson', 'exclude: [customer.name, customer.age, customer.card]'),
    )
    expect(none.columns['']).toEqual(['id BIGINT'])
    const masked = await load(project, file('more.ndjson', 'mask: {customer.name: redact}'))
    expect(masked.rows['']?.[1]).toEqual({ id: '2', customer: { name: '***', age: '41', card: null } })
  })

  it('below the depth are JSON, where nothing can be left out', async () => {
    project.write('data/more.ndjson', lines(...more))
    const shallow = file('more.ndjson').replace('nested: struct', 'nested: {mode: struct, depth: 1}')
    expect((await load(project, shallow)).columns['']?.[1]).toBe(
      'customer STRUCT("name" VARCHAR, age BIGINT, card JSON)',
    )
    await expect(
      load(project, shallow.replace('}}', '}, exclude: [customer.card.no]}').replace('1}, ex', '1}, ex')),
    ).rejects.toThrow('"customer.card.no" cannot be left out: "customer.card" is loaded as one value')
  })

  it('that do not fit a promised type become NULL, and rejects', async () => {
    project.write('data/odd.ndjson', lines(...before, { id: 3, customer: { name: 'Cy', age: 'old' } }))
    const promise = contract('{columns: {customer: "struct(name varchar, age integer, city varchar)"}}')
    const { rows, columns: types, rejects } = await load(project, `${file('odd.ndjson')}${promise}`)
    expect(types['']?.[1]).toBe('customer STRUCT("name" VARCHAR, age INTEGER, city VARCHAR)')
    expect(rows['']?.[2]).toEqual({ id: '3', customer: { name: 'Cy', age: null, city: null } })
    expect(rejects.map(({ column_name, code }) => [column_name, code])).toEqual([['customer', 'type']])
  })

  it('stay when a load lacks them, and widen', async () => {
    project.write('data/a.ndjson', lines(...more))
    const first = (await load(project, file('a.ndjson'))).fetched.tables.map(({ shape }) => shape)
    project.write('data/a.ndjson', lines({ id: 3, customer: { age: 1.5, city: 'Rome' } }))
    const { columns: types, rows } = await load(project, file('a.ndjson'), { previous: first })
    expect(types['']?.[1]).toBe(
      'customer STRUCT("name" VARCHAR, age DOUBLE, card STRUCT("no" VARCHAR), city VARCHAR)',
    )
    expect(rows['']).toEqual([{ id: '3', customer: { name: null, age: 1.5, card: null, city: 'Rome' } }])
    project.write('data/a.ndjson', lines({ id: 3, customer: { age: 'n/a' } }))
    await expect(load(project, file('a.ndjson'), { previous: first })).rejects.toThrow(
      'the values of "customer.age" (BIGINT) are of another type than at the last load',
    )
  })

  it('that are new are new columns to a contract', async () => {
    project.write('data/b.ndjson', lines(...before))
    const body = (mode: string) => `${file('b.ndjson')}${contract(`{evolution: {columns: ${mode}}}`)}`
    const first = (await load(project, body('freeze'))).fetched.tables.map(({ shape }) => shape)
    project.write('data/b.ndjson', lines(...more))
    const again = (mode: string) => load(project, body(mode), { previous: first })
    await expect(again('freeze')).rejects.toThrow('column "customer.card" is new')
    const value = await again('discard_value')
    expect(value.columns['']?.[1]).toBe('customer STRUCT("name" VARCHAR, age BIGINT)')
    expect(value.fetched.rejects?.columns).toEqual(['customer.card'])
    const row = await again('discard_row')
    expect(row.rows['']).toEqual([{ id: '2', customer: { name: 'Ben', age: '41' } }])
    expect((await again('evolve')).columns['']?.[1]).toContain('card STRUCT("no" VARCHAR)')
  })

  it('that get one name, and an engine without structs, are errors', () => {
    const { asset } = contextFor(project, file('b.ndjson'))
    const ingest = asset.definition.ingest as Parameters<typeof rawTables>[0]
    const text = { kind: 'scalar', type: 'VARCHAR' } as const
    const inner = { kind: 'struct', fields: ['A b', 'a_b'].map(name => ({ name, type: text })) } as const
    const record = { kind: 'struct', fields: [{ name: 'o', type: inner }] } as const
    expect(rawTables(ingest, undefined, record, engine).problems.map(({ message }) => message)).toEqual([
      '"o.A b" and "o.a_b" both become the field a_b',
    ])
    const plain = { ...engine, kind: 'flat', types: { ...engine.types, hasStructs: false } }
    expect(rawTables(ingest, undefined, undefined, plain).problems[0]?.message).toBe(
      'nested: struct needs a warehouse with types for objects, and flat has none',
    )
  })
})

describe('structs of Parquet', () => {
  it('are taken as they are', async () => {
    const local = await openLocalReader({ threads: 1 })
    project.write('data/.keep', '')
    await local.rows(
      `COPY (SELECT {A: 1::INTEGER, "b c": [{x: '2020-01-01'::DATE}]} AS "Top Level", MAP{'k': 1} AS m) TO '${project.path('data/s.parquet')}'`,
    )
    local.close()
    const { columns: types, rows } = await load(project, file('s.parquet'))
    expect(types['']).toEqual([
      'top_level STRUCT(a INTEGER, b_c STRUCT(x DATE)[])',
      'm MAP(VARCHAR, INTEGER)',
    ])
    expect(rows['']?.[0]?.['top_level']).toEqual({ a: 1, b_c: [{ x: '2020-01-01' }] })
  })
})
