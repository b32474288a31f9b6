/**
 * Writes the files for other programs (interface.md 2.13, decisions 4): to `.svc/<environment>/`, with copies
 * of the last environment in `.svc/` and, for the catalogue, in the project's root.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Manifest, TestResult, TestResultsFile } from '@svc/server/contract'
import { type Asset, type ProjectAnalysis, redact, targetNames } from '@svc/server/language'
import { type NewestRows, newestRows } from '../quality/newest-rows.ts'
import { unitResults } from '../quality/unit-results.ts'
import type { PublishRecord, StateSnapshot } from '../state/state.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { secretsOf } from '../workspace/secrets.ts'
import { makeCatalog } from './catalog.ts'
import { learnFoundColumns } from './found-columns.ts'
import { type LastBlocks, lastBlocks, noBlocks, withBlocks } from './last-blocks.ts'
import { type LastFiles, lastFiles, projectKey } from './last-files.ts'
import { makeManifest, makeOutline, type Outline } from './manifest.ts'
import { catalogKey, foundAllUnchanged, withRunTimes } from './same-catalog.ts'
import { makeTestResults } from './test-results.ts'
import { copyWhole, replaceWhole, toCleanJson, toJson, writeWhole } from './write-file.ts'
import { writeHistory } from './write-history.ts'
import { mostPublishes } from './write-publishes.ts'

export interface ArtifactOptions {
  /** The results of this run. */
  readonly tests: readonly TestResult[]
  /** The state tables after the run; if undefined, they are read. */
  readonly state: StateSnapshot | undefined
  /** The newest rows of what is live, which belong to `state`. */
  readonly newestRows?: NewestRows | undefined
}

export const catalogFile = 'svc_catalog.json'

/** Writes all files after a run, promotion or rollback. Throws SvcError `file-failed`. */
export async function writeArtifacts(workspace: OpenedWorkspace, options: ArtifactOptions): Promise<void> {
  const at = workspace.world.now().toISOString()
  const { state, newestRows } = options.state === undefined ? await readLive(workspace) : options
  await learnFoundColumns(workspace, state, withoutSecrets(workspace))
  const analysis = await workspace.analysis()
  const fresh = allResults(unitResults(workspace, analysis, workspace.project.order), options.tests)
  const news: News = { analysis, state, newestRows, fresh, files: await filesOf(workspace, state, fresh), at }
  const catalog = (await sameCatalog(workspace, news)) ?? (await newCatalog(workspace, news))
  await writeHistory(workspace, { state, tests: fresh, at, clean: withoutSecrets(workspace) })
  // The catalogue is written last: programs that watch it read the other files when it changes.
  await replaceFile(workspace, catalogFile, catalog, workspace.root)
  news.files.catalog.keep()
}

/** Writes the history alone, after a run that changed nothing because it was refused or broke off. */
export async function writeRunHistory(workspace: OpenedWorkspace): Promise<void> {
  const at = workspace.world.now().toISOString()
  const { state } = await readLive(workspace)
  await writeHistory(workspace, { state, tests: [], at, clean: withoutSecrets(workspace) })
}

/** The unit tests of the whole project and the tests of the run, which has unit tests too: each test once. */
function allResults(units: readonly TestResult[], ofRun: readonly TestResult[]): readonly TestResult[] {
  const all = [...units, ...ofRun]
  return [...new Map(all.map(result => [`${result.asset}\n${result.name}`, result])).values()]
}

interface News {
  readonly analysis: ProjectAnalysis
  readonly state: StateSnapshot | undefined
  readonly newestRows: NewestRows | undefined
  readonly fresh: readonly TestResult[]
  readonly files: LastWritten
  readonly at: string
}

/** The files of the last run: the manifest with its parts, and those that also depend on runs. */
interface LastWritten {
  readonly manifest: LastFiles
  readonly catalog: LastFiles
  /** The folder of the environment, relative to the root. */
  readonly folder: string
}

async function filesOf(
  workspace: OpenedWorkspace,
  state: StateSnapshot | undefined,
  fresh: readonly TestResult[],
): Promise<LastWritten> {
  const folder = relative(workspace.root, await workspace.stateFolder())
  const both = (name: string, copy = '.svc') => [join(folder, name), join(copy, name)]
  const project = projectKey(workspace, secretsOf(workspace))
  const key = state === undefined ? project : catalogKey(workspace, state, fresh, project)
  const results = [...both('test_results.json'), ...both(catalogFile, '')]
  return {
    manifest: lastFiles(
      workspace,
      'manifest',
      manifestFiles.flatMap(name => both(name)),
      project,
    ),
    catalog: lastFiles(workspace, 'catalog', results, key),
    folder,
  }
}

