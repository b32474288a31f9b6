/**
 * Opens a project on disk: settings, environment and files at once; columns and warehouse on first use,
 * because most commands need at most one of them. Writes nothing except the folder `.svc/<environment>/` on
 * request.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type FoundByAsset, type MayOpen, prepareWorkers, type ShadowCatalog } from '@svc/server/catalog'
import {
  type Asset,
  type Catalog,
  createProject,
  type Diagnostic,
  type Engine,
  glossaryPath,
  type IsClean,
  nearestNames,
  once,
  type Project,
  type ProjectAnalysis,
  type PromotionPatience,
  placeAt,
  type RawTable,
  redact,
  type Settings,
  type SourceShapes,
} from '@svc/server/language'
import {
  declarationTexts,
  encodingProblems,
  gitBranch,
  gitCommit,
  isDeclarationPath,
  openCache,
  passedOver,
  pythonDiagnostics,
  readExtensions,
  readFoundColumns,
  readGlossary,
  readIfExists,
  readMacros,
  readSettings,
  schemaLockFile,
  sha256,
} from '@svc/server/workspace'
import { resolveEnvironment } from '../config/environment.ts'
import { findProject, settingsFile } from '../config/find-project.ts'
import { SvcError, unknownAsset } from '../errors.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { type Openings, openingsOf, refuseOutside } from './inside-only.ts'
import { type LogSql, loggedWarehouse } from './logged-warehouse.ts'
import { secretsOf } from './secrets.ts'
import type { Workspace, World } from './workspace.ts'

export interface WorkspaceOptions {
  readonly world: World
  /** The value of `--env`. */
  readonly environment: string
  readonly signal: AbortSignal
  /** False if the shapes of sources are read only when `analysis` is called. Default true. */
  readonly readSources?: boolean
  /** True if the command is about to write to the warehouse, which is opened while the project is read. */
  readonly opensWarehouse?: boolean
  /** The values of `--vars`, as texts. */
  readonly vars?: Readonly<Record<string, string>>
  /** Called with every SQL statement that the warehouse runs. */
  readonly logSql?: LogSql
  /** True if no file is read that is a link out of the project: a model or an agent is shown what stands in it. */
  readonly isOnlyInside?: boolean
}

export interface OpenedWorkspace extends Workspace {
  /** The text of `svc.yaml`; undefined if there is none. */
  readonly settingsText: string | undefined
  /** The names of environment variables that any asset file mentions. */
  readonly variables: Iterable<string>
  /** Throws SvcError `unknown-asset` with the nearest names. */
  asset(name: string): Asset
  /**
   * By asset: the columns that `include` and `exclude` leave out of its files or rows, as far as these were
   * read.
   */
  readonly excludedColumns: ReadonlyMap<string, readonly string[]>
  /** The columns that SQL does not determine, as a run found them. */
  readonly found: FoundByAsset
  /** Replaces `found`; `sources` and `analysis()` are then computed again. */
  learn(found: FoundByAsset): Promise<void>
}

export { schemaLockFile as lockFile, sha256 } from '@svc/server/workspace'

/**
 * Throws SvcError `no-project`, `unknown-environment`, `file-failed`; `warehouse()` also `invalid-settings`.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<OpenedWorkspace> {
  const root = findProject(options.world.cwd)
  if (options.isOnlyInside === true) refuseOutside(root)
  const openings = openingsOf(root, options.isOnlyInside === true)
  const { mayOpen } = openings
  const { settings, text } = readSettings(root, options.world.env, options.environment, mayOpen)
  const workspace = createWorkspace(options, root, { settings, text }, openings)
  if (options.opensWarehouse === true) await workspace.openAhead()
  if (options.readSources !== false) await workspace.loadSources()
  return workspace
}

/** With an invalid `svc.yaml` a command would work with defaults: another warehouse, another schema. */
export function refuseInvalid(settings: Settings, text: string): void {
  const problem = settings.diagnostics.find(diagnostic => diagnostic.severity === 'error')
  if (problem === undefined) return
  throw new SvcError('invalid-settings', `${settingsFile}: ${problem.message}`, {
    place: placeAt(settingsFile, text, problem.range.start),
    hint: problem.hint ?? 'svc validate shows every error at its place.',
  })
}

