/**
 * Started as a program: `sql-floor <database file> <file of statements>` runs them one by one in DuckDB alone; the file
 * is a JSON list. The rows of the last one are printed.
 */
import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'

const [database = '', file = ''] = process.argv.slice(2)
const statements = JSON.parse(readFileSync(file, 'utf8')) as readonly string[]
const instance = await DuckDBInstance.create(database)
const connection = await instance.connect()
for (const statement of statements.slice(0, -1)) await connection.run(statement)
const last = statements.at(-1)
if (last !== undefined) {
  const rows = (await connection.runAndReadAll(last)).getRowsJson()
  console.log(JSON.stringify(rows))
}
connection.closeSync()
instance.closeSync()
