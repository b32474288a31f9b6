/** `svc discover`: looks at a web service, a database or files, and writes the files of the assets that it finds (interface.md 4.4). */
import { didYouMean, redact, yamlText } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { collectSecrets, defaultVariable } from '../ingest/credentials.ts'
import { firstOf } from '../ingest/skipped-files.ts'
import { type IngestOf, nothingPersonal } from '../ingest/source.ts'
import { databaseAddress } from '../ingest/sql/address.ts'
import type { Database, TableFacts } from '../ingest/sql/database.ts'
import { tableParts } from '../ingest/sql/relation.ts'
import { reachDatabase } from '../ingest/sql/sql-source.ts'
import { assetName } from './asset-name.ts'
import { type DiscoveredSource, yamlList } from './asset-text.ts'
import { fileAsset } from './file-asset.ts'
import { findFilter, isAlwaysThere, likelyCursor } from './find-cursor.ts'
import { type Login, loginOf, refuseLogin } from './login.ts'
import {
  type DiscoveredAsset,
  type DiscoverRequest,
  firstAsset,
  type IngestKeys,
  type Look,
  likelyKey,
  type Opened,
  optionalKey,
  placeOf,
  refuseTaken,
  sampleOf,
  surroundings,
  written,
  yamlMapping,
} from './look.ts'
import type { SampledColumn } from './sample-source.ts'
import { sourceAddress } from './source-address.ts'
import { warehouseColumns, warehouseTables } from './warehouse-tables.ts'

export type Discovery = Awaited<ReturnType<typeof discover>>

/** Throws `wrong-usage` if a database has several tables and none is named. */
export async function discover(request: DiscoverRequest, workspace: Opened) {
  const { env } = workspace.world
  const known = { env, cwd: workspace.world.cwd, root: workspace.root, warehouse: workspace.environment }
  const address = sourceAddress(request.address, request.name, known)
  const withSecrets = { ...env, ...address.variables }
  const look = { request, address, workspace, env: withSecrets }
  const assets = await assetsOf(look)
  const unset = Object.keys(address.variables).filter(variable => (env[variable] ?? '') === '')
  return { assets /** The variables that the new files read secrets from, and that are not set. */, unset }
}

async function assetsOf(look: Look): Promise<readonly DiscoveredAsset[]> {
  const { type } = look.address
  if (type !== 'rest_api') refuseLogin(look.request)
  if (type === 'sql') return databaseAssets(look)
  return [type === 'file' ? await fileAsset(look) : await webServiceAsset(look)]
}

// ---------------------------------------------------------------- web services

async function webServiceAsset(look: Look): Promise<DiscoveredAsset> {
  const { address, request } = look
  if (request.table !== undefined) {
    throw new SvcError('wrong-usage', 'a web service has no tables', {
      hint: `Leave out table:${request.table}: the path of the address says which records are meant.`,
    })
  }
  const { endpoint, resource = '/', params, name } = address
  refuseTaken(look, name)
  const place = placeOf(look)
  const login = loginOf(look)
  const keys: IngestKeys = [
    ['endpoint', yamlText(place.endpoint)],
    ['resource', yamlText(place.resource)],
    ...optionalKey('params', Object.keys(params).length === 0 ? undefined : yamlMapping(params)),
    ...login.keys,
  ]
  const { pages, ...sampled } = await sampleOf(look, name, 'rest_api', keys).catch(error =>
    refuseWithoutLogin(error, login),
  )
  const key = likelyKey(sampled.columns, name)
  const cursor = likelyCursor(sampled.columns)
  const filter = cursor === undefined || key === undefined ? undefined : await filterOf(look, keys, cursor)
  const given = filter === undefined ? keys : withParams(keys, { ...params, [filter]: '{cursor}' })
  return written(look, {
    ...sampled,
    name,
    type: 'rest_api',
    description: `Records of ${resource} at ${new URL(endpoint).host}.`,
    ingest: [
      ...given,
      ...optionalKey('records', pages?.records === undefined ? undefined : yamlText(pages.records)),
      ...optionalKey(
        'paginate',
        pages && pages.paginate['type'] !== 'none' ? yamlMapping(pages.paginate) : undefined,
      ),
      ...optionalKey('primary_key', key),
      ...(filter === undefined ? [] : changesAlone(cursor)),
    ],
    maybeCursor: filter === undefined ? cursor?.name : undefined,
    more: pages?.more,
    loginOf: login.from,
    primaryKey: key === undefined ? [] : [key],
    required: [],
    descriptions: new Map(),
  })
}

