/** Every mode of a contract, for a new table, a new column and a value that does not fit, on every kind of source. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLocalReader } from '../../../server/catalog/index.ts'
import { type RestServer, startRestServer } from '../../support/rest-server.ts'
import { type Loaded, load, type Project, temporaryProject } from './fetching.ts'

type Records = readonly Readonly<Record<string, unknown>>[]

const plain: Records = [
  { id: 1, amount: 10 },
  { id: 2, amount: 20 },
  { id: 3, amount: 30 },
]
/** What the second record is in the second load. */
const news = {
  columns: { id: 2, amount: 20, note: 'hello' },
  tables: { id: 2, amount: 20, lines: [{ sku: 'mug' }, { sku: 'tea' }] },
  types: { id: 2, amount: 'many' },
} as const
type Part = keyof typeof news

let project: Project
let server: RestServer | undefined
let files = 0

beforeAll(() => {
  project = temporaryProject()
})
afterAll(async () => {
  await server?.close()
  project.remove()
})

type Writer = (records: Records) => Promise<string> | string

const file = (name: string) => `ingest: {type: file, endpoint: ., resource: ${name}}`

const writers: Readonly<Record<string, Writer>> = {
  rows: records => `ingest: {type: rows, rows: ${JSON.stringify(records)}}`,
  ndjson(records) {
    const name = `${++files}.ndjson`
    project.write(name, records.map(record => JSON.stringify(record)).join('\n'))
    return file(name)
  },
  json(records) {
    const name = `${++files}.json`
    project.write(name, JSON.stringify(records, null, 1))
    return file(name)
  },
  csv(records) {
    const name = `${++files}.csv`
    const columns = [...new Set(records.flatMap(record => Object.keys(record)))]
    const lines = records.map(record => columns.map(column => record[column] ?? '').join(','))
    project.write(name, `${[columns.join(','), ...lines].join('\n')}\n`)
    return file(name)
  },
  async parquet(records) {
    const json = `${++files}.src.ndjson`
    const name = `${files}.parquet`
    project.write(json, records.map(record => JSON.stringify(record)).join('\n'))
    const text = records.some(({ amount }) => typeof amount === 'string')
    const types = ["id: 'BIGINT'", `amount: '${text ? 'VARCHAR' : 'BIGINT'}'`]
    if (records.some(record => 'note' in record)) types.push("note: 'VARCHAR'")
    if (records.some(record => 'lines' in record)) types.push("lines: 'STRUCT(sku VARCHAR)[]'")
    const duckdb = await openLocalReader({})
    await duckdb.rows(
      `COPY (SELECT * FROM read_json('${project.path(json)}', format='newline_delimited', columns={${types.join(', ')}})) TO '${project.path(name)}' (FORMAT parquet)`,
    )
    duckdb.close()
    return file(name)
  },
  async rest(records) {
    await server?.close()
    server = await startRestServer({ records, pageSize: 2 })
    return `ingest: {type: rest_api, endpoint: "${server.origin}", resource: link}`
  },
}

async function loadAfter(write: Writer, part: Part, contract: string): Promise<Loaded> {
  const first = await load(project, `${await write(plain)}\ncontract: {${contract}}`)
  const previous = first.fetched.tables.map(({ shape }) => shape)
  const second = plain.map(record => (record['id'] === 2 ? news[part] : record))
  return load(project, `${await write(second)}\ncontract: {${contract}}`, { previous })
}

const ids = ({ rows }: Loaded) => rows['']?.map(row => Number(row['id']))
const columnNames = ({ columns }: Loaded) => columns['']?.map(column => column.split(' ')[0])

const parts: readonly Part[] = ['columns', 'tables', 'types']

for (const [format, write] of Object.entries(writers)) {
  const known = format === 'csv' ? parts.filter(part => part !== 'tables') : parts
  describe.each(known)(`${format}: what is new in %s`, part => {
    const code = { columns: 'new_column', tables: 'new_table', types: 'type' }[part]
    const name = { columns: 'note', tables: null, types: 'amount' }[part]
    const raw = (reject: Loaded['rejects'][number] | undefined) => JSON.parse(String(reject?.['raw']))

    it('is taken in with evolve', async () => {
      const loaded = await loadAfter(write, part, `evolution: {${part}: evolve}`)
      expect(ids(loaded)).toEqual([1, 2, 3])
      expect(loaded.fetched.rejects).toBeUndefined()
      if (part === 'columns') expect(loaded.rows['']?.[1]).toMatchObject({ note: 'hello' })
      if (part === 'tables') expect(loaded.rows['lines']).toHaveLength(2)
      if (part === 'types') expect(loaded.columns['']).toContain('amount VARCHAR')
    })

    it('fails the asset with freeze, and is named', async () => {
      const failing = loadAfter(write, part, `evolution: {${part}: freeze}`)
      const what = {
        columns: 'column "note" is new',
        tables: 'child table "lines" is new',
        types: '"amount"',
      }
      await expect(failing).rejects.toMatchObject({ code: 'contract-violated' })
      await expect(failing).rejects.toThrow(new RegExp(`${what[part]}.*in record 2`))
    })

    it('takes its record out with discard_row', async () => {
      const loaded = await loadAfter(write, part, `evolution: {${part}: discard_row}`)
      expect(ids(loaded)).toEqual([1, 3])
      expect(columnNames(loaded)).toEqual(['id', 'amount'])
      expect(Object.keys(loaded.rows)).toEqual([''])
      expect(loaded.fetched.rejects).toMatchObject({ rows: 1, values: 0 })
      expect(loaded.rejects).toMatchObject([{ record_number: '2', kind: 'row', code, column_name: name }])
      expect(raw(loaded.rejects[0])).toMatchObject(JSON.parse(JSON.stringify(looks(format, news[part]))))
    })

    it('is left out alone with discard_value', async () => {
      const loaded = await loadAfter(write, part, `evolution: {${part}: discard_value}`)
      expect(ids(loaded)).toEqual([1, 2, 3])
      expect(columnNames(loaded)).toEqual(['id', 'amount'])
      expect(loaded.rows['']?.map(({ amount }) => amount)).toEqual(
        part === 'types' ? ['10', null, '30'] : ['10', '20', '30'],
      )
      const kind = { columns: 'column', tables: 'table', types: 'value' }[part]
      expect(loaded.rejects).toMatchObject([{ record_number: '2', kind, code, column_name: name }])
      const value = { columns: 'hello', tables: news.tables.lines, types: 'many' }[part]
      expect(raw(loaded.rejects[0])).toEqual(value)
    })
  })
}

/** CSV knows texts only. */
function looks(format: string, record: Readonly<Record<string, unknown>>): unknown {
  if (format !== 'csv') return record
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, String(value)]))
}
