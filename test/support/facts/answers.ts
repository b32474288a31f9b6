/** The answers of the product, each read at one place: what it tells of the facts that others tell too. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { runner } from '../../../cli/commands/mcp.ts'
import { realWorld } from '../../../cli/commands/world.ts'
import { renewalWord } from '../../../cli/dashboard/file-renewal.ts'
import { openProjectFiles } from '../../../cli/dashboard/project-files.ts'
import type { SiteData } from '../../../cli/dashboard/site.ts'
import { projectCatalog } from '../../../cli/engine/artifacts/project-catalog.ts'
import { openOptions, withReadSession } from '../../../cli/engine/run/begin-run.ts'
import { locateProject, stateNameNow } from '../../../cli/engine/workspace/locate-project.ts'
import { openWorkspace } from '../../../cli/engine/workspace/open-workspace.ts'
import type { World } from '../../../cli/engine/workspace/workspace.ts'
import { inTurns } from '../../../cli/mcp/command-runner.ts'
import { createServer } from '../../../cli/mcp/create-server.ts'
import type {
  AttemptedRuns,
  CatalogFile,
  ContextPack,
  HistoryRun,
  JsonOf,
  QualityFile,
  TestResultsFile,
} from '../../../server/contract/index.ts'
import { type ProjectsResult, projectsRequest } from '../../../server/lsp/protocol.ts'
import { freshnessOf } from '../../../webview/graph/freshness.ts'
import { editorHere } from '../editor-here.ts'
import { Telling, type Told, type VersionTold } from './facts.ts'
import { json, optionsOf, type Place, said } from './place.ts'

type Answer = (place: Place, assets: readonly string[]) => Promise<Told>

export function worldOf(place: Place): World {
  const { env = {} } = optionsOf(place)
  return { ...realWorld('tests', undefined, true), cwd: place.root, env, now: place.now }
}

// ---------------------------------------------------------------- the warehouse

/** The state tables, and the rows that readers see. */
const warehouse: Answer = async place => {
  const told = new Telling()
  const workspace = await openWorkspace({
    world: worldOf(place),
    environment: place.environment,
    signal: new AbortController().signal,
  })
  try {
    const { stateName, schema } = workspace.environment
    await withReadSession(workspace, openOptions(workspace), async session => {
      if (session === undefined) return
      const state = await session.state.read(stateName, { historyLimit: 200 })
      for (const name of workspace.project.byName.keys())
        told.live(name, state.live.get(name)?.definition_hash)
      for (const [name, { deployed_at, run_id }] of state.live) {
        told.deployedAt(name, deployed_at)
        told.deployedBy(name, run_id)
      }
      for (const { run_id, kind, status } of state.history) told.run(run_id, kind, status)
      const here = await session.relations(schema)
      for (const { name } of here) {
        const [counted] = await session.query(`SELECT count(*) AS n FROM "${schema}"."${name}"`)
        told.rows(name, Number(counted?.['n']))
      }
    })
  } finally {
    await workspace.close()
  }
  return told.facts
}

// ---------------------------------------------------------------- the command line

const status: Answer = async (place, assets) => {
  const told = new Telling()
  const { assets: found } = await json<JsonOf<'status'>>(place, ['status', '--format', 'json'])
  for (const name of assets) told.live(name, found.find(each => each.name === name)?.active_hash)
  return told.facts
}

const statusText: Answer = async (place, assets) => {
  const told = new Telling()
  const lines = (await said(place, ['status'])).split('\n')
  for (const name of assets) {
    const [, hash, rest = ''] = lines.map(line => line.match(rowOf(name))).find(found => found !== null) ?? []
    if (hash === undefined) continue
    told.live(name, hash === '-' ? null : hash)
    told.status(name, outcomeIn(rest.split(/\s{2,}/)[1] ?? ''))
  }
  return told.facts
}

/** What is held back, or stands there with a warning, has had its last run too. */
function outcomeIn(word: string): string | undefined {
  if (/^(Failed|Held back)$/.test(word)) return 'Failed'
  return /^(Deployed|Warned|Gone|Stale)/.test(word) ? 'deployed' : undefined
}

