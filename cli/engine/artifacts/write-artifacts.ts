/**
 * Writes the files for other programs (interface.md 2.13, decisions 4): to `.svc/<environment>/`, with copies
 * of the last environment in `.svc/` and, for the catalogue, in the project's root.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { CatalogFile, Manifest, TestResult, TestResultsFile } from '@svc/server/contract'
import { type ProjectAnalysis, redact, targetNames } from '@svc/server/language'
import { type LiveTimes, readLiveTimes } from '../quality/live-times.ts'
import { unitResults } from '../quality/unit-results.ts'
import { emptyState, type PublishRecord, type StateSnapshot } from '../state/state.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { secretsOf } from '../workspace/secrets.ts'
import { type AssetKeys, changedByFiles, keysOf, sharedKey } from './asset-keys.ts'
import { catalogLayout, type FilePieces, filePieces, manifestLayouts } from './file-layouts.ts'
import { learnFoundColumns } from './found-columns.ts'
import { lastBytes, type Remembered, rememberedFiles, rememberFiles } from './last-files.ts'
import { makeManifest, makeOutline } from './manifest.ts'
import { type LaidOut, type Lengths, layOut, type Part } from './pieces.ts'
import { mostTargets } from './publishes.ts'
import { readJson } from './read-file.ts'
import { isSeen, noteSeen, stateMark } from './seen-state.ts'
import { makeTestResults } from './test-results.ts'
import { copyWhole, replaceMeanwhile, toCleanJson, toJson, writeWhole } from './write-file.ts'
import { type HistoryNews, writeHistory } from './write-history.ts'
import { writePublishHistory } from './write-publishes.ts'

export interface ArtifactOptions {
  /** The results of this run. */
  readonly tests: readonly TestResult[]
  /** The state tables after the run; if undefined, they are read. */
  readonly state: StateSnapshot | undefined
  /** The clocks of what is live, which belong to `state`. */
  readonly times?: LiveTimes | undefined
  /** Whether the copies in `.svc/` and in the root stay, because another environment ran last. */
  readonly keepsCopies?: boolean
  readonly ended?: HistoryNews['ended']
}

export const catalogFile = 'svc_catalog.json'

/** Writes all files after a run, promotion or rollback. Throws SvcError `file-failed`. */
export async function writeArtifacts(workspace: OpenedWorkspace, options: ArtifactOptions): Promise<void> {
  const at = workspace.world.now().toISOString()
  const { state, times } = options.state === undefined ? await readLive(workspace) : options
  await learnFoundColumns(workspace, state, withoutSecrets(workspace))
  const analysis = await workspace.analysis()
  const { project } = workspace
  const fresh = allResults(unitResults(workspace, analysis, project.order), options.tests)
  const news: News = {
    analysis,
    state,
    times,
    fresh,
    at,
    keys: keysOf(project, { state, fresh, newestRows: times?.newestRows }),
    keepsCopies: options.keepsCopies === true,
  }
  const catalog = await writeChanged(workspace, news)
  await writeHistory(workspace, {
    ...{ state, tests: fresh, at, clean: withoutSecrets(workspace) },
    hasChangedFiles: catalog.hasChangedFiles,
    ended: options.ended,
  })
  // The catalogue is written last: programs that watch it read the other files when it changes.
  await replaceFile(workspace, catalogFile, catalog.bytes, news.keepsCopies ? undefined : workspace.root)
  if (!news.keepsCopies) rememberFiles(workspace, catalog.files, catalog.remembered)
  await noteSeen(workspace, stateMark({ state, times, publishes: catalog.publishes }, project))
}

/**
 * Writes the files anew if they are of another state than the tables have now: other environments, machines and backups change
 * what is live and when it was loaded without these files. Returns whether anything was ever deployed in the environment. Throws
 * SvcError if the warehouse cannot be read.
 */
export async function bringUpToDate(workspace: OpenedWorkspace): Promise<boolean> {
  const { state, times } = await readLive(workspace, shortWaitMs)
  const publishes = await attemptsOf(workspace, shortWaitMs)
  const folder = await workspace.stateFolder()
  const wasDeployed = state !== undefined && (state.generation > 0 || state.isForgotten)
  if (isSeen(folder, stateMark({ state, times, publishes }, workspace.project), catalogFile))
    return wasDeployed
  const hasRun = state !== undefined && (state.generation > 0 || state.history.length > 0)
  if (!hasRun && !existsSync(join(folder, catalogFile))) return wasDeployed
  const { root, environment } = workspace
  const copy = readJson<CatalogFile>(join(root, catalogFile))
  const keepsCopies = copy !== undefined && copy.environment !== environment.name
  await writeArtifacts(workspace, {
    ...{ tests: [], times, keepsCopies },
    state: state ?? emptyState(environment.stateName),
  })
  if (publishes.length > 0) await writePublishHistory(workspace)
  return wasDeployed
}