interface SourceReading {
  readonly shapes: SourceShapes
  readonly diagnostics: readonly Diagnostic[]
  readonly excluded: ReadonlyMap<string, readonly string[]>
  readonly locked: ReadonlySet<string>
}

function createWorkspace(
  options: WorkspaceOptions,
  root: string,
  { settings, text: settingsText }: ReturnType<typeof readSettings>,
  openings: Openings,
): OpenedWorkspace & { loadSources(): Promise<void>; openAhead(): Promise<void> } {
  const { world, signal } = options
  const { engine } = settings
  const onNew = options.readSources === false ? undefined : (text: string) => beginWorkers(text, engine)
  const files = filesOf({ root, settings, settingsText, engine, world, onNew, mayOpen: openings.mayOpen })
  const { cache, project } = files
  const extensions = once(async () => readExtensions(root, settings, engine, 'install', files.declared()))
  let found = once(() => readFoundColumns(root, engine))
  const load = async () => (await extensions()).load
  const catalog = lazyCatalog({ engine, cache, found: () => found(), load })
  const environment = environmentOf(options, root, settings)
  const reading = readingOf({ root, project, cache, catalog, extensions, signal })
  const warehouse = once(async () => {
    // The address is read only here: a missing variable concerns nobody but the commands that need the warehouse.
    const { warehouseUrl: url, patience } = environment
    const parts = { url, patience, logSql: options.logSql, extensions, world }
    return openConfiguredWarehouse(root, settings, settingsText ?? '', parts)
  })
  const ahead = aheadOf(warehouse)

  return {
    root,
    world,
    environment,
    signal,
    settingsText,
    withoutSecrets(text) {
      return redact(text, secretsOf(this))
    },
    catalog,
    loadSources: reading.load,
    analysis: () => reading.analysis(),
    cleanAssets: () => catalog.cleanAssets(project(), reading.sources().shapes),
    warehouse,
    openAhead: ahead.begin,
    extensions: load,
    get project() {
      return project()
    },
    get looks() {
      return cache().looks
    },
    get sources() {
      return reading.sources().shapes
    },
    get lockedSources() {
      return reading.sources().locked
    },
    get found() {
      return found()
    },
    reshape: shapes => reading.again(shapes),
    async learn(next) {
      found = () => next
      await reading.again()
    },
    get excludedColumns() {
      return reading.sources().excluded
    },
    get sourceDiagnostics() {
      return [...openings.problems(), ...files.passedOver(), ...files.encoding(), ...reading.diagnostics()]
    },
    textOf: files.textOf,
    get variables() {
      return cache().variables
    },
    asset: name => findAsset(project(), name),
    stateFolder: () => stateFolder(root, environment.stateName),
    async close() {
      ahead.giveUp()
      await catalog.keep(project)
      catalog.close()
    },
  }
}

function environmentOf(
  { environment: name, vars: given = {}, world }: WorkspaceOptions,
  root: string,
  settings: Settings,
) {
  const branch = gitBranch(root)
  const isDetached = branch === undefined && gitCommit(root) !== undefined
  return resolveEnvironment({ settings, name, branch, isDetached, env: world.env, given })
}

/** Whoever opens the warehouse then hears what is wrong with it. */
function aheadOf(warehouse: () => Promise<Warehouse>) {
  let giveUp: (() => void) | undefined
  return {
    giveUp: () => giveUp?.(),
    async begin(): Promise<void> {
      giveUp = await warehouse()
        .then(opened => opened.openAhead?.())
        .catch(() => undefined)
    },
  }
}

