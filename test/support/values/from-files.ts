/** The cases of files: each has a file of CSV, of JSON or of Parquet, and is compared with what stands in it. */
import { openLocalReader, quoteLiteral } from '@svc/server/catalog'
import type { Project } from '../../engine/ingest/fetching.ts'
import { duckdbValues } from './duckdb-values.ts'
import { csvValues, jsonValues, type WrittenValues } from './file-values.ts'
import { type Counts, judge, type ValueCase } from './judge.ts'
import type { TypedValues } from './postgres-values.ts'
import type { Store } from './stores.ts'

interface Loading {
  readonly project: Project
  readonly stores: readonly Store[]
}

export async function judgeCsv(
  counts: Counts,
  loading: Loading,
  cases: readonly WrittenValues[] = csvValues,
): Promise<void> {
  for (const [index, given] of cases.entries()) {
    const name = `values_${index}.csv`
    const lines = [...given.values, ''].map((value, row) => `${row + 1},${written(value)}\n`)
    loading.project.write(`data/${name}`, `id,v\n${lines.join('')}`)
    const isComma = given.more === 'comma'
    const options = isComma ? ', options: {decimal: ","}' : ''
    const texts = given.values.map(value => (isComma ? value.replace(',', '.') : value))
    const more = isComma ? '' : (given.more ?? '')
    await judgeFile(counts, { source: 'csv', name, options, more }, { ...given, texts }, loading)
  }
}

/** An empty value is none, and quotes stand where the value needs them. */
function written(value: string): string {
  return /[",\n\r]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

export async function judgeJson(
  counts: Counts,
  loading: Loading,
  cases: readonly WrittenValues[] = jsonValues,
): Promise<void> {
  for (const [index, given] of cases.entries()) {
    const records = [...given.values, 'null'].map((value, row) => `{"id":${row + 1},"v":${value}}`)
    const texts = given.values.map(value =>
      given.family !== 'json' && value.startsWith('"') ? (JSON.parse(value) as string) : value,
    )
    const files = { ndjson: `${records.join('\n')}\n`, json: `[${records.join(',\n')}]` }
    for (const [format, content] of Object.entries(files)) {
      const name = `values_${index}.${format}`
      loading.project.write(`data/${name}`, content)
      const file = { source: format, name, options: '', more: given.more ?? '' }
      await judgeFile(counts, file, { ...given, texts }, loading)
    }
  }
}

export async function judgeParquet(
  counts: Counts,
  loading: Loading,
  cases: readonly TypedValues[] = duckdbValues,
): Promise<void> {
  for (const [index, given] of cases.entries()) {
    // Of an object only the field is rejected that a warehouse cannot hold, for it has a column of its own.
    if (given.type === 'STRUCT(a JSON, b VARCHAR)') continue
    const name = `values_${index}.parquet`
    loading.project.write(`data/${name}`, '')
    const file = await parquetOf(given, loading.project.path(`data/${name}`))
    if (file === undefined) continue
    await judgeFile(counts, { source: 'parquet', name, options: '', more: '' }, file, loading)
  }
}

const nullsInHex = Buffer.from('{"a":null,"b":null}').toString('hex').toUpperCase()

/** Writes the file, and returns what stands in it; undefined for a type that no Parquet file has. */
async function parquetOf(given: TypedValues, path: string) {
  const local = await openLocalReader({})
  try {
    await local.rows(`CREATE OR REPLACE TEMP TABLE given (id INTEGER, v ${given.type})`)
    for (const [index, value] of [...given.values, 'NULL'].entries())
      await local.rows(`INSERT INTO given VALUES (${index + 1}, ${value})`)
    const isWritten = await local.rows(`COPY given TO ${quoteLiteral(path)} (FORMAT parquet)`).then(
      () => true,
      () => false,
    )
    if (!isWritten) return undefined
    // Integers of 128 bits are doubles in such a file.
    const isDouble = given.type.includes('HUGEINT')
    const isNested = given.family === 'json' && given.type !== 'JSON'
    const own = isDouble ? undefined : given.text
    const shown = own?.('v') ?? (isNested ? 'CAST(to_json(v) AS VARCHAR)' : 'CAST(v AS VARCHAR)')
    const rows = await local.rows(
      `SELECT CASE WHEN v IS NOT NULL THEN hex(encode(${shown})) END AS text FROM read_parquet(${quoteLiteral(path)}) WHERE id <= ${given.values.length} ORDER BY id`,
    )
    // Where each field has a column of its own, an object of NULLs is none.
    const texts = rows.map(({ text }) =>
      text === null || text === nullsInHex ? null : Buffer.from(String(text), 'hex').toString('utf8'),
    )
    const family = isDouble && !isNested ? ('float' as const) : given.family
    return { type: given.type, family, texts }
  } finally {
    local.close()
  }
}

interface File {
  readonly source: string
  readonly name: string
  readonly options: string
  readonly more: string
}

async function judgeFile(
  counts: Counts,
  { source, name, options, more }: File,
  { type, family, texts, refusedAs }: ValueCase,
  { project, stores }: Loading,
): Promise<void> {
  const body = `ingest: {type: file, endpoint: ./data, resource: ${name}${options}}\n${more}`
  const given = { type, family, texts: [...texts, null], ...(refusedAs === undefined ? {} : { refusedAs }) }
  for (const store of stores) await judge(counts, source, given, { project, store, body })
}