const rowOf = (name: string) => new RegExp(`^${name}\\s+(-|[0-9a-f]{12})\\s+(.*)$`)

const versions: Answer = async (place, assets) => {
  const told = new Telling()
  for (const name of assets)
    tellVersions(told, name, await json<JsonOf<'versions'>>(place, ['versions', name, '--json']))
  return told.facts
}

function tellVersions(told: Telling, name: string, { versions: found }: JsonOf<'versions'>): void {
  const live = found.find(({ active }) => active)
  told.orderedVersions(name, found)
  told.live(name, live?.hash)
  if (live === undefined) return
  told.deployedAt(name, live.deployed_at)
  told.deployedBy(name, live.run_id)
}

const versionsText: Answer = async (place, assets) => {
  const told = new Telling()
  const [name] = assets
  if (name === undefined) return told.facts
  const lines = (await said(place, ['versions', name])).split('\n')
  const found = lines.flatMap(line => {
    const [, hash, status] = line.match(/^([0-9a-f]{12})\s.*\b(deployed|Failed)\b/) ?? []
    return hash === undefined || status === undefined ? [] : [{ hash, status }]
  })
  told.shortVersions(name, found)
  return told.facts
}

const freshness: Answer = async place => {
  const told = new Telling()
  tellFreshness(told, await json<JsonOf<'freshness'>>(place, ['freshness', '--json']))
  return told.facts
}

function tellFreshness(told: Telling, { assets }: JsonOf<'freshness'>): void {
  for (const { name, status, loaded_at } of assets) {
    told.freshness(name, status)
    told.loadedAt(name, loaded_at)
  }
}

const freshnessText: Answer = async place => {
  const told = new Telling()
  for (const line of (await said(place, ['freshness'])).split('\n')) {
    const [, name, verdict] = line.match(/^(\S+)\s+(OK|WARN|ERROR)\b/) ?? []
    if (name !== undefined) told.freshness(name, verdict)
  }
  return told.facts
}

/** It shows the logs of this folder, of all environments. */
const logs: Answer = async place => {
  const told = new Telling()
  tellLogs(told, await json<JsonOf<'logs'>>(place, ['logs', '--list', '--json']), place)
  return told.facts
}

function tellLogs(told: Telling, list: JsonOf<'logs'>, { environment }: Place): void {
  if (!('logs' in list)) return
  for (const { run_id, kind, environment: where, status } of list.logs)
    if (kind !== null && where === environment) told.run(run_id, kind, status)
}

// ---------------------------------------------------------------- files, pages, packs

/** The copy at the project's root is of the environment, and of the branch, that ran last. */
const rootFiles: Answer = async place => {
  const told = new Telling()
  const catalog = read<CatalogFile>(join(place.root, 'svc_catalog.json'))
  if (!isCopy(place, catalog)) return told.facts
  tellCatalog(told, catalog)
  return told.facts
}

function isCopy(place: Place, catalog: CatalogFile | undefined): catalog is CatalogFile {
  if (catalog?.environment !== place.environment) return false
  return read<CatalogFile>(join(folderOf(place), 'svc_catalog.json'))?.generated_at === catalog.generated_at
}

function folderOf(place: Place): string {
  return join(place.root, '.svc', stateNameNow(locateProject(worldOf(place), place.environment)))
}

const resultsFile: Answer = async (place, assets) => {
  const told = new Telling()
  const results = read<TestResultsFile>(join(folderOf(place), 'test_results.json'))
  if (results === undefined) return told.facts
  for (const name of assets) told.results(name, results[name])
  return told.facts
}

function read<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}

function tellCatalog(told: Telling, catalog: CatalogFile, now?: Date): void {
  for (const asset of catalog.assets) {
    const { name } = asset
    told.live(name, asset.active_hash)
    told.status(name, asset.status)
    told.verdicts(name, asset.tests)
    told.summary(name, asset.summary)
    if (asset.active_hash === null) continue
    told.deployedAt(name, asset.deployed_at)
    told.deployedBy(name, asset.deployed_by)
    told.rows(name, asset.rows)
    if (asset.freshness !== null) told.loadedAt(name, asset.loaded_at)
    if (now !== undefined && asset.freshness !== null) told.freshness(name, freshnessOf(asset, now.getTime()))
  }
}

