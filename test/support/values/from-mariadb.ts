/** The cases of MariaDB as a source: a table for each, and what the server itself writes for its values. */
import mysql from 'mysql2/promise'
import type { Project } from '../../engine/ingest/fetching.ts'
import { type Counts, judge } from './judge.ts'
import { mariadbValues } from './mariadb-values.ts'
import type { TypedValues } from './postgres-values.ts'
import type { Store } from './stores.ts'

export async function judgeMariadb(
  counts: Counts,
  address: string,
  {
    project,
    stores,
    cases = mariadbValues,
  }: { project: Project; stores: readonly Store[]; cases?: readonly TypedValues[] },
): Promise<void> {
  const admin = await mysql.createConnection({ uri: address, charset: 'utf8mb4' })
  try {
    await admin.query("SET SESSION sql_mode = '', time_zone = '+00:00'")
    for (const [index, given] of cases.entries()) {
      const table = `values_${index}`
      const texts = await fill(admin, table, given)
      const body = `ingest: {type: sql, endpoint: env:PLACE, query: SELECT * FROM ${table} ORDER BY id}`
      for (const store of stores)
        await judge(counts, 'mariadb', { ...given, texts }, { project, store, body, env: { PLACE: address } })
    }
  } finally {
    await admin.end()
  }
}

async function fill(admin: mysql.Connection, table: string, { type, values, text }: TypedValues) {
  await admin.query(`CREATE TABLE ${table} (id INT, v ${type} NULL)`)
  for (const [index, value] of [...values, 'NULL'].entries())
    await admin.query(`INSERT INTO ${table} VALUES (${index + 1}, ${value})`)
  const shown = text?.('v') ?? 'CAST(v AS CHAR)'
  const [rows] = await admin.query<(mysql.RowDataPacket & { text: string | null })[]>(
    `SELECT IF(v IS NULL, NULL, CONVERT(${shown} USING utf8mb4)) AS text FROM ${table} ORDER BY id`,
  )
  return rows.map(row => row.text)
}
