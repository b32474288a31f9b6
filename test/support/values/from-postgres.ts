/** The cases of PostgreSQL as a source: a table for each, and what the server itself writes for its values. */
import pg from 'pg'
import type { Project } from '../../engine/ingest/fetching.ts'
import { type Counts, judge } from './judge.ts'
import { postgresTypes, postgresValues, type TypedValues } from './postgres-values.ts'
import type { Store } from './stores.ts'

export async function judgePostgres(
  counts: Counts,
  address: string,
  {
    project,
    stores,
    cases = postgresValues,
  }: { project: Project; stores: readonly Store[]; cases?: readonly TypedValues[] },
): Promise<void> {
  const admin = new pg.Client({ connectionString: address })
  await admin.connect()
  try {
    await admin.query(`SET TIME ZONE 'UTC'; ${postgresTypes}`)
    for (const [index, given] of cases.entries()) {
      const table = `values_${index}`
      const texts = await fill(admin, table, given)
      const query = `SELECT * FROM ${table} ORDER BY id`
      const body = `ingest: {type: sql, endpoint: env:PLACE, query: ${query}}`
      for (const store of stores)
        await judge(
          counts,
          'postgres',
          { ...given, texts },
          { project, store, body, env: { PLACE: address } },
        )
    }
  } finally {
    await admin.end()
  }
}

async function fill(admin: pg.Client, table: string, { type, values, text }: TypedValues) {
  await admin.query(`CREATE TABLE ${table} (id integer, v ${type})`)
  const rows = [...values, 'NULL'].map((value, index) => `(${index + 1}, ${value})`)
  for (const row of rows) await admin.query(`INSERT INTO ${table} VALUES ${row}`)
  const shown = text?.('v') ?? 'v::text'
  const found = await admin.query<{ text: string | null }>(
    `SELECT ${shown} AS text FROM ${table} ORDER BY id`,
  )
  return found.rows.map(row => row.text)
}
