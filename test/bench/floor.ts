/**
 * DuckDB alone, doing the same statements in one process: the time below which no tool can be. Started as a program:
 * `floor <folder of source files> <database file> <number of models> [<index of a model>]`. With an index only that
 * model and all that read it are built and tested again.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import { plainStatements } from './flavours.ts'
import { descendants, layeredModels } from './layered-project.ts'

const [dataFolder = '', database = '', count = '0', changed] = process.argv.slice(2)
const statements = plainStatements(dataFolder, Number(count))
const instance = await DuckDBInstance.create(database)
const connection = await instance.connect()
if (changed === undefined) await connection.run('CREATE SCHEMA raw; CREATE SCHEMA mart')

const started = performance.now()
const models = await build()
const built = performance.now()
let wrong = 0
for (const test of models.flatMap(model => model.tests)) {
  const [row] = (await connection.runAndReadAll(test)).getRows()
  wrong += Number(row?.[0])
}
const tested = performance.now()
connection.closeSync()
instance.closeSync()
if (wrong > 0) throw new Error(`${wrong} rows fail the tests of the synthetic project`)
console.log(JSON.stringify({ models: models.length, buildMs: built - started, testMs: tested - built }))

async function build(): Promise<typeof statements.models> {
  if (changed === undefined) {
    for (const statement of [...statements.sources, ...statements.models.map(model => model.create)]) {
      await connection.run(statement)
    }
    return statements.models
  }
  const touched = descendants(layeredModels(Number(count)), Number(changed))
  const again = statements.models.filter((_, index) => touched.has(index))
  for (const model of again) {
    await connection.run(model.create.replace(/^CREATE TABLE/, 'CREATE OR REPLACE TABLE'))
  }
  return again
}