/** A service that wants a login says so by its status. */
function refuseWithoutLogin(error: unknown, { keys }: Login): never {
  const status = error instanceof SvcError ? error.facts?.['status'] : undefined
  if (!(error instanceof SvcError) || (status !== 401 && status !== 403)) throw error
  throw new SvcError(error.code, error.message, {
    facts: error.facts,
    cause: error.cause,
    hint:
      keys.length === 0
        ? 'It wants a login: --auth bearer with the token in SOURCE__<ASSET>__CREDENTIALS, another kind (svc explain ingest.auth), or --like with an asset or destination that has one.'
        : 'Check the kind of login and the variable that its secret is in.',
  })
}

/** How the service pages is known then. */
const onePage: IngestKeys[number] = ['paginate', 'none']

/** Returns the parameter by which the service leaves out what has not changed; undefined where none was seen to. */
async function filterOf(look: Look, keys: IngestKeys, cursor: SampledColumn): Promise<string | undefined> {
  const { name, params } = look.address
  if (!isAlwaysThere(cursor)) return undefined
  return findFilter(cursor, (parameter, value) =>
    sampleOf(look, name, 'rest_api', [...withParams(keys, { ...params, [parameter]: value }), onePage]),
  )
}

function withParams(keys: IngestKeys, params: Readonly<Record<string, string>>): IngestKeys {
  const others = keys.filter(([key]) => key !== 'params')
  const place = others.findIndex(([key]) => key === 'resource') + 1
  return [...others.slice(0, place), ['params', yamlMapping(params)], ...others.slice(place)]
}

function changesAlone(cursor: SampledColumn | undefined): IngestKeys {
  if (cursor === undefined) return []
  return [
    ['write', 'merge'],
    ['incremental', yamlMapping({ cursor: cursor.name })],
  ]
}

// ---------------------------------------------------------------- databases

async function databaseAssets(look: Look): Promise<readonly DiscoveredAsset[]> {
  const { request, address } = look
  const tables = request.table === undefined ? await tablesOf(look) : [request.table]
  if (tables.length === 0) {
    throw new SvcError('source-empty', 'the database has no tables that this user may see', {
      hint: 'Check the name of the database, and the rights of the user.',
    })
  }
  if (tables.length > 1 && !request.all) {
    throw new SvcError('wrong-usage', `the database has ${tables.length} tables: ${firstOf(tables, 20)}`, {
      hint: `Name one: svc discover ${shownAddress(request.address)} table:${tables[0]}, or take --all.`,
      facts: { tables },
    })
  }
  const names = request.name === undefined ? uniqueNames(tables) : [request.name]
  for (const name of names) refuseTaken(look, name)
  const assets: DiscoveredAsset[] = []
  for (const [index, table] of tables.entries()) {
    const name = names[index] ?? address.name
    assets.push(await tableAsset(look, table, name).catch(error => refuseUnknownTable(look, table, error)))
  }
  return assets
}

/** A password in an address is not repeated. */
function shownAddress(address: string): string {
  return redact(address, []) === address ? address : '<address>'
}

/** Says that a table is not there, and which one is called nearly so, where the database refused what was asked of it. */
async function refuseUnknownTable(look: Look, table: string, error: unknown): Promise<never> {
  if (!(error instanceof SvcError) || look.request.table === undefined) throw error
  const tables = await tablesOf(look).catch(() => undefined)
  const last = (name: string) => tableParts(name).at(-1)?.toLowerCase()
  if (tables === undefined || tables.some(each => last(each) === last(table))) throw error
  throw new SvcError('wrong-usage', `the database has no table "${table}"${didYouMean(table, tables)}`, {
    hint:
      tables.length === 0
        ? 'It has no tables that this user may see.'
        : `Its tables are ${firstOf(tables, 20)}.`,
    facts: { tables },
  })
}