interface ReadingParts {
  readonly root: string
  readonly project: () => Project
  readonly cache: () => ReturnType<typeof openCache>
  readonly catalog: LazyCatalog
  readonly extensions: () => Promise<FoundExtensions>
  readonly signal: AbortSignal
}

/** Returns the sources of a project and its analysis, each computed on first use. */
function readingOf({ root, project, cache, catalog, extensions, signal }: ReadingParts) {
  const ofPython = once(() => pythonDiagnostics(project()))
  let sources: SourceReading = { shapes: new Map(), diagnostics: [], excluded: new Map(), locked: new Set() }
  let reshaped: ReadonlyMap<string, readonly RawTable[] | undefined> = new Map()
  let ofAnalysis: readonly Diagnostic[] = []
  let sourceReading: () => Promise<SourceReading>
  let analysis: () => Promise<ProjectAnalysis>

  async function load(): Promise<void> {
    await catalog.begin()
    sources = withShapes(await sourceReading(), reshaped)
  }

  async function analyse(): Promise<ProjectAnalysis> {
    await load()
    ofAnalysis = [...(await ofPython()), ...(await extensions()).diagnostics]
    return await catalog.analyze(project(), sources.shapes, { signal })
  }

  function forget(): void {
    sourceReading = once(() => readSources(root, project(), cache()))
    analysis = once(analyse)
  }

  forget()
  return {
    load,
    analysis: () => analysis(),
    /** What is known of sources otherwise stays known until the next call with other shapes. */
    again(shapes = reshaped): Promise<ProjectAnalysis> {
      reshaped = shapes
      forget()
      return analysis()
    },
    sources: () => sources,
    diagnostics: () => [...sources.diagnostics, ...ofAnalysis],
  }
}

function withShapes(
  sources: SourceReading,
  reshaped: ReadonlyMap<string, readonly RawTable[] | undefined>,
): SourceReading {
  if (reshaped.size === 0) return sources
  const shapes = new Map(sources.shapes)
  for (const [name, tables] of reshaped) {
    if (tables === undefined) shapes.delete(name)
    else shapes.set(name, tables)
  }
  return { ...sources, shapes }
}

interface FilesPlace {
  readonly root: string
  readonly settings: Settings
  readonly settingsText: string | undefined
  readonly engine: Engine
  readonly world: World
  readonly onNew: ((text: string) => void) | undefined
  readonly mayOpen: MayOpen
}

/** Starts the processes that bind and test new files while the other files are still being read. */
function beginWorkers(text: string, engine: Engine): void {
  prepareWorkers(/\bunit\b/.test(text) ? 2 : 1, engine)
}

/** The files of a project, each read when it is asked for first. */
function filesOf({ root, settings, settingsText, engine, world, onNew, mayOpen }: FilesPlace) {
  const cache = once(() => openCache({ root, models: settings.models, settings, world, onNew, mayOpen }))
  const glossary = once(() => readGlossary(root, engine))
  const macros = once(() => readMacros(root, engine, mayOpen))
  const project = once(() =>
    createProject({
      settings,
      files: cache().files,
      hash: sha256,
      glossary: glossary(),
      macros: macros().macros,
    }),
  )
  return {
    cache,
    project,
    declared: once(() => declarationTexts(root, engine, mayOpen)),
    encoding: once(() => encodingProblems(root, [...cache().read, ...macros().read, ...ownTexts(settings)])),
    passedOver: once(() => passedOver(root, settings.models, mayOpen)),
    textOf(path: string): string | undefined {
      if (path === settingsFile) return settingsText
      if (path === schemaLockFile) return readIfExists(join(root, schemaLockFile))
      if (path === glossaryPath) return glossary().file?.text
      if (isDeclarationPath(path)) return readIfExists(join(root, path))
      const other = settings.ownTests.files.get(path)?.text ?? macros().read.get(path)
      return other ?? project().assets.get(path)?.text
    },
  }
}

