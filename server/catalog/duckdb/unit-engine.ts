/**
 * The in-memory DuckDB that runs unit tests. It has its own process, apart from the binder's, because it
 * holds rows and runs SQL of users. It has no access to files or the network and does not know what a test
 * is.
 */
import { duckdb } from '../../language/engines/duckdb/duckdb.ts'
import { BinderLost } from '../limits.ts'
import { isFailure, type UnitFailure } from '../unit/unit-failure.ts'
import type { OpenDatabase } from '../worker/databases.ts'
import { frozen } from './frozen-functions.ts'
import { openMemoryDatabase } from './memory-database.ts'
import { quoteLiteral } from './quoting.ts'
import { readBindError } from './read-bind-error.ts'

export async function openUnitEngine(memoryBytes: number, load: readonly string[]): Promise<OpenDatabase> {
  const connection = await openMemoryDatabase(memoryBytes, load, setUp)
  const methods: Readonly<Record<string, (sql: string | undefined) => Promise<unknown>>> = {
    async setNow(time) {
      const value = time === undefined ? 'NULL' : `CAST(${quoteLiteral(time)} AS TIMESTAMPTZ)`
      const done = await attempt(() => connection.run(`SET VARIABLE svc_now = ${value}`))
      return isFailure(done) ? done : undefined
    },
    async run(sql = '') {
      const done = await attempt(() => connection.run(sql))
      return isFailure(done) ? done : undefined
    },
    async describe(sql = '') {
      const found = await attempt(() => connection.runAndReadAll(`DESCRIBE ${sql}`))
      return isFailure(found)
        ? found
        : found.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }))
    },
    async texts(sql = '') {
      const found = await attempt(() => connection.runAndReadAll(sql))
      return isFailure(found)
        ? found
        : found.getRows().map(row => row.map(value => (value === null ? null : String(value))))
    },
  }
  return {
    engine: duckdb.label,
    connectionOf: () => 'unit',
    async call(method, [sql]) {
      const work = methods[method]
      if (work === undefined) throw new Error(`there is no method ${method}`)
      return await work(sql as string | undefined)
    },
    interrupt: () => connection.interrupt(),
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T | UnitFailure> {
  try {
    return await work()
  } catch (error) {
    const failure = readBindError(error)
    if (failure.kind === 'memory') throw new BinderLost('memory', failure.message)
    return { ...failure, stopped: undefined }
  }
}

const setUp = [
  "SET TimeZone = 'UTC'",
  'SET errors_as_json = true',
  'SET lock_configuration = true',
  ...Object.entries(frozen).map(([name, macro]) => `CREATE MACRO ${name}${macro}`),
]