/** Returns the existing catalogue with the times of this run; undefined if more than the times changed. */
async function sameCatalog(
  workspace: OpenedWorkspace,
  { state, fresh, files, at }: News,
): Promise<readonly Buffer[] | undefined> {
  const run = state?.history[0]
  const { manifest, catalog, folder } = files
  if (!manifest.isCurrent || !catalog.isCurrent || !foundAllUnchanged(run, workspace)) return undefined
  const before = readFileSync(join(workspace.root, folder, catalogFile))
  const finishedAt = run?.finished_at ?? at
  const same = withRunTimes(before, { at, finishedAt, assets: workspace.project.byName.size })
  // Unit tests count as looked at by every run, and their time is in the file of results.
  if (same !== undefined && fresh.some(({ kind }) => kind === 'unit'))
    await writeResults(workspace, makeTestResults(state?.tests.values() ?? [], fresh, at))
  return same
}

/**
 * Writes the manifest and the test results, and returns the catalogue. It yields between the larger parts, because the
 * warehouse may be waiting to be closed.
 */
async function newCatalog(
  workspace: OpenedWorkspace,
  { analysis, state, newestRows, fresh, files, at }: News,
): Promise<readonly string[]> {
  const { project, environment, excludedColumns: excluded } = workspace
  const manifest = makeOutline({ project, analysis, environment, at })
  await setImmediate()
  const testResults = makeTestResults(state?.tests.values() ?? [], fresh, at)
  const publishes = await attemptsOf(workspace)
  const found = { state, testResults, excluded, publishes, ...(newestRows !== undefined && { newestRows }) }
  const catalog = makeCatalog({ project, analysis, environment, manifest, ...found })
  await setImmediate()
  await renewManifest(workspace, manifest, files)
  await setImmediate()
  await writeResults(workspace, testResults)
  return [toCleanJson(catalog, withoutSecrets(workspace))]
}

/** Most projects publish nothing, and need not open the warehouse for it. */
async function attemptsOf(workspace: OpenedWorkspace): Promise<readonly PublishRecord[]> {
  const { project, environment } = workspace
  if ([...project.byName.values()].every(asset => targetNames(asset).length === 0)) return []
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read')
  if (session === undefined) return []
  return session.state
    .publishes({ environment: environment.stateName }, mostPublishes)
    .finally(() => session.close())
}

async function writeResults(workspace: OpenedWorkspace, results: TestResultsFile): Promise<void> {
  await writeText(workspace, 'test_results.json', toCleanJson(results, withoutSecrets(workspace)))
}

/** Writes the manifest, unless no file has changed since it was written; a new timestamp alone is no reason. */
async function renewManifest(
  workspace: OpenedWorkspace,
  outline: Outline,
  { manifest, folder }: LastWritten,
): Promise<void> {
  if (manifest.isCurrent) return
  const path = join(workspace.root, folder, 'manifest.json')
  const last: LastBlocks = manifest.isUntouched ? lastBlocks(path) : () => undefined
  const blocks = outline.assets.map(({ name }) => {
    const asset = workspace.project.byName.get(name)
    return asset && last(asset)
  })
  const known = (asset: Asset) => (last(asset) === undefined ? undefined : noBlocks)
  await writeManifestFiles(workspace, makeManifest(workspace, outline, known), blocks)
  manifest.keep()
}

const manifestFiles = ['manifest.json', 'lineage.json', 'schemas.json', 'tests.json'] as const

export interface ManifestResult {
  readonly manifest: Manifest
  /** The paths relative to the root. */
  readonly files: readonly string[]
  /** The number of entries that differ from the previous manifest. */
  readonly changed: number
}

/**
 * `svc manifest`. With `update`, entries of assets whose file is unchanged are kept, even if less is known
 * here (a source that was never loaded on this machine).
 */