function ownTexts({ ownTests }: Settings): readonly (readonly [string, string])[] {
  return Array.from(ownTests.files, ([path, { text }]) => [path, text] as const)
}

/** Two branches of `dev` are two environments with files of their own. */
async function stateFolder(root: string, stateName: string): Promise<string> {
  const folder = join(root, '.svc', stateName)
  await mkdir(folder, { recursive: true })
  return folder
}

interface LazyCatalog extends Catalog {
  /** Opens DuckDB while other files are still being read, if any file is new. */
  begin(): Promise<void>
  /** Stores for the next command what this one computed. */
  keep(project: () => Project): Promise<void>
  /** Returns the clean assets of an analysed project. */
  cleanAssets(project: Project, sources: SourceShapes): IsClean | undefined
}

interface CatalogParts {
  readonly engine: Engine
  readonly cache: () => ReturnType<typeof openCache>
  readonly found: () => FoundByAsset
  readonly load: () => Promise<readonly string[]>
}

/** Opens the catalogue on first use, because most commands never need a column. */
function lazyCatalog({ engine, cache, found, load }: CatalogParts): LazyCatalog {
  let opened: Promise<ShadowCatalog> | undefined
  let ready: ShadowCatalog | undefined
  const open = async (): Promise<ShadowCatalog> => {
    const { openCatalog } = await import('@svc/server/catalog')
    ready = await openCatalog(engine, { memory: cache().memory, load: await load(), found })
    return ready
  }
  const catalog = (): Promise<ShadowCatalog> => {
    opened ??= open()
    return opened
  }
  return {
    async begin() {
      const { read, memory } = cache()
      if (opened === undefined && (read.size > 0 || memory.entries.size === 0)) (await catalog()).begin()
    },
    analyze: async (...input) => (await catalog()).analyze(...input),
    async keep(project) {
      if (opened !== undefined) cache().keep(project(), await opened)
    },
    cleanAssets: (project, sources) => ready && cache().isClean(project, sources, ready),
    close() {
      void opened?.then(catalog => catalog.close())
    },
  }
}

async function readSources(
  root: string,
  project: Project,
  { looks, read }: ReturnType<typeof openCache>,
): Promise<SourceReading> {
  const { readAheadDuring, readSourceShapes } = await import('@svc/server/catalog')
  const lockText = readIfExists(join(root, schemaLockFile))
  const reading = readSourceShapes(project, { root, lockText, cache: looks })
  const newAssets = Array.from(read.keys(), path => project.assets.get(path) ?? [])
  return await readAheadDuring(reading, newAssets.flat(), project.engine)
}

type FoundExtensions = Awaited<ReturnType<typeof readExtensions>>

interface WarehouseParts {
  readonly url: string
  readonly patience: PromotionPatience
  readonly logSql: LogSql | undefined
  readonly extensions: () => Promise<FoundExtensions>
  readonly world: World
}

async function openConfiguredWarehouse(
  root: string,
  settings: Settings,
  settingsText: string,
  { url, patience, logSql, extensions, world }: WarehouseParts,
): Promise<Warehouse> {
  refuseInvalid(settings, settingsText)
  const { openWarehouse } = await import('../warehouse/open.ts')
  const warehouse = await openWarehouse(url, {
    root,
    project: settings.name,
    patience,
    endsSoon: world.endsSoon === true,
    extensions: async mode => {
      const { load, diagnostics } = await extensions()
      // Existing tables can be read without the extensions, except views that use them.
      if (mode === 'write') refuseInvalid({ ...settings, diagnostics }, settingsText)
      return load
    },
  })
  return logSql === undefined ? warehouse : loggedWarehouse(warehouse, logSql)
}

function findAsset(project: Project, name: string): Asset {
  const asset = project.byName.get(name)
  if (asset !== undefined) return asset
  throw unknownAsset(name, nearestNames(name, project.byName.keys()))
}
