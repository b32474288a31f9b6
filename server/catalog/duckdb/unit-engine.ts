/**
 * The in-memory DuckDB that runs unit tests. It has its own process, apart from the binder's, because it
 * holds rows and runs SQL of users. It has no access to files or the network and does not know what a test
 * is.
 */
import { label } from '../../language/engines/duckdb/label.ts'
import { internalName } from '../../language/internal-names.ts'
import { BinderLost } from '../limits.ts'
import { isFailure, type UnitFailure } from '../unit/unit-failure.ts'
import { callByName, type Methods } from '../worker/call-by-name.ts'
import type { OpenDatabase } from '../worker/databases.ts'
import { frozen, nowName } from './frozen-functions.ts'
import { openMemoryDatabase } from './memory-database.ts'
import { quoteLiteral } from './quoting.ts'
import { readBindError } from './read-bind-error.ts'

type Texts = readonly (readonly (string | null)[])[]

export async function openUnitEngine(memoryBytes: number, load: readonly string[]): Promise<OpenDatabase> {
  const connection = await openMemoryDatabase(memoryBytes, load, setUp)
  const run = (sql: string) => attempt(() => connection.run(sql))
  const texts = async (sql: string): Promise<Texts | UnitFailure> => {
    const found = await attempt(() => connection.runAndReadAll(sql))
    return isFailure(found)
      ? found
      : found.getRows().map(row => row.map(value => (value === null ? null : String(value))))
  }
  const methods: Methods = {
    async setNow(time: string | undefined) {
      const value = time === undefined ? 'NULL' : `CAST(${quoteLiteral(time)} AS TIMESTAMPTZ)`
      const done = await run(`SET VARIABLE ${nowName} = ${value}`)
      return isFailure(done) ? done : undefined
    },
    async run(sql: string) {
      const done = await run(sql)
      return isFailure(done) ? done : undefined
    },
    async describe(query: string) {
      const start = `DESCRIBE ${before}`
      const found = await attempt(() => connection.runAndReadAll(`${start}${query}\n)`))
      return isFailure(found)
        ? inQuery(found, start)
        : found.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }))
    },
    texts,
    async rows(query: string, most: number, makeTables: string | undefined, count: number | undefined) {
      const done = makeTables === undefined ? undefined : await run(makeTables)
      if (isFailure(done)) return { ...done, isBefore: true } satisfies UnitFailure
      const found = await texts(`${before}${query}\n) ${asTexts(count)} LIMIT ${most}`)
      return isFailure(found) ? inQuery(found, before) : found
    },
  }
  return {
    engine: label,
    call: callByName(methods),
    interrupt: () => connection.interrupt(),
  }
}

const before = 'FROM (\n'

/** Two columns of one name are both there if the names are not known. */
function asTexts(count: number | undefined): string {
  const names = Array.from({ length: count ?? 0 }, (_, index) => internalName(`c${index}`))
  const values = (count === undefined ? ['COLUMNS(*)'] : names).map(name => `CAST(${name} AS VARCHAR)`)
  return `AS ${internalName('result')}${count === undefined ? '' : `(${names.join(', ')})`} SELECT ${values.join(', ')}`
}

/** Returns the failure with its place in the query. */
function inQuery(failure: UnitFailure, start: string): UnitFailure {
  const { position } = failure
  return position === undefined ? failure : { ...failure, position: position - start.length }
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