/** Who asks for what the files say does not wait for a run. */
const shortWaitMs = 500

/** Writes the history alone, after a run that changed nothing because it was refused or broke off. */
export async function writeRunHistory(workspace: OpenedWorkspace): Promise<void> {
  const at = workspace.world.now().toISOString()
  const { state } = await readLive(workspace)
  const clean = withoutSecrets(workspace)
  await writeHistory(workspace, { state, tests: [], at, clean, hasChangedFiles: false })
}

/** The unit tests of the whole project and the tests of the run, which has unit tests too: each test once. */
function allResults(units: readonly TestResult[], ofRun: readonly TestResult[]): readonly TestResult[] {
  const all = [...units, ...ofRun]
  return [...new Map(all.map(result => [`${result.asset}\n${result.name}`, result])).values()]
}

interface News {
  readonly analysis: ProjectAnalysis
  readonly state: StateSnapshot | undefined
  readonly times: LiveTimes | undefined
  readonly fresh: readonly TestResult[]
  readonly at: string
  readonly keys: ReadonlyMap<string, AssetKeys>
  readonly keepsCopies: boolean
}

/** The catalogue, which is written later, and what is remembered when it is. */
interface Changed {
  readonly bytes: readonly Buffer[]
  /** Whether files of assets are others than at the last run, as far as that is known. */
  readonly hasChangedFiles: boolean
  /** The paths of all files, relative to the root. */
  readonly files: readonly string[]
  readonly remembered: Remembered
  /** The attempts that the catalogue tells of. */
  readonly publishes: readonly PublishRecord[]
}

/**
 * Writes the manifest and the test results, as far as they say something new, and returns the catalogue, whose times are new
 * in any case. It yields between the larger parts, because the warehouse may be waiting to be closed.
 */
async function writeChanged(workspace: OpenedWorkspace, news: News): Promise<Changed> {
  const { project, environment, root } = workspace
  const { analysis, at, keys } = news
  const folder = relative(root, await workspace.stateFolder())
  const both = (name: string, copy = '.svc') => [join(folder, name), join(copy, name)]
  const ofRuns = [...both('test_results.json'), ...both(catalogFile, '')]
  const files = [...manifestFiles.flatMap(name => both(name)), ...ofRuns]
  const shared = sharedKey(workspace, secretsOf(workspace))
  const last = rememberedFiles(workspace, files, shared)
  const changed = last && changedByFiles(project, last.keys, keys)
  const pieces = filePieces({ project, analysis, environment, at }, name => changed?.has(name) === false)
  const place: Place = {
    workspace,
    folder: join(root, folder),
    last: changed && last,
    names: [...keys.keys()],
    copies: news.keepsCopies ? undefined : join(root, '.svc'),
  }
  const isSame = changed?.size === 0
  const lengths = isSame ? { ...last?.lengths } : await writeManifestFiles(place, pieces)
  await setImmediate()
  const { catalog, publishes } = await layOutCatalog(place, pieces, news)
  return {
    bytes: catalog.bytes,
    hasChangedFiles: !isSame,
    files,
    remembered: { shared, keys, lengths: { ...lengths, [catalogFile]: catalog.lengths } },
    publishes,
  }
}

/** Where the files of an environment are, and what is known of the last ones. */
interface Place {
  readonly workspace: OpenedWorkspace
  readonly folder: string
  readonly last: Remembered | undefined
  /** The assets, in the order of the lists. */
  readonly names: readonly string[]
  /** The folder of the copies; undefined if they stay. */
  readonly copies: string | undefined
}

/** A file is written while the next one is laid out. */
async function writeManifestFiles(place: Place, pieces: FilePieces): Promise<Record<string, Lengths>> {
  const lengths: Record<string, Lengths> = {}
  const writing: Promise<void>[] = []
  for (const [name, parts] of Object.entries(manifestLayouts(pieces, place.workspace.settingsText))) {
    const file = layOutFile(place, name, parts)
    lengths[name] = file.lengths
    const written = replaceFile(place.workspace, name, file.bytes, place.copies)
    // It is told when all are waited for.
    written.catch(() => undefined)
    writing.push(written)
    await setImmediate()
  }
  await Promise.all(writing)
  return lengths
}

