/** What a contract says of child tables (`contract.tables`): types, missing values, rejects, marks. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Loaded, load, type Project, temporaryProject } from './fetching.ts'

type Records = readonly Readonly<Record<string, unknown>>[]

let project: Project
beforeAll(() => {
  project = temporaryProject()
})
afterAll(() => project.remove())

const records: Records = [
  {
    id: 1,
    lines: [
      { sku: 'mug', qty: '2' },
      { sku: 'tea', qty: 'many' },
    ],
  },
  { id: 2, lines: [{ sku: 'tea', qty: '1' }] },
  { id: 3, lines: [{ qty: '5' }] },
  { id: 4, lines: [] },
]

const source = (rows: Records) => `ingest: {type: rows, rows: ${JSON.stringify(rows)}}`
const withContract = (contract: string, rows = records, changes = {}): Promise<Loaded> =>
  load(project, `${source(rows)}\ncontract: ${contract}`, changes)
const lines = ({ rows }: Loaded) => rows['lines']?.map(({ sku, qty }) => [sku, qty])

describe('a type that is promised for a column of a child table', () => {
  it('is its type; a value that does not fit becomes NULL and is kept', async () => {
    const loaded = await withContract('{tables: {lines: {columns: {qty: integer}}}}')
    expect(loaded.columns['lines']).toContain('qty INTEGER')
    expect(lines(loaded)).toEqual([
      ['mug', 2],
      ['tea', null],
      ['tea', 1],
      [null, 5],
    ])
    expect(loaded.rejects).toMatchObject([
      {
        record_number: '1',
        kind: 'value',
        code: 'type',
        child: 'lines',
        column_name: 'qty',
        message: 'column "qty" of "lines" is promised as INTEGER, which cannot hold "many"',
      },
    ])
    expect(String(loaded.rejects[0]?.['raw'])).toContain('many')
  })

  it('rejects the whole record with discard_row, and its rows in the child table', async () => {
    const contract = '{evolution: {types: discard_row}, tables: {lines: {columns: {qty: integer}}}}'
    const loaded = await withContract(contract)
    expect(loaded.rows['']?.map(({ id }) => Number(id))).toEqual([2, 3, 4])
    expect(lines(loaded)).toEqual([
      ['tea', 1],
      [null, 5],
    ])
    expect(loaded.rejects).toMatchObject([{ kind: 'row', child: 'lines', column_name: 'qty' }])
  })

  it('fails the asset with enforce_types, and says the value', async () => {
    const failing = withContract('{enforce_types: true, tables: {lines: {columns: {qty: integer}}}}')
    await expect(failing).rejects.toMatchObject({
      code: 'contract-violated',
      message: expect.stringContaining(
        'column "qty" of "lines" is promised as INTEGER, which cannot hold "many" in record 1',
      ),
    })
  })

  it('is told without its value if the column is personal', async () => {
    const contract = '{enforce_types: true, tables: {lines: {columns: {qty: {type: integer, pii: true}}}}}'
    await expect(withContract(contract)).rejects.toMatchObject({
      message: expect.not.stringContaining('many'),
    })
    const marked = await withContract('{tables: {lines: {columns: {sku: {pii: true}}}}}')
    const table = marked.fetched.tables.find(({ shape }) => shape.child === 'lines')
    expect(table?.shape.columns.find(({ name }) => name === 'sku')?.pii).toBe(true)
  })

  it('holds in a list of a list, and reads a column that has another name at the source', async () => {
    const deep = [{ id: 1, lines: [{ taxes: [{ Rate: '7' }, { Rate: 'x' }] }, { taxes: [{ Rate: '19' }] }] }]
    const contract = '{tables: {lines__taxes: {columns: {percent: {type: integer, from: Rate}}}}}'
    const loaded = await withContract(contract, deep)
    expect(loaded.rows['lines__taxes']?.map(({ percent }) => percent)).toEqual([7, null, 19])
    expect(loaded.rejects).toMatchObject([{ child: 'lines__taxes', column_name: 'percent' }])
  })
})

describe('a column that a child table must have', () => {
  const required = ['{required_columns: [sku]}', '{columns: {sku: {nullable: false}}}']
  it.each(required)('rejects the record that lacks it: %s', async table => {
    const contract = `{evolution: {types: discard_row}, tables: {lines: ${table}}}`
    const loaded = await withContract(contract)
    expect(loaded.rows['']?.map(({ id }) => Number(id))).toEqual([1, 2, 4])
    expect(loaded.rejects).toMatchObject([{ code: 'null', child: 'lines', column_name: 'sku' }])
  })

  it('fails the asset if no row has it, and not if there are no rows', async () => {
    const contract = '{tables: {lines: {required_columns: [price]}}}'
    await expect(withContract(contract)).rejects.toMatchObject({
      message: '"lines" of the source has no column "price"',
      hint: expect.stringContaining('It has: sku, qty.'),
    })
    const empty = await withContract(contract, [{ id: 1, lines: [] }])
    expect(empty.rows['lines']).toEqual([])
  })
})

describe('a child table that only the contract knows', () => {
  it('is there, empty, with its types', async () => {
    const loaded = await withContract('{tables: {notes: {columns: {text: varchar, at: timestamp}}}}')
    expect(loaded.columns['notes']).toEqual(expect.arrayContaining(['text VARCHAR', 'at TIMESTAMP']))
    expect(loaded.rows['notes']).toEqual([])
    expect(loaded.columns['']).toContain('_svc_id VARCHAR')
  })

  it('is refused where the source has one value of that name', async () => {
    const failing = withContract('{tables: {notes: {columns: {text: varchar}}}}', [{ id: 1, notes: 'none' }])
    await expect(failing).rejects.toMatchObject({
      code: 'source-shape',
      message: 'the contract promises the child table "notes", but "notes" is loaded as one value',
    })
  })

  it('is not new, so evolution lets it in', async () => {
    const first = await load(project, source([{ id: 1 }]))
    const previous = first.fetched.tables.map(({ shape }) => shape)
    const frozen = (tables: string) =>
      withContract(
        `{evolution: freeze, columns: {lines: {}}, ${tables}}`,
        [{ id: 1, lines: [{ sku: 'mug' }] }],
        {
          previous,
        },
      )
    await expect(frozen('tables: {}')).rejects.toMatchObject({ code: 'contract-violated' })
    const loaded = await frozen('tables: {lines: {columns: {sku: varchar}}}')
    expect(loaded.rows['lines']).toHaveLength(1)
  })
})

it('warns of a promised column that no row of the child table has', async () => {
  const warnings: string[] = []
  await withContract('{tables: {lines: {columns: {price: double precision}}}}', records, {
    onWarning: ({ message }: { message: string }) => warnings.push(message),
  })
  expect(warnings).toEqual(['"lines" of the source has no column price: it is NULL in every row'])
})
