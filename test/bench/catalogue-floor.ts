/**
 * Started as a program: `catalogue-floor <folder of models> <number of models>` reads every file and lets DuckDB alone bind the same statements, empty and fifty a call: the least that a check of all columns costs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { plainStatements } from './flavours.ts'
import { columnTypes, sourceCount, sourceName } from './layered-project.ts'

const batch = 50
const [models = '', count = '0'] = process.argv.slice(2)
for (const file of readdirSync(models, { recursive: true, withFileTypes: true })) {
  if (file.isFile()) readFileSync(join(file.parentPath, file.name), 'utf8')
}
const statements = plainStatements('', Number(count))
const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
const connection = await instance.connect()
await connection.run('CREATE SCHEMA raw; CREATE SCHEMA mart')
const types = Object.entries(columnTypes).map(([name, type]) => `${name} ${type}`)
const empty = [
  ...Array.from(
    { length: sourceCount },
    (_, source) => `CREATE TABLE raw.${sourceName(source)} (${types.join(', ')})`,
  ),
  ...statements.models.map(({ create }) => `${create}\nLIMIT 0`),
]
for (let at = 0; at < empty.length; at += batch) await connection.run(empty.slice(at, at + batch).join(';\n'))
const columns = await connection.runAndReadAll(
  'SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal',
)
console.log(`${columns.getRowsJS().length} columns`)
connection.closeSync()
instance.closeSync()
