/** The cases of databases that are files, SQLite and DuckDB: a table for each, and what the database itself writes for its values. */
import { openLocalReader, quoteLiteral } from '@svc/server/catalog'
import Libsql from 'libsql'
import type { Project } from '../../engine/ingest/fetching.ts'
import { duckdbValues } from './duckdb-values.ts'
import { type Counts, judge } from './judge.ts'
import type { TypedValues } from './postgres-values.ts'
import { sqliteValues } from './sqlite-values.ts'
import type { Store } from './stores.ts'

interface Loading {
  readonly project: Project
  readonly stores: readonly Store[]
}

export async function judgeSqlite(counts: Counts, loading: Loading, cases = sqliteValues): Promise<void> {
  const path = loading.project.path('values.sqlite')
  const database = new Libsql(path)
  const found: Filled[] = []
  for (const [index, given] of cases.entries()) {
    const table = `values_${index}`
    database.exec(`CREATE TABLE ${table} (id INTEGER, v ${given.type})`)
    for (const row of rowsOf(given)) database.exec(`INSERT INTO ${table} VALUES ${row}`)
    const shown = given.text?.('v') ?? 'CAST(v AS TEXT)'
    // A text with NUL ends there where the driver makes a text of it.
    const rows = database
      .prepare(`SELECT hex(${shown}) AS text, v IS NULL AS none FROM ${table} ORDER BY id`)
      .all() as {
      text: string
      none: number
    }[]
    const texts = rows.map(({ text, none }) =>
      none === 1 ? null : Buffer.from(text, 'hex').toString('utf8'),
    )
    found.push({ table, given, texts })
  }
  database.close()
  await judgeAll(counts, 'sqlite', `sqlite:${path}`, found, loading)
}

export async function judgeDuckdb(counts: Counts, loading: Loading, cases = duckdbValues): Promise<void> {
  const path = loading.project.path('values.duckdb')
  const local = await openLocalReader({ attaches: true })
  const found: Filled[] = []
  await local.rows(`ATTACH ${quoteLiteral(path)} AS given`)
  for (const [index, given] of cases.entries()) {
    const table = `values_${index}`
    await local.rows(`CREATE TABLE given.${table} (id INTEGER, v ${given.type})`)
    for (const row of rowsOf(given)) await local.rows(`INSERT INTO given.${table} VALUES ${row}`)
    const shown = given.text?.('v') ?? 'CAST(v AS VARCHAR)'
    const rows = await local.rows(
      `SELECT CASE WHEN v IS NOT NULL THEN hex(encode(${shown})) END AS text FROM given.${table} ORDER BY id`,
    )
    const texts = rows.map(({ text }) =>
      text === null ? null : Buffer.from(String(text), 'hex').toString('utf8'),
    )
    found.push({ table, given, texts })
  }
  await local.rows('DETACH given')
  local.close()
  await judgeAll(counts, 'duckdb', `duckdb:${path}`, found, loading)
}

interface Filled {
  readonly table: string
  readonly given: TypedValues
  readonly texts: readonly (string | null)[]
}

function rowsOf({ values }: TypedValues): string[] {
  return [...values, 'NULL'].map((value, index) => `(${index + 1}, ${value})`)
}

async function judgeAll(
  counts: Counts,
  source: string,
  endpoint: string,
  found: readonly Filled[],
  { project, stores }: Loading,
): Promise<void> {
  for (const { table, given, texts } of found) {
    const body = `ingest: {type: sql, endpoint: "${endpoint}", query: SELECT * FROM ${table} ORDER BY id}`
    for (const store of stores) await judge(counts, source, { ...given, texts }, { project, store, body })
  }
}
