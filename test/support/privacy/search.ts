/** Looks for a value in everything that a project keeps beside its tables: files below `.svc/`, and what the state says in texts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { openWarehouse } from '../../../cli/engine/warehouse/open.ts'
import type { Way } from './ways.ts'

type Sought = Pick<Way, 'seen' | 'isOwn'>

/** What was found out about the files of the project, which a command would have to find out again. */
const ofDefinitions = /[/\\]\.svc[/\\]cache[/\\]/

export interface Hit {
  readonly where: string
  readonly around: string
}

export function hitIn(where: string, text: string, seen: RegExp): readonly Hit[] {
  const found = seen.exec(text)
  if (found === null) return []
  return [{ where, around: text.slice(Math.max(0, found.index - 120), found.index + 40) }]
}

export async function hitsBelow(
  root: string,
  { seen, isOwn }: Sought,
  leaves?: RegExp,
): Promise<readonly Hit[]> {
  const hits: Hit[] = []
  for (const entry of readdirSync(join(root, '.svc'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if (leaves?.test(path) === true || (isOwn === true && ofDefinitions.test(path))) continue
    for (const text of await textsOf(path)) hits.push(...hitIn(relative(root, path), text, seen))
  }
  return hits
}

/** A text in every way in which a file may hold it. */
async function textsOf(path: string): Promise<readonly string[]> {
  const bytes = readFileSync(path)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const plain = isPacked ? gunzipSync(bytes) : bytes
  const isParquet = bytes.subarray(0, 4).toString('latin1') === 'PAR1'
  return [
    ...[plain.toString('utf8'), plain.toString('utf16le'), plain.subarray(1).toString('utf16le')],
    ...(isParquet ? [await rowsOfParquet(path)] : []),
  ]
}

async function rowsOfParquet(path: string): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const rows = await connection.runAndReadAll(`SELECT to_json(t) FROM read_parquet('${path}') AS t`)
    return rows.getRowsJson().flat().join('\n')
  } catch {
    // A file that was cut off has no rows to read; its bytes are looked at all the same.
    return ''
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** What is kept as data: rows that were refused, and keys of rows that a target has. */
const ofData = new Set(['svc_rejects', 'svc_publish_rejects', 'svc_published', 'svc_loaded_files'])

/** Looks through the tables of state whose texts commands show. */
export async function hitsInState(root: string, { seen, isOwn }: Sought): Promise<readonly Hit[]> {
  const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', { root, project: 'shop' })
  const session = await warehouse.open('read')
  if (session === undefined) return []
  try {
    const tables = await session.query("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'svc'")
    const hits: Hit[] = []
    for (const name of tables.map(row => String(row['table_name']))) {
      if (ofData.has(name) || (isOwn === true && name === 'svc_definitions')) continue
      const rows = await session.query(`SELECT to_json(t) AS r FROM svc.${name} AS t`)
      hits.push(...hitIn(`state ${name}`, rows.map(row => String(row['r'])).join('\n'), seen))
    }
    return hits
  } finally {
    await session.close()
  }
}