export async function writeManifest(
  workspace: OpenedWorkspace,
  options: { readonly update: boolean },
): Promise<ManifestResult> {
  const analysis = await workspace.analysis()
  const { project, environment } = workspace
  const at = workspace.world.now().toISOString()
  const told = makeManifest(workspace, makeOutline({ project, analysis, environment, at }))
  const made = JSON.parse(toCleanJson(told, withoutSecrets(workspace))) as Manifest
  const before = readManifest(join(workspace.root, '.svc', environment.name, 'manifest.json'))
  const manifest = options.update && before !== undefined ? updated(before, made) : made
  const files = await writeManifestFiles(workspace, manifest)
  return { manifest, files, changed: changedEntries(before, manifest) }
}

/** `blocks`: of each asset, where the manifest has `noBlocks` for them. */
async function writeManifestFiles(
  workspace: OpenedWorkspace,
  manifest: Manifest,
  blocks: readonly (string | undefined)[] = [],
): Promise<string[]> {
  const clean = withoutSecrets(workspace)
  const told = toJson(manifest)
  // The parts contain nothing that the whole manifest does not, and known blocks were cleaned when they were written.
  const isClean = clean(told) === told
  const whole = withBlocks(told, blocks)
  const textOf = (value: unknown) => (isClean ? toJson(value) : toCleanJson(value, clean))
  const { lineage, schemas, tests } = manifest
  await replaceFile(workspace, 'manifest.json', [isClean ? whole : textOf(JSON.parse(whole))])
  return [
    '.svc/manifest.json',
    await writeText(workspace, 'lineage.json', textOf(lineage)),
    await writeText(workspace, 'schemas.json', textOf(schemas)),
    await writeText(workspace, 'tests.json', textOf(tests)),
  ]
}

/** To the environment's folder and to `.svc`; returns the latter path, relative to the root. */
async function writeText({ root, world, stateFolder }: OpenedWorkspace, name: string, text: string) {
  const path = join(await stateFolder(), name)
  writeWhole(path, text, world.pid)
  copyWhole(path, join(root, '.svc', name), world.pid)
  return `.svc/${name}`
}

/** Does the same for a file that differs each time, without reading the old one; the copy goes to `folder`. */
async function replaceFile(
  workspace: OpenedWorkspace,
  name: string,
  parts: readonly (string | Buffer)[],
  folder = join(workspace.root, '.svc'),
): Promise<void> {
  const { pid } = workspace.world
  const path = join(await workspace.stateFolder(), name)
  replaceWhole(path, parts, pid)
  copyWhole(path, join(folder, name), pid)
}

/** Hides secrets in SQL and descriptions, which users write. */
function withoutSecrets(workspace: OpenedWorkspace): (text: string) => string {
  const secrets = secretsOf(workspace)
  return text => redact(text, secrets)
}

/** A missing or unreadable manifest is made again: it is only a copy of the files' content. */
function readManifest(path: string): Manifest | undefined {
  if (!existsSync(path)) return undefined
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isManifest(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isManifest(value: unknown): value is Manifest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'assets' in value &&
    Array.isArray(value.assets) &&
    'schemas' in value &&
    typeof value.schemas === 'object' &&
    value.schemas !== null
  )
}

function updated(before: Manifest, made: Manifest): Manifest {
  const known = new Map(before.assets.map(entry => [entry.name, entry]))
  const assets = made.assets.map(entry => {
    const old = known.get(entry.name)
    return old !== undefined && old.text_hash === entry.text_hash && old.path === entry.path ? old : entry
  })
  return {
    ...made,
    assets,
    schemas: Object.fromEntries(assets.map(entry => [entry.name, entry.schema])),
  }
}

function changedEntries(before: Manifest | undefined, after: Manifest): number {
  const texts = (manifest: Manifest) =>
    new Map(manifest.assets.map(entry => [entry.name, JSON.stringify(entry)]))
  const old = before === undefined ? new Map<string, string>() : texts(before)
  const current = texts(after)
  const removed = [...old.keys()].filter(name => !current.has(name)).length
  return removed + [...current].filter(([name, text]) => old.get(name) !== text).length
}

/** The state is undefined if the warehouse does not exist yet. */
async function readLive(
  workspace: OpenedWorkspace,
): Promise<{ readonly state: StateSnapshot | undefined; readonly newestRows: NewestRows | undefined }> {
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', { signal: workspace.signal })
  if (session === undefined) return { state: undefined, newestRows: undefined }
  try {
    const state = await session.state.read(workspace.environment.stateName)
    return { state, newestRows: await newestRows(session, state, [...workspace.project.byName.values()]) }
  } finally {
    await session.close()
  }
}
