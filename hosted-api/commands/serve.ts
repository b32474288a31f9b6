/** `svc-hosted serve`: opens the database and answers requests until it is stopped. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Limits, type LimitUnit, limitNames, limitTable, readLimit, showLimit } from '../limits/index.ts'
import { createLog, type LogLevel, logLevels } from '../operation/index.ts'
import { startService } from '../service.ts'
import { addCreateOption, addDatabaseOptions, type DatabaseOptions } from './database-options.ts'
import type { World } from './world.ts'

const defaultPort = 4000
const defaultCacheMegabytes = 64
const defaultQuestionProcesses = 2
const mostQuestionProcesses = 16

interface ServeOptions extends DatabaseOptions {
  readonly host: string
  readonly port: number
  readonly cacheMb: number
  readonly logLevel: LogLevel
  readonly metrics: boolean
  readonly trustProxy: boolean
  readonly questionProcesses: number
  readonly drain: number
  readonly stopDeadline: number
}

export function addServe(program: Command, world: World): void {
  const command = addCreateOption(addDatabaseOptions(program.command('serve')))
    .description('serve the glossary and the metadata of projects over HTTP')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', readPort, defaultPort)
    .option(
      '--cache-mb <number>',
      'memory for cached answers; 0 turns it off',
      readWhole,
      defaultCacheMegabytes,
    )
    .option(
      '--question-processes <number>',
      'processes that answer long questions (lineage, manifest, export, search, long lists), so that nothing else waits for them; 0 answers them in the service',
      readProcesses,
      defaultQuestionProcesses,
    )
    .addOption(
      new Option('--log-level <level>', 'what is logged; every request is "info"')
        .choices(logLevels)
        .default('info'),
    )
    .option('--no-metrics', 'do not serve /metrics')
    .option('--trust-proxy', 'trust the last address of X-Forwarded-For', false)
    .option(
      '--drain <time>',
      'how long it still accepts connections after SIGTERM, while /readyz says "not ready"',
      readTime,
      0,
    )
    .option('--stop-deadline <time>', 'how long running requests may take after that', readTime, 25)
  for (const name of limitNames) command.addOption(limitOption(name))
  command.action((options: ServeOptions & Readonly<Record<string, unknown>>) => serve(options, world))
}

async function serve(options: ServeOptions & Readonly<Record<string, unknown>>, world: World): Promise<void> {
  const log = createLog(options.logLevel)
  const service = await startService({
    address: options.db,
    mustExist: options.create !== true,
    driver: options.dbDriver,
    clock: world.clock,
    host: options.host,
    port: options.port,
    bootstrapToken: world.environment['SVC_HOSTED_BOOTSTRAP_TOKEN'],
    limits: limitsOf(options),
    stopTimes: { drain: options.drain, deadline: options.stopDeadline },
    trustProxy: options.trustProxy,
    metrics: options.metrics,
    questions:
      world.bundle === undefined ? undefined : { bundle: world.bundle, processes: options.questionProcesses },
    cacheBytes: options.cacheMb * 1024 * 1024,
    onError: log.error,
    onWarning: line => {
      world.warn(`warning: ${line}`)
      log.logger.warn(line)
    },
    onAnswer: log.request,
  })
  world.warn(`svc-hosted listens on ${service.url} (${service.storage.place})`)
  log.logger.info({ url: service.url, database: service.storage.place }, 'listening')
  await Promise.all([service.prepare(), world.interrupted])
  log.logger.info('stopping')
  const inTime = await service.stop()
  log.logger.info({ in_time: inTime }, 'stopped')
  await log.flush()
}

function limitOption(name: keyof Limits): Option {
  const { option, unit, summary } = limitTable[name]
  return new Option(`--${option} <${valueNames[unit]}>`, summary)
    .helpGroup('Limits (0 turns one off):')
    .default(limitTable[name].standard, showLimit(name))
    .argParser(text => {
      const value = readLimit(unit, text)
      if (value === undefined) throw new InvalidArgumentError(`it is ${valueTexts[unit]}; 0 turns it off.`)
      return value
    })
}

const valueNames: Readonly<Record<LimitUnit, string>> = { count: 'number', bytes: 'size', seconds: 'time' }
const valueTexts: Readonly<Record<LimitUnit, string>> = {
  count: 'a whole number',
  bytes: 'a size such as 65536, 512KiB or 64MiB, up to 1GiB',
  seconds: 'a time such as 30, 30s or 5m, up to 24h',
}

/** commander names options in camel case. */
function limitsOf(options: Readonly<Record<string, unknown>>): Limits {
  const member = (option: string) => option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(
    limitNames.map(name => [name, Number(options[member(limitTable[name].option)])]),
  ) as Limits
}

function readWhole(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('it is a whole number, 0 or more.')
  return Number(value)
}

function readProcesses(value: string): number {
  const count = readWhole(value)
  if (count <= mostQuestionProcesses) return count
  throw new InvalidArgumentError(`it is a whole number up to ${mostQuestionProcesses}.`)
}

function readPort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('it is a whole number from 0 to 65535.')
}

function readTime(value: string): number {
  const seconds = readLimit('seconds', value)
  if (seconds === undefined) throw new InvalidArgumentError(`it is ${valueTexts.seconds}.`)
  return seconds
}