function tellQuality(told: Telling, { assets }: QualityFile): void {
  for (const { name, tests, summary } of assets) {
    told.verdicts(
      name,
      tests.map(({ name: test, status: found }) => ({ name: test, status: found })),
    )
    told.summary(name, summary)
  }
}

function tellRuns(told: Telling, runs: readonly Pick<HistoryRun, 'run_id' | 'kind' | 'status'>[]): void {
  for (const { run_id, kind, status: found } of runs) told.run(run_id, kind, found)
}

/** What the routes of `svc ui` answer with, and the page works out of it. */
const dashboard: Answer = async place => {
  const told = new Telling()
  const world = worldOf(place)
  const found = locateProject(world, place.environment)
  const files = openProjectFiles({
    root: place.root,
    environment: place.environment,
    stateName: () => stateNameNow(found),
    models: found.models,
    engine: found.engine,
    outline: async () => outlineOf(place),
    renew: async () => void (await said(place, [renewalWord])),
  })
  try {
    // Without a run it shows the files, and says so.
    if (!(await files.hasRun())) return told.facts
    tellCatalog(told, await files.catalog(), place.now())
    tellQuality(told, await files.quality())
    tellRuns(told, (await files.history()).runs)
  } finally {
    files.close()
  }
  return told.facts
}

async function outlineOf(place: Place): Promise<CatalogFile> {
  const { environment } = place
  const workspace = await openWorkspace({
    world: worldOf(place),
    environment,
    signal: new AbortController().signal,
  })
  return projectCatalog(workspace).finally(() => workspace.close())
}

