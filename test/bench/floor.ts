/**
 * DuckDB alone, doing the same statements in one process: the time below which no tool can be. Started as a program:
 * `floor <folder of source files> <database file> <number of models>`; prints how long it built and tested.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { plainStatements } from './flavours.ts'

const [dataFolder = '', database = '', count = '0'] = process.argv.slice(2)
const statements = plainStatements(dataFolder, Number(count))
const instance = await DuckDBInstance.create(database)
const connection = await instance.connect()
await connection.run('CREATE SCHEMA raw; CREATE SCHEMA mart')

const started = performance.now()
for (const source of statements.sources) await connection.run(source)
for (const model of statements.models) await connection.run(model.create)
const built = performance.now()
let wrong = 0
for (const test of statements.models.flatMap(model => model.tests)) {
  const [row] = (await connection.runAndReadAll(test)).getRows()
  wrong += Number(row?.[0])
}
const tested = performance.now()
connection.closeSync()
instance.closeSync()
if (wrong > 0) throw new Error(`${wrong} rows fail the tests of the synthetic project`)
console.log(JSON.stringify({ buildMs: built - started, testMs: tested - built }))