async function tableAsset(look: Look, table: string, name: string): Promise<DiscoveredAsset> {
  const keys = databaseKeys(look, table, name)
  const facts = await withDatabaseOf(look, name, keys, database => database.facts(table))
  const sampled = await sampleOf(look, name, 'sql', keys)
  const { primaryKey, required, descriptions } = renamed(facts, sampled.columns)
  if (look.address.inWarehouse === true) {
    const types = await warehouseColumns(look.workspace, table)
    return written(look, {
      name,
      columns: sampled.columns.map(column => ({
        ...column,
        type: types.find(each => each.name === column.name)?.type ?? column.type,
      })),
      children: [],
      type: 'warehouse',
      description: facts.description ?? `Rows of ${table}.`,
      ingest: [['resource', yamlText(table)]],
      primaryKey,
      required,
      descriptions,
    })
  }
  const cursor = likelyCursor(sampled.columns)
  // The database filters by any column; that each row has a value it has to promise.
  const isSure = cursor !== undefined && primaryKey.length > 0 && required.includes(cursor.name)
  return written(look, {
    ...sampled,
    name,
    type: 'sql',
    description: facts.description ?? `Rows of ${table}.`,
    ingest: [
      ...keys,
      ...optionalKey('primary_key', primaryKey.length === 0 ? undefined : yamlList(primaryKey)),
      ...(isSure ? changesAlone(cursor) : []),
    ],
    maybeCursor: isSure ? undefined : cursor?.name,
    primaryKey,
    required,
    descriptions,
  })
}

function databaseKeys({ address }: Look, table: string, name: string): IngestKeys {
  const [variable] = Object.keys(address.variables)
  const isUsual = variable === undefined || variable === defaultVariable(name)
  return [
    ['endpoint', yamlText(address.endpoint)],
    ['resource', yamlText(table)],
    ...(address.inWarehouse === true ? asTheyAre : []),
    ...optionalKey('credentials', isUsual ? undefined : `env:${variable}`),
  ]
}

/** A table of the warehouse is looked at through the reader of databases, which would give other names and tables. */
const asTheyAre: IngestKeys = [
  ['naming', 'source'],
  ['nested', 'json'],
]

async function tablesOf(look: Look): Promise<readonly string[]> {
  if (look.address.inWarehouse === true) return warehouseTables(look.workspace)
  const keys = databaseKeys(look, 'tables', look.address.name)
  return withDatabaseOf(look, look.address.name, keys, database => database.tables())
}

async function withDatabaseOf<T>(
  look: Look,
  name: string,
  keys: DiscoveredSource['ingest'],
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const asset = firstAsset(look, name, 'sql', keys)
  const ingest = asset.definition.ingest as IngestOf<'sql'>
  const context = {
    ...surroundings(look),
    asset,
    personal: nothingPersonal,
    spoolFolder: look.workspace.root,
    previous: undefined,
    onProgress: () => undefined,
  }
  const secrets = collectSecrets()
  return reachDatabase({ ingest, context, secrets, address: databaseAddress(ingest, context, secrets) }, use)
}

/** Two tables of one name in two schemas get the schema in front. */
function uniqueNames(tables: readonly string[]): readonly string[] {
  const parts = tables.map(tableParts)
  const short = parts.map(each => assetName(each.at(-1) ?? '', 'table'))
  return short.map((name, index) =>
    short.filter(each => each === name).length === 1 ? name : assetName((parts[index] ?? []).join('_'), name),
  )
}

/** Returns the facts with the names that the columns have in the new table. */
function renamed(facts: TableFacts, columns: readonly SampledColumn[]) {
  const names = new Map(columns.map(({ name, from }) => [from, name]))
  const known = (from: readonly string[]) => from.flatMap(each => names.get(each) ?? [])
  return {
    primaryKey: known(facts.primaryKey),
    required: known(facts.required),
    descriptions: new Map(
      [...facts.descriptions].flatMap(([from, text]) => {
        const name = names.get(from)
        return name === undefined ? [] : [[name, text] as const]
      }),
    ),
  }
}
