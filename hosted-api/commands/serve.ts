/** `svc-hosted serve`: opens the database, answers requests until it is told to stop. */
import { type Command, InvalidArgumentError } from 'commander'
import { startService } from '../service.ts'
import { type SqliteDriver, sqliteDrivers } from '../storage/index.ts'
import type { World } from './world.ts'

const defaultPort = 4000
const defaultCacheMegabytes = 64

interface ServeOptions {
  readonly db: string
  readonly dbDriver: SqliteDriver
  readonly host: string
  readonly port: number
  readonly cacheMb: number
}

export function addServe(program: Command, world: World): void {
  program
    .command('serve')
    .description('serve the glossary and the metadata of projects over HTTP')
    .requiredOption('--db <address>', 'sqlite:///path/to/file or postgres://user@host/database')
    .option('--db-driver <name>', `SQLite driver: ${sqliteDrivers.join(' or ')}`, readDriver, 'sqlite3')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', readWhole, defaultPort)
    .option(
      '--cache-mb <number>',
      'memory for ready-made answers; 0 turns it off',
      readWhole,
      defaultCacheMegabytes,
    )
    .action((options: ServeOptions) => serve(options, world))
}

async function serve(options: ServeOptions, world: World): Promise<void> {
  const service = await startService({
    address: options.db,
    driver: options.dbDriver,
    clock: world.clock,
    host: options.host,
    port: options.port,
    bootstrapToken: world.environment['SVC_HOSTED_BOOTSTRAP_TOKEN'],
    cacheBytes: options.cacheMb * 1024 * 1024,
    onError: (error, requestId) => world.warn(`error: request ${requestId}: ${detailOf(error)}`),
  })
  world.say(`svc-hosted listens on ${service.url} (${service.storage.place})`)
  await world.interrupted
  await service.stop()
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function readDriver(value: string): SqliteDriver {
  const driver = sqliteDrivers.find(each => each === value)
  if (driver === undefined) throw new InvalidArgumentError(`it is one of ${sqliteDrivers.join(', ')}.`)
  return driver
}

function readWhole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('it is a whole number, 0 or more.')
  return Number(value)
}
