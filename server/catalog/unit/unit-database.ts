/**
 * The in-memory DuckDB in which unit tests run: apart from the binder's, because it holds rows and runs what users
 * write. It reaches neither files nor the network, has little memory and is stopped when a test takes too long. Knows
 * nothing of tests.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { type BindError, readBindError } from '../bind-error.ts'
import { accessTo } from '../binder.ts'
import { quoteLiteral } from '../quoting.ts'
import { countRunning } from '../running.ts'

export type UnitFailure = BindError & {
  /** It was stopped: it took too long, or nobody wants to know any more. */
  readonly stopped: 'too-long' | 'aborted' | undefined
}

export interface UnitDatabase {
  /**
   * What `now()` is from now on; undefined: asking for it is an error that `isTimeProblem` knows. A failure: there is
   * no such time.
   */
  setNow(time: string | undefined): Promise<UnitFailure | undefined>
  run(sql: string): Promise<UnitFailure | undefined>
  /** Names and types of a query's columns. */
  describe(sql: string): Promise<readonly { readonly name: string; readonly type: string }[] | UnitFailure>
  /** All values must be texts. */
  texts(sql: string): Promise<readonly (readonly (string | null)[])[] | UnitFailure>
  close(): void
}

export interface Limits {
  readonly timeMs: number
  readonly isAborted: () => boolean
}

export function isFailure<T>(result: T | UnitFailure): result is UnitFailure {
  return typeof result === 'object' && result !== null && 'kind' in result && 'stopped' in result
}

/** `limits` is asked at the start of each statement; `load`: statements that load extensions of the engine. */
export async function openUnitDatabase(
  limits: () => Limits,
  load: readonly string[] = [],
): Promise<UnitDatabase> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', { ...options, ...accessTo(load) })
  const connection = await instance.connect()
  const closed = load.length > 0 ? ['SET enable_external_access = false'] : []
  for (const sql of [...load, ...closed, ...setUp]) await connection.run(sql)
  const running = countRunning()
  let now: string | undefined

  const attempt = <T>(work: () => Promise<T>) => running.track(() => guarded(connection, limits(), work))
  return {
    async setNow(time) {
      if (time === now) return undefined
      const value = time === undefined ? 'NULL' : `CAST(${quoteLiteral(time)} AS TIMESTAMPTZ)`
      const done = await attempt(() => connection.run(`SET VARIABLE svc_now = ${value}`))
      if (isFailure(done)) return done
      now = time
      return undefined
    },
    async run(sql) {
      const done = await attempt(() => connection.run(sql))
      return isFailure(done) ? done : undefined
    },
    async describe(sql) {
      const found = await attempt(() => connection.runAndReadAll(`DESCRIBE ${sql}`))
      return isFailure(found)
        ? found
        : found.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }))
    },
    async texts(sql) {
      const found = await attempt(() => connection.runAndReadAll(sql))
      return isFailure(found)
        ? found
        : found.getRows().map(row => row.map(value => (value === null ? null : String(value))))
    },
    close: () =>
      running.close(() => {
        connection.closeSync()
        instance.closeSync()
      }),
  }
}

const options = {
  threads: '1',
  max_memory: '512MB',
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

const timeProblem = 'svc: the SQL asks for the time'
const now = `coalesce(getvariable('svc_now')::TIMESTAMPTZ, error('${timeProblem}'))`
const id = "'00000000-0000-4000-8000-000000000000'::UUID"

/** Functions of the same name in the default schema come before DuckDB's own. */
const frozen: Readonly<Record<string, string>> = {
  now: `() AS ${now}`,
  get_current_timestamp: `() AS ${now}`,
  transaction_timestamp: `() AS ${now}`,
  current_date: `() AS ${now}::DATE`,
  today: `() AS ${now}::DATE`,
  get_current_time: `() AS ${now}::TIMESTAMP::TIME::TIMETZ`,
  current_localtime: `() AS ${now}::TIMESTAMP::TIME`,
  current_localtimestamp: `() AS ${now}::TIMESTAMP`,
  age: `(a) AS system.main.age(${now}::DATE::TIMESTAMP, a::TIMESTAMP), (a, b) AS system.main.age(a, b)`,
  random: '() AS 0.5::DOUBLE',
  uuid: `() AS ${id}`,
  uuidv4: `() AS ${id}`,
  uuidv7: `() AS ${id}`,
  gen_random_uuid: `() AS ${id}`,
}

const setUp = [
  "SET TimeZone = 'UTC'",
  'SET errors_as_json = true',
  'SET lock_configuration = true',
  ...Object.entries(frozen).map(([name, macro]) => `CREATE MACRO ${name}${macro}`),
]

/** The names that are frozen; a test compares them with those that make an asset volatile. */
export const frozenFunctions: readonly string[] = Object.keys(frozen)

export function isTimeProblem({ message }: UnitFailure): boolean {
  return message.includes(timeProblem)
}

/** How often a running statement is asked whether it is still wanted. */
const watchMs = 5

async function guarded<T>(
  connection: DuckDBConnection,
  limits: Limits,
  work: () => Promise<T>,
): Promise<T | UnitFailure> {
  if (limits.isAborted()) return { ...readBindError('aborted'), stopped: 'aborted' }
  const deadline = performance.now() + limits.timeMs
  let stopped: UnitFailure['stopped']
  const timer = setInterval(() => {
    if (limits.isAborted()) stopped = 'aborted'
    else if (performance.now() > deadline) stopped = 'too-long'
    if (stopped !== undefined) connection.interrupt()
  }, watchMs)
  try {
    return await work()
  } catch (error) {
    return { ...readBindError(error), stopped }
  } finally {
    clearInterval(timer)
  }
}