const site: Answer = async place => {
  const told = new Telling()
  const folder = join(place.root, '.svc', 'site-of-facts')
  await said(place, ['lineage', '--out', folder])
  const page = readText(join(folder, 'index.html'))
  const [, data] = page?.match(/<script type="application\/json" id="svc-data">(.*?)<\/script>/s) ?? []
  if (data === undefined) return told.facts
  const { catalog, quality, history } = JSON.parse(data) as SiteData & { readonly history: AttemptedRuns }
  if (catalog.environment !== place.environment) return told.facts
  tellCatalog(told, catalog, place.now())
  tellQuality(told, quality)
  tellRuns(told, history.runs)
  return told.facts
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const pack: Answer = async (place, assets) => {
  const told = new Telling()
  const words = ['ai', 'context', '--json', '--include-tests', '--include-history', '--max-bytes', '9000000']
  const found = await json<ContextPack & { readonly history?: readonly HistoryRun[] }>(place, words)
  for (const name of assets) {
    const known = found.versions?.[name]
    if (known !== undefined) told.orderedVersions(name, known.map(asVersion).reverse())
    if (found.assets.some(each => each.name === name)) told.results(name, found.test_results?.[name])
  }
  tellRuns(told, found.history ?? [])
  return told.facts
}

type PackVersion = NonNullable<ContextPack['versions']>[string][number]

function asVersion({
  hash,
  deployed_at,
  status: found = 'deployed',
  run_id = null,
}: PackVersion): VersionTold {
  return { hash, deployed_at, status: found, run_id }
}

// ---------------------------------------------------------------- programs

/** What its trees and lenses show: the results of the environment that ran last. */
const editor: Answer = async place => {
  const told = new Telling()
  const opened = await editorHere(place.root)
  try {
    const root: string = pathToFileURL(place.root).href
    const found = await projectWithRuns(
      () => opened.connection.sendRequest<ProjectsResult>(projectsRequest),
      root,
    )
    for (const { name, lastRun } of found?.assets ?? []) {
      if (lastRun?.environment !== place.environment) continue
      told.status(name, lastRun.status)
      told.rows(name, lastRun.rows)
    }
  } finally {
    await opened.close()
  }
  return told.facts
}

/** The files of results are read beside the first answers. */
async function projectWithRuns(ask: () => Promise<ProjectsResult>, root: string) {
  let found = (await ask()).find(each => each.root === root)
  for (let tries = 0; tries < 20 && !(found?.assets.some(({ lastRun }) => lastRun) ?? false); tries++) {
    await new Promise(resolve => setTimeout(resolve, 25))
    found = (await ask()).find(each => each.root === root)
  }
  return found
}

const agents: Answer = async (place, assets) => {
  const told = new Telling()
  const run = await runner({ version: '0.0.0', world: worldOf(place) })
  const turns = inTurns(run, 60_000)
  const serving = { run: turns.run, version: '0.0.0', environment: place.environment, allowsWriting: false }
  const [here, there] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([createServer(serving).connect(there), client.connect(here)])
  const call = async <T>(name: string, given: Record<string, unknown> = {}): Promise<T> => {
    const { structuredContent, content } = await client.callTool({ name, arguments: given })
    const [first] = content
    return (structuredContent ?? JSON.parse(first?.type === 'text' ? first.text : '{}')) as T
  }
  try {
    const live = (await call<JsonOf<'status'>>('status')).assets
    for (const name of assets) told.live(name, live.find(each => each.name === name)?.active_hash)
    const [first] = assets
    if (first !== undefined) tellVersions(told, first, await call('versions', { asset: first }))
    tellFreshness(told, await call('freshness'))
    tellLogs(told, await call('run_history'), place)
  } finally {
    await client.close()
    await turns.end()
  }
  return told.facts
}

// ---------------------------------------------------------------- the hosted store

/** After an upload. It keeps versions of runs that the warehouse has forgotten, as those of a branch that was cleared away. */
const store: Answer = async (place, assets) => {
  const told = new Telling()
  if (place.store === undefined) return told.facts
  const { client, project, env } = place.store
  const uploading = { ...place, env: { ...place.env, ...env } }
  await said(uploading, ['upload', '--project', String(project)])
  const { body } = await client.get(`/api/svc/metadata/projects/${project}/manifest`)
  const ids = (body?.assets ?? []) as readonly { readonly id: number; readonly name: string }[]
  const known = await runsKnown(place)
  for (const name of assets) {
    const id = ids.find(each => each.name === name)?.id
    if (id === undefined) continue
    const path = `/api/svc/metadata/assets/${id}`
    const { body: about } = await client.get(`${path}/metadata`)
    const active = about.active_version as VersionTold | null
    told.live(name, active?.hash)
    if (active !== null) {
      told.deployedAt(name, active.deployed_at)
      told.deployedBy(name, active.run_id)
    }
    const { body: history } = await client.get(`${path}/versions`)
    told.versions(
      name,
      history.versions.filter(({ run_id }: VersionTold) => run_id === null || known.has(run_id)),
    )
    const { body: quality } = await client.get(`${path}/tests`)
    told.verdicts(
      name,
      quality.results.map((each: { name: string; status: string; timestamp: string }) => ({
        ...each,
        at: each.timestamp,
      })),
    )
    told.summary(name, quality.summary)
    if (about.freshness !== null && active !== null) told.freshness(name, about.freshness.status)
  }
  return told.facts
}

async function runsKnown(place: Place): Promise<ReadonlySet<string>> {
  const told = await warehouse(place, [])
  return new Set([...told.keys()].map(fact => fact.replace('run ', '')))
}

export const answers: Readonly<Record<string, Answer>> = {
  warehouse,
  'status --json': status,
  status: statusText,
  'versions --json': versions,
  versions: versionsText,
  'freshness --json': freshness,
  freshness: freshnessText,
  'logs --list': logs,
  dashboard,
  site,
  pack,
  // Files are copies: they are read behind those who bring them up to date.
  'svc_catalog.json': rootFiles,
  'test_results.json': resultsFile,
  editor,
  MCP: agents,
  store,
}

/** Everything that all answers say. */
export async function allTold(place: Place, assets: readonly string[]): Promise<ReadonlyMap<string, Told>> {
  const told = new Map<string, Told>()
  for (const [name, answer] of Object.entries(answers)) told.set(name, await answer(place, assets))
  return told
}
