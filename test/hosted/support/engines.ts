/**
 * The API suite runs once an engine: `describeEngines('… on $name', engine => { const hosted = useHosted(engine) })`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { standardLimits } from '../../../hosted-api/limits/index.ts'
import { type Service, type ServiceOptions, startService } from '../../../hosted-api/service.ts'
import type { SqliteDriver } from '../../../hosted-api/storage/index.ts'
import { isLong } from '../../support/long.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { buildService, serviceBundle } from './child.ts'
import { type Client, createClient } from './client.ts'

export interface EngineCase {
  readonly name: string
  readonly driver: SqliteDriver
  readonly isPostgres: boolean
}

const sqlite3: EngineCase = { name: 'sqlite3', driver: 'sqlite3', isPostgres: false }
const libsql: EngineCase = { name: 'libsql', driver: 'libsql', isPostgres: false }
const postgres: EngineCase = { name: 'postgres', driver: 'sqlite3', isPostgres: true }

/** `sqlite3` has to be compiled, `libsql` comes with its binaries, PostgreSQL is of the system. */
export const engines: readonly EngineCase[] = [
  ...((await canLoad('sqlite3')) ? [sqlite3] : []),
  ...((await canLoad('libsql')) ? [libsql] : []),
  ...(canStartPostgres() ? [postgres] : []),
]
if (engines.length === 0)
  process.stderr.write('no SQLite driver and no PostgreSQL: svc-hosted is not tested\n')

/** Once an engine, in `npm test` on the first alone; where there is no database at all its tests are skipped. */
export function describeEngines(
  title: string,
  tests: (engine: EngineCase) => void,
  wanted = isLong ? engines : engines.slice(0, 1),
): void {
  if (wanted.length > 0) describe.each(wanted)(title, tests)
  else describe.skip(title, () => tests(sqlite3))
}

/** Whether tests that open SQLite files by themselves can. */
export const hasSqlite3 = engines.includes(sqlite3)
if (!hasSqlite3) process.stderr.write('sqlite3 is not compiled here: not tested with it\n')

export const bootstrapToken = 'svc_test_0123456789abcdefghijklmnopqrstuv'

export interface Hosted {
  /** Has the bootstrap token: may do everything. */
  readonly admin: Client
  readonly service: Service
  /** Of the database, as `--db` takes it. */
  readonly address: string
  /** Errors that the service told its log. */
  readonly errors: readonly unknown[]
  /** Another client of the same service; without a token it sends none. */
  client(token?: string): Client
  /** A second service on another database while `work` runs. */
  beside(engine: EngineCase, address: string, work: (admin: Client) => Promise<void>): Promise<void>
  /** Stops the service and starts it on the same database. */
  restart(options?: Partial<ServiceOptions>): Promise<void>
}

/** SVC_TEST_QUESTIONS=1: long questions of all tests are answered in a process of their own. */
const asksProcesses = process.env['SVC_TEST_QUESTIONS'] === '1'

/** A service on a free port; its errors are nobody's. */
export function serviceOptions(database: Pick<ServiceOptions, 'address' | 'driver'>): ServiceOptions {
  return {
    ...database,
    clock: () => new Date(),
    host: '127.0.0.1',
    port: 0,
    bootstrapToken,
    // Rates are tested where they are meant; all other limits hold.
    limits: { ...standardLimits, reads: 0, writes: 0, uploads: 0, failures: 0 },
    stopTimes: { drain: 0, deadline: 10 },
    trustProxy: false,
    metrics: true,
    cacheBytes: 1024 * 1024,
    onError: () => undefined,
  }
}

/** A service on an empty database for all tests of a `describe`. */
export function useHosted(engine: EngineCase, options: Partial<ServiceOptions> = {}): Hosted {
  let folder = ''
  let server: PostgresServer | undefined
  let service: Service | undefined
  let address = ''
  const errors: unknown[] = []

  const start = (more: Partial<ServiceOptions> = {}) =>
    startService({
      ...serviceOptions({ address, driver: engine.driver }),
      onError: error => {
        errors.push(error)
        if (process.env['SVC_TEST_ERRORS']) console.error(error)
      },
      ...(asksProcesses && { questions: { bundle: serviceBundle, processes: 1 } }),
      ...options,
      ...more,
    })

  beforeAll(async () => {
    if (asksProcesses || options.questions !== undefined) await buildService()
    folder = mkdtempSync(join(tmpdir(), 'svc-hosted-'))
    server = engine.isPostgres ? await startPostgres() : undefined
    address = (await server?.createDatabase()) ?? `sqlite://${join(folder, 'test.db')}`
    service = await start()
  })

  afterAll(async () => {
    await service?.stop()
    await server?.stop()
    if (folder !== '') rmSync(folder, { recursive: true, force: true })
  })

  const running = () => {
    if (service === undefined) throw new Error('the service runs in tests and hooks only')
    return service
  }
  return {
    get admin() {
      return createClient(running().url, bootstrapToken)
    },
    get service() {
      return running()
    },
    get address() {
      return address
    },
    errors,
    async beside(other, place, work) {
      const second = await start({ address: place, driver: other.driver })
      try {
        await work(createClient(second.url, bootstrapToken))
      } finally {
        await second.stop()
      }
    },
    client: token => createClient(running().url, token),
    async restart(more) {
      await running().stop()
      service = await start(more)
    },
  }
}

async function canLoad(name: string): Promise<boolean> {
  try {
    await import(/* @vite-ignore */ name)
    return true
  } catch {
    return false
  }
}
