/** `svc-hosted token`: manages tokens directly in the database. A server that uses it need not be stopped. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  createToken,
  day,
  defaultLifetime,
  expandScopes,
  type FreshToken,
  listTokens,
  longestGrace,
  longestLifetime,
  longestMemory,
  revokeToken,
  roles,
  rotateToken,
  type TokenRecord,
  tokenNameProblem,
} from '../access/index.ts'
import { scopes } from '../http/index.ts'
import { openStorage, type Storage } from '../storage/index.ts'
import { addCreateOption, addDatabaseOptions, type DatabaseOptions } from './database-options.ts'
import { UsageError, type World } from './world.ts'

const author = { actor: 'svc-hosted', requestId: 'command-line' }

/** A command opens the database itself: no token of its own limits what it gives. */
const latest = Number.POSITIVE_INFINITY

interface CreateOptions extends DatabaseOptions {
  readonly name: string
  readonly scope: readonly string[]
  readonly project: readonly number[]
  readonly allProjects: boolean
  readonly expiresInDays: number
  readonly neverExpires: boolean
  readonly json: boolean
}

type JsonOptions = DatabaseOptions & { readonly json: boolean }

export function addToken(program: Command, world: World): void {
  const group = program.command('token').description('make, list, rotate and revoke tokens')
  const json = () => new Option('--json', 'print JSON').default(false)
  addCreateOption(addDatabaseOptions(group.command('create')))
    .description('make a token; it is shown this once')
    .requiredOption('--name <name>', 'stands in the audit log and in created_by')
    .requiredOption('--scope <scope...>', `${scopes.join(', ')}; or a role: ${Object.keys(roles).join(', ')}`)
    .option('--project <id...>', 'projects that it sees', readIds, [])
    .option('--all-projects', 'it sees all projects, also those to come', false)
    .option(
      '--expires-in-days <days>',
      `1 to ${longestLifetime}`,
      readWithin(1, longestLifetime),
      defaultLifetime,
    )
    .option('--never-expires', 'it ends only when it is revoked', false)
    .addOption(json())
    .action((options: CreateOptions) =>
      withStorage(options, world, storage => create(storage, options, world)),
    )
  addDatabaseOptions(group.command('list'))
    .description('what tokens there are')
    .addOption(json())
    .action((options: JsonOptions) => withStorage(options, world, storage => show(storage, options, world)))
  addDatabaseOptions(group.command('rotate'))
    .description('replace a token by a new one with the same rights')
    .argument('<id>', 'its number', readId)
    .option('--grace <seconds>', 'how long the old token stays valid', readWithin(0, longestGrace), 0)
    .addOption(json())
    .action((id: number, options: JsonOptions & { readonly grace: number }) =>
      withStorage(options, world, async storage => {
        const fresh = await storage.write(tx =>
          rotateToken(tx, id, options.grace, { author, now: storage.clock(), latest }),
        )
        if (fresh === undefined) throw new UsageError(`there is no token ${id} that could be rotated`)
        if (options.grace === 0) await untilForgotten(storage)
        showFresh(fresh, options.json, world)
      }),
    )
  addDatabaseOptions(group.command('revoke'))
    .description('end a token now')
    .argument('<id>', 'its number', readId)
    .action((id: number, options: DatabaseOptions) =>
      withStorage(options, world, async storage => {
        const token = await storage.write(tx => revokeToken(tx, id, { author, now: storage.clock() }))
        if (token === undefined) throw new UsageError(`there is no token ${id}`)
        await untilForgotten(storage)
        world.say(`token ${id} (${token.name}) is revoked`)
      }),
    )
}

/**
 * A server on the same file caches tokens for a moment; waiting makes sure that a revoked token is no longer
 * accepted.
 */
async function untilForgotten(storage: Storage): Promise<void> {
  if (storage.engine === 'sqlite') await wait(longestMemory + 50)
}

async function create(storage: Storage, options: CreateOptions, world: World): Promise<void> {
  const problem = tokenNameProblem(options.name)
  if (problem !== undefined) throw new UsageError(`--name: ${problem}`)
  const wanted = expandScopes(options.scope)
  if ('unknown' in wanted) throw new UsageError(`"${wanted.unknown}" is no scope and no role`)
  if (options.allProjects === options.project.length > 0) {
    throw new UsageError('give --project with the numbers of projects, or --all-projects')
  }
  const order = {
    name: options.name,
    scopes: wanted,
    projects: options.allProjects ? ('all' as const) : options.project,
    lifetime: options.neverExpires ? undefined : options.expiresInDays * day,
  }
  for (const id of options.project) {
    if ((await storage.revision(id)) === undefined) throw new UsageError(`there is no project ${id}`)
  }
  showFresh(
    await storage.write(tx => createToken(tx, order, { author, now: storage.clock(), latest })),
    options.json,
    world,
  )
}

/** Prints only the token on stdout, so that a script can read it; explanations go to stderr. */
function showFresh({ secret, record }: FreshToken, json: boolean, world: World): void {
  if (json) {
    world.say(JSON.stringify({ token: record, secret }, null, 2))
    return
  }
  world.warn(
    `token ${record.id} (${record.name}): ${record.scopes.join(', ')}; ${projectsText(record)}; ${endText(record)}`,
  )
  world.warn('It is shown this once; only its hash is kept.')
  world.say(secret)
}

async function show(storage: Storage, { json }: JsonOptions, world: World): Promise<void> {
  const tokens = await listTokens(storage.reads, storage.clock())
  if (json) {
    world.say(JSON.stringify(tokens, null, 2))
    return
  }
  const rows = tokens.map(token => [
    String(token.id),
    oneLine(token.name),
    token.hint,
    token.status,
    projectsText(token),
    endText(token),
    token.last_used_at === null ? 'never used' : `used ${token.last_used_at.slice(0, 16)}Z`,
  ])
  for (const line of aligned([['id', 'name', 'token', 'status', 'projects', 'ends', 'last use'], ...rows]))
    world.say(line)
}

/** Names of earlier versions may have line breaks, which would look like rows. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\ufffd')
}

function projectsText({ projects }: TokenRecord): string {
  if (projects === 'all') return 'all projects'
  return `${projects.length === 1 ? 'project' : 'projects'} ${projects.join(', ')}`
}

function endText({ expires_at, revoked_at }: TokenRecord): string {
  if (revoked_at !== null) return `revoked ${revoked_at.slice(0, 10)}`
  return expires_at === null ? 'never expires' : `until ${expires_at.slice(0, 10)}`
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0))) ?? []
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export async function withStorage(
  options: DatabaseOptions,
  world: World,
  work: (storage: Storage) => Promise<void>,
): Promise<void> {
  const storage = await openStorage({
    address: options.db,
    driver: options.dbDriver,
    clock: world.clock,
    shared: true,
    mustExist: options.create !== true,
  })
  try {
    await work(storage)
  } finally {
    await storage.close()
  }
}

function readId(text: string): number {
  return readWithin(1, 2_147_483_647)(text)
}

/** commander calls this for each value, with the previous result. */
function readIds(text: string, before: readonly number[]): readonly number[] {
  return [...before, ...text.split(',').map(readId)]
}

function readWithin(least: number, most: number): (text: string) => number {
  return text => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`it is a whole number from ${least} to ${most}.`)
  }
}