function layOutFile(
  { workspace, folder, last, names }: Place,
  name: string,
  parts: readonly Part[],
): LaidOut {
  const before = last && lastBytes(join(folder, name), name, last)
  return layOut(parts, names, before, withoutSecrets(workspace))
}

async function layOutCatalog(
  place: Place,
  pieces: FilePieces,
  news: News,
): Promise<{ readonly catalog: LaidOut; readonly publishes: readonly PublishRecord[] }> {
  const { workspace, last } = place
  const { project, environment, excludedColumns: excluded } = workspace
  const { analysis, state, times, fresh, keys, at } = news
  const isFound = (name: string) => last?.keys.get(name)?.found === keys.get(name)?.found
  // Unit tests count as looked at by every run, and their time is in the file of results.
  const isSameFile = (name: string) => last?.keys.get(name)?.file === keys.get(name)?.file
  const isOld = (name: string) => isFound(name) && isSameFile(name)
  const hasNews = fresh.some(({ kind }) => kind === 'unit') || ![...keys.keys()].every(isOld)
  let made: TestResultsFile | undefined
  const results = () => {
    made ??= makeTestResults({ state, fresh, at, project })
    return made
  }
  if (hasNews) await writeResults(workspace, results(), place.copies !== undefined)
  await setImmediate()
  const publishes = await attemptsOf(workspace)
  const about = {
    ...{ project, analysis, environment, state, excluded, publishes },
    ...times,
  }
  const testsOf = (asset: string) => results()[asset]?.tests ?? []
  return {
    catalog: layOutFile(place, catalogFile, catalogLayout(pieces, about, testsOf, isFound)),
    publishes,
  }
}

/** Most projects publish nothing, and need not open the warehouse for it. */
async function attemptsOf(workspace: OpenedWorkspace, waitMs?: number): Promise<readonly PublishRecord[]> {
  const { project, environment } = workspace
  if ([...project.byName.values()].every(asset => targetNames(asset).length === 0)) return []
  const warehouse = await workspace.warehouse()
  const session = await warehouse.open('read', { ...(waitMs !== undefined && { waitMs }) })
  if (session === undefined) return []
  return session.state
    .publishes({ environment: environment.stateName, isLast: true }, mostTargets)
    .finally(() => session.close())
}

async function writeResults(
  workspace: OpenedWorkspace,
  results: TestResultsFile,
  copies: boolean,
): Promise<void> {
  await writeText(workspace, 'test_results.json', toCleanJson(results, withoutSecrets(workspace)), copies)
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
  const before = readManifest(join(await workspace.stateFolder(), 'manifest.json'))
  const manifest = options.update && before !== undefined ? updated(before, made) : made
  const { lineage, schemas, tests } = manifest
  const files = [
    await writeText(workspace, 'manifest.json', toJson(manifest)),
    await writeText(workspace, 'lineage.json', toJson(lineage)),
    await writeText(workspace, 'schemas.json', toJson(schemas)),
    await writeText(workspace, 'tests.json', toJson(tests)),
  ]
  return { manifest, files, changed: changedEntries(before, manifest) }
}

/** To the environment's folder and, with `copies`, to `.svc`; returns the latter path, relative to the root. */
async function writeText(
  { root, world, stateFolder }: OpenedWorkspace,
  name: string,
  text: string,
  copies = true,
) {
  const path = join(await stateFolder(), name)
  writeWhole(path, text, world.pid)
  if (copies) copyWhole(path, join(root, '.svc', name), world.pid)
  return `.svc/${name}`
}

/** Does the same for a file that is new, without reading the old one; a copy goes to `folder`. */
async function replaceFile(
  workspace: OpenedWorkspace,
  name: string,
  parts: readonly Buffer[],
  folder: string | undefined,
): Promise<void> {
  const { pid } = workspace.world
  const path = join(await workspace.stateFolder(), name)
  await replaceMeanwhile(path, parts, pid)
  if (folder !== undefined) copyWhole(path, join(folder, name), pid)
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
  waitMs?: number,
): Promise<{ readonly state: StateSnapshot | undefined; readonly times: LiveTimes | undefined }> {
  const warehouse = await workspace.warehouse()
  const { signal } = workspace
  const session = await warehouse.open('read', { signal, ...(waitMs !== undefined && { waitMs }) })
  if (session === undefined) return { state: undefined, times: undefined }
  try {
    const state = await session.state.read(workspace.environment.stateName)
    return { state, times: await readLiveTimes(session, state, workspace) }
  } finally {
    await session.close()
  }
}
