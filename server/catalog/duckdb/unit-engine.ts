/**
 * The in-memory DuckDB that runs unit tests. It has its own process, apart from the binder's, because it
 * holds rows and runs SQL of users. It has no access to files or the network and does not know what a test
 * is.
 */
import { label } from '../../language/engines/duckdb/label.ts'
import { BinderLost } from '../limits.ts'
import { isFailure, type UnitFailure } from '../unit/unit-failure.ts'
import type { OpenDatabase } from '../worker/databases.ts'
import { frozen } from './frozen-functions.ts'
import { openMemoryDatabase } from './memory-database.ts'
import { quoteLiteral } from './quoting.ts'
import { readBindError } from './read-bind-error.ts'

type Method = (sql: string | undefined, before: string | undefined) => Promise<unknown>

export async function openUnitEngine(memoryBytes: number, load: readonly string[]): Promise<OpenDatabase> {
  const connection = await openMemoryDatabase(memoryBytes, load, setUp)
  const run = (sql: string) => attempt(() => connection.run(sql))
  const methods: Readonly<Record<string, Method>> = {
    async setNow(time) {
      const value = time === undefined ? 'NULL' : `CAST(${quoteLiteral(time)} AS TIMESTAMPTZ)`
      const done = await run(`SET VARIABLE svc_now = ${value}`)
      return isFailure(done) ? done : undefined
    },
    async run(sql = '') {
      const done = await run(sql)
      return isFailure(done) ? done : undefined
    },
    async describe(sql = '') {
      const found = await attempt(() => connection.runAndReadAll(`DESCRIBE ${sql}`))
      return isFailure(found)
        ? found
        : found.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }))
    },
    async texts(sql = '', before) {
      const done = before === undefined ? undefined : await run(before)
      if (isFailure(done)) return { ...done, isBefore: true } satisfies UnitFailure
      const found = await attempt(() => connection.runAndReadAll(sql))
      return isFailure(found)
        ? found
        : found.getRows().map(row => row.map(value => (value === null ? null : String(value))))
    },
  }
  return {
    engine: label,
    connectionOf: () => 'unit',
    async call(method, [sql, before]) {
      const work = methods[method]
      if (work === undefined) throw new Error(`there is no method ${method}`)
      return await work(sql as string | undefined, before as string | undefined)
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
