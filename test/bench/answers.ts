/** Asks a DuckDB file one question: what a run left is held against what DuckDB alone left. */
import { DuckDBInstance } from '@duckdb/node-api'

/** The rows, each value as JSON. */
export async function answer(file: string, sql: string): Promise<string> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    return JSON.stringify((await connection.runAndReadAll(sql)).getRowsJson())
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

export function refuseOther(what: string, found: string, wanted: string): void {
  if (found !== wanted) throw new Error(`${what}: svc has ${found}, DuckDB alone has ${wanted}`)
}
