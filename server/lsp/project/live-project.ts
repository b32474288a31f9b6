/**
 * A project in the editor. Every change makes a new snapshot at once; columns and problems follow in rounds
 * of work, open files first. It never writes, never opens the warehouse, and keeps no file open.
 */
import { join } from 'node:path'
import {
  type FoundByAsset,
  type MayOpen,
  mayOpenAll,
  type ShadowCatalog,
  type SourceShapeCache,
  staysInside,
} from '../../catalog/index.ts'
import type { Knowledge } from '../../language/features/knowledge.ts'
import type { Diagnostic, Engine, Project, ProjectAnalysis } from '../../language/index.ts'
import {
  foundColumnsFile,
  isAssetPath,
  isDeclarationPath,
  isSameFound,
  readFoundColumns,
  type SourceReader,
  schemaLockFile,
  sourceReader,
} from '../../workspace/index.ts'
import { type Checking, checkInSlices } from './check-in-slices.ts'
import { earlyProject } from './early-project.ts'
import { KnownState } from './known-state.ts'
import { LastResults, resultFiles } from './last-results.ts'
import { catalogFile } from './last-runs.ts'
import { loadFiles } from './load-files.ts'
import { OpenCatalog } from './open-catalog.ts'
import { OtherEngines } from './other-engines.ts'
import { ProblemPublisher } from './problem-publisher.ts'
import { textLater } from './problems.ts'
import { projectExtensions } from './project-extensions.ts'
import { readProjectFile } from './project-files.ts'
import { type ProjectHost, tellFailure } from './project-host.ts'
import { mayBeFolder, warehouseFile } from './project-paths.ts'
import { ProjectTexts } from './project-texts.ts'
import { ProjectWaiters } from './project-waiters.ts'
import { Published } from './published.ts'
import { PythonChecks } from './python-checks.ts'
import { type UnitAsk, UnitTestTiming } from './unit-test-timing.ts'

export interface LiveProjectOptions {
  /** An absolute path; for a file that belongs to no project, its folder. */
  readonly root: string
  /** The URI of the open file that makes up this project, if it belongs to no project on disk. */
  readonly looseUri?: string
  readonly host: ProjectHost
}

/** With so many files, checking shows its progress. */
const manyFiles = 50

/** So many assets are checked in a moment. */
const fewWaiting = 50

let projects = 0

export class LiveProject {
  readonly root: string
  readonly looseUri: string | undefined
  /** Unique for each project that this process opens. */
  readonly id: number
  readonly published = new Published()
  readonly #host: ProjectHost
  /** Before a folder is trusted nothing outside of it is opened (decisions 8, "Budgets"). */
  readonly #mayOpen: MayOpen
  readonly #texts: ProjectTexts
  readonly #sources: SourceReader
  readonly #results: LastResults
  readonly #known: KnownState
  readonly #publisher: ProblemPublisher
  readonly #python: PythonChecks
  readonly #extensions: ReturnType<typeof projectExtensions>
  readonly #others: OtherEngines
  readonly #catalog: OpenCatalog
  readonly #openUnits: UnitTestTiming
  readonly #allUnits: UnitTestTiming
  readonly #done = new ProjectWaiters()
  /** The last command's results for local sources. */
  #looks: SourceShapeCache | undefined
  /** The columns that the last run found where SQL does not determine them. */
  #found: FoundByAsset = new Map()
  #foundBy: Engine | undefined
  /** The models folder whose assets are all read; undefined while they are not. */
  #loaded: string | undefined
  /** The path of the document that was edited last. */
  #typed: string | undefined
  #version = 0
  #wake: () => void = () => {}
  #isWorking = false
  #isClosed = false
  #isKnown = false
  #abort: AbortController | undefined
  #checking: Checking | undefined

  constructor({ root, looseUri, host }: LiveProjectOptions) {
    projects += 1
    this.id = projects
    this.root = root
    this.looseUri = looseUri
    this.#host = host
    this.#mayOpen = host.isTrusted ? mayOpenAll : path => staysInside(root, path)
    this.#openUnits = new UnitTestTiming(host.now)
    this.#allUnits = new UnitTestTiming(host.now)
    const looks: SourceShapeCache = {
      get: key => this.#looks?.get(key),
      set: (...look) => this.#looks?.set(...look),
    }
    this.#sources = sourceReader({ root, cache: looks, mayOpen: this.#mayOpen })
    this.#texts = new ProjectTexts({ ...host, root, isLoose: this.isLoose, mayOpen: this.#mayOpen })
    this.#results = new LastResults(
      root,
      failuresChanged => this.#resultsChanged(failuresChanged),
      environment => warehouseFile({ root, project: this.project, environment, mayOpen: this.#mayOpen }),
    )
    this.#catalog = new OpenCatalog(() => this.#found, this.isLoose)
    this.#others = new OtherEngines({ root, host, mayOpen: this.#mayOpen, looks })
    this.#known = new KnownState(host, this.#results, this.#others)
    const onNews = (changed: ReadonlyMap<string, readonly Diagnostic[]>) => host.onDiagnostics(this, changed)
    this.#publisher = new ProblemPublisher(this.#known, this.published, path => this.#beside(path), onNews)
    this.#python = new PythonChecks(host.log)
    this.#extensions = projectExtensions(root, host, this.#mayOpen)
    this.#changed()
  }

  get isLoose(): boolean {
    return this.looseUri !== undefined
  }

  // -------------------------------------------------------------- what the editor and the disk say

  /** Sets the environment whose engine is that of hover, types and completion. */
  choose(environment: string): void {
    if (this.#texts.choose(environment)) this.#changed()
  }

  /** Sets the text of an open document. */
  edit(path: string, text: string): void {
    if (!this.#texts.edit(path, text)) return
    this.#typed = path
    this.#changed()
  }

  /** Closes a document: the text on disk is used again. */
  close(path: string): void {
    if (this.#texts.close(path)) this.#changed()
  }

  /** Returns the paths of open documents. */
  openPaths(): Iterable<string> {
    return this.#texts.open.keys()
  }

  isOpen(path: string): boolean {
    return this.#texts.open.has(path)
  }

  /** Returns whether a file with this path would be part of the project. */
  has(path: string): boolean {
    return this.#texts.has(path)
  }

  /**
   * Handles created, changed and removed files and folders. An unknown file may be data of a source, and a
   * folder may contain anything.
   */
  filesChanged(paths: readonly string[]): void {
    const own = new Set(paths.filter(path => this.has(path)))
    for (const path of own) this.#texts.takeFromDisk(path)
    const others = paths.filter(path => !own.has(path))
    if (!this.isLoose) this.#results.read(this.#readable(others))
    if (others.some(path => mayBeFolder(path, this.project.settings))) this.rescan()
    const isData = others.some(path => path !== catalogFile && !path.startsWith('.svc/'))
    if (isData) {
      this.#sources.refresh()
      this.#others.refresh()
    }
    if (own.size >= manyFiles && this.#isKnown) {
      this.#checking = { done: 0, of: own.size }
      this.#host.onChanged(this)
    }
    if (this.#findColumns(others) || own.size > 0 || isData) this.#changed()
  }

  /**
   * Reads the found columns. Clients that watch the files of runs always report `svc_catalog.json`, which is
   * written last.
   */
  #findColumns(paths: readonly string[]): boolean {
    if (this.isLoose || !paths.some(path => path === foundColumnsFile || path === catalogFile)) return false
    if (this.#readable([foundColumnsFile]).length === 0) return false
    const { engine } = this.project
    this.#foundBy = engine
    const found = readFoundColumns(this.root, engine)
    const isNew = !isSameFound(found, this.#found)
    if (isNew) this.#found = found
    return this.#others.findColumns() || isNew
  }

  #readable(paths: readonly string[]): readonly string[] {
    return paths.filter(path => this.#mayOpen(join(this.root, path)))
  }

  /** Searches for changes on disk: for clients that cannot watch, and for added or removed folders. */
  rescan(): void {
    if (this.isLoose || this.#loaded === undefined) return
    const paths = this.#texts.changesOnDisk()
    for (const path of paths) this.#texts.takeFromDisk(path)
    if (this.#findColumns([foundColumnsFile]) || paths.length > 0) this.#changed()
  }

  #resultsChanged(failuresChanged: boolean): void {
    if (this.#isClosed) return
    this.#known.forgetSnapshot()
    // Before the first check is complete, the failures are told with all else that it finds.
    if (failuresChanged && this.#isKnown) this.#changed()
    this.#host.onChanged(this)
  }

  /** Ends all work. Published diagnostics stay. */
  stop(): void {
    this.#isClosed = true
    this.#abort?.abort()
    this.#wake()
    this.#done.release(Number.POSITIVE_INFINITY)
    this.#sources.close()
    this.#others.stop()
    this.#catalog.close()
  }

  // -------------------------------------------------------------- what is known

  /** The snapshot of the present texts. */
  get project(): Project {
    return this.#texts.project
  }

  knowledge(): Knowledge {
    return this.#known.knowledge(this.project, this.#texts.lock)
  }

  /** Whether all files were read and checked once, so that lists are complete. */
  get isKnown(): boolean {
    return this.#isKnown
  }

  /**
   * The progress of the first check or of a large change; undefined if the published problems are up to date,
   * or will be in a moment.
   */
  get checking(): Checking | undefined {
    const { size } = this.project.assets
    const isNew = !this.#isKnown && !this.isLoose && size > 0
    return this.#checking ?? (isNew ? { done: 0, of: size } : undefined)
  }

  /** Returns undefined for a file that does not exist. */
  textOf(path: string): string | undefined {
    return (this.#beside(path) ?? textLater(this.project, path))()
  }

  /** Returns how the text of a file is read that is in no snapshot; undefined for all others. */
  #beside(path: string): (() => string | undefined) | undefined {
    if (path === schemaLockFile) return () => this.#texts.lock
    const { log } = this.#host
    if (!isDeclarationPath(path)) return undefined
    return () => readProjectFile(this.root, path, { log, mayOpen: this.#mayOpen })?.text
  }

  /**
   * Resolves when the diagnostics of a file are those of the present texts. For an open file that is before
   * its unit tests have run; their results are published later.
   */
  async settled(path: string): Promise<void> {
    const version = this.#version
    const isFirst = path === this.#typed
    const open = isFirst ? this.#done.typed : this.#done.open
    await (this.#texts.open.has(path) ? open : this.#done.all).for(version)
    // It may have been another file's turn meanwhile.
    if (isFirst && path !== this.#typed) await this.#done.open.for(version)
  }

  /** Resolves when everything is known of the present texts except the results of unit tests. */
  async allSettled(): Promise<void> {
    await this.#done.sql.for(this.#version)
  }

  // -------------------------------------------------------------- rounds of work

  #changed(): void {
    this.#version += 1
    this.#abort?.abort()
    this.#wake()
    if (this.#isWorking || this.#isClosed) return
    this.#isWorking = true
    setImmediate(() => void this.#work())
  }

  async #work(): Promise<void> {
    let version = -1
    while (version !== this.#version && !this.#isClosed) {
      version = this.#version
      try {
        const isLoaded = this.isLoose || this.#loaded === this.project.settings.models
        await (isLoaded ? this.#round(version) : this.#load(version))
      } catch (error) {
        if (!this.#isClosed) tellFailure(this.#host, error)
        this.#checking = undefined
        // A failed round must not leave waiters pending.
        this.#done.release(version)
      }
    }
    this.#isWorking = false
  }

  /**
   * Checks the open files, then all, then runs unit tests. Newer texts end the round after the open files.
   */
  async #round(version: number): Promise<void> {
    this.#abort = new AbortController()
    const { signal } = this.#abort
    const { project } = this
    const { catalog, names } = await this.#checkOpen(project, { isWhole: !this.isLoose, runsUnits: true })
    if (this.#version !== version) return
    const ask = { catalog, project, shapes: this.#known.shapes, signal, mayStopSql: true }
    await checkInSlices({
      ...ask,
      host: this.#host,
      onPart: (analysis, waiting, checking) => {
        this.#checking = checking
        this.#publisher.known(project, analysis, waiting)
        this.#host.onChanged(this)
      },
    })
    const sql = await this.#allUnits.soon(ask)
    if (signal.aborted) return
    const isFirst = !this.#isKnown
    this.#tellAll(project, sql, names)
    this.#done.sql.done(version)
    // The editor may have started watching after the files were read.
    if (isFirst) this.rescan()
    for (const rest of [() => this.#openUnits.rest({ ...ask, names }), () => this.#allUnits.rest(ask)]) {
      const found = await rest()
      if (signal.aborted) return
      if (found !== this.#known.analysis) this.#tellAll(project, found, names)
    }
    const isMore = !this.isLoose && (await this.#others.check(project, this.#texts.lock, signal))
    if (signal.aborted) return
    if (isMore) this.#tellAll(project, this.#known.analysis, names)
    this.#done.all.done(version)
  }

  #tellAll(project: Project, analysis: ProjectAnalysis, open: readonly string[]): void {
    this.#known.take(analysis, open, true)
    if (this.#checking !== undefined) this.#host.onLargeWork()
    this.#checking = undefined
    this.#publisher.all(project)
    this.#isKnown = true
    this.#host.onChanged(this)
  }

  async #checkOpen(project: Project, { isWhole, runsUnits }: { isWhole: boolean; runsUnits: boolean }) {
    const version = this.#version
    if (this.#foundBy !== project.engine) this.#findColumns([foundColumnsFile])
    this.#sources.setLock(this.#texts.lock)
    const { shapes, diagnostics } = await this.#sources.read(project)
    const extensions = await this.#extensions(project.settings)
    const extra = [...diagnostics, ...extensions.diagnostics]
    const encoding = this.#texts.encodingProblems(project)
    const mustLoadPython = this.#python.mustLoad(project)
    const python = mustLoadPython ? [] : await this.#python.all(project)
    this.#known.learn({ shapes, extra, anywhere: [...encoding, ...python], isWhole })
    const catalog = await this.#catalog.for({ engine: project.engine, load: extensions.load })
    const open = [...this.#texts.open.keys()]
    const names = open.flatMap(path => project.assets.get(path)?.name ?? [])
    // Newer texts stop unit tests but never the SQL, so that a user who types without a pause sees problems
    // too.
    const isOver = () => !runsUnits || this.#isClosed || this.#version !== version
    const signal = {
      get aborted() {
        return isOver()
      },
    }
    const ask = { catalog, project, shapes, names, signal, mayStopSql: false }
    const isTold = await this.#checkTyped({ ...ask, catalog }, version)
    if (names.length > 0) {
      // Whoever types on is not kept waiting by the other files.
      const analysis = await this.#openUnits.soon({ ...ask, mayStopSql: isTold && runsUnits })
      if (isTold && runsUnits && signal.aborted) return { catalog, names }
      this.#known.take(analysis, names, false)
    }
    this.#publisher.some(project, [...this.#texts.open.keys()])
    this.#done.openDone(version)
    if (mustLoadPython) {
      this.#known.learn({ anywhere: [...encoding, ...(await this.#python.all(project))] })
      if (this.#version === version) this.#publisher.some(project, [...this.#texts.open.keys()])
    }
    return { catalog, names }
  }

  /** Checks the file that is typed in before all others, and tells its problems. Returns whether there are others that are open. */
  async #checkTyped(ask: UnitAsk & { readonly catalog: ShadowCatalog }, version: number): Promise<boolean> {
    const path = this.#typed ?? ''
    const typed = this.#texts.open.has(path) ? ask.project.assets.get(path)?.name : undefined
    const names = ask.names ?? []
    if (typed === undefined || names.length < 2) return false
    this.#known.take(await this.#openUnits.soon({ ...ask, names: [typed] }), names, false)
    this.#publisher.some(ask.project, [path])
    // Where little is left, one answer has what follows from it in the other files too.
    if (ask.catalog.work().waiting.size > fewWaiting) this.#done.typed.done(version)
    return true
  }

  // -------------------------------------------------------------- the first time

  /** Loads the open files and what they read first, then the rest. */
  async #load(version: number): Promise<void> {
    this.#isKnown = false
    // Opened before the texts are used, because they may change while this waits.
    if (this.#texts.open.size > 0) await this.#beginCatalog(this.project)
    if (this.#isClosed) return
    this.#findColumns([foundColumnsFile])
    const { settings, glossary, macros } = this.project
    const open = new Map([...this.#texts.open].filter(([path]) => isAssetPath(settings.models, path)))
    const { host, root, mayOpen } = { host: this.#host, root: this.root, mayOpen: this.#mayOpen }
    const early = earlyProject({ root, settings, glossary, macros, open, log: host.log, mayOpen })
    this.#texts.use(early.project)
    if (this.#texts.open.size > 0) await this.#checkOpen(early.project, { isWhole: false, runsUnits: false })
    this.#done.openDone(version)
    const loading = loadFiles({
      root,
      models: settings.models,
      settings,
      known: early.read,
      host,
      mayOpen,
      onChanged: path => this.filesChanged([path]),
      // DuckDB inspects data files while the other files are read.
      onAsset: (asset, looks) => {
        this.#looks ??= looks
        if (!this.#isClosed) this.#sources.begin(asset, settings)
      },
      isClosed: () => this.#isClosed,
    })
    await this.#followEdits(version, loading)
    const loaded = await loading
    if (this.#isClosed) return
    this.#looks = loaded.looks
    if (this.#texts.useAll(settings.models, loaded.assets, loaded.encoding)) this.#loaded = settings.models
    // The last command's memory covers more than the early project did.
    const { engine } = early.project
    if (loaded.memory.entries.size > 0 && this.project.engine === engine) {
      const { load } = await this.#extensions(this.project.settings)
      this.#catalog.remember(loaded.memory, { engine, load })
    }
    if (!this.isLoose) this.#results.read(this.#readable(resultFiles))
    this.#version += 1
  }

  /**
   * Starts the engine while files are read, because it takes a while. Errors are reported by the analysis
   * that needs it.
   */
  async #beginCatalog({ settings, engine }: Project): Promise<void> {
    try {
      const { load } = await this.#extensions(settings)
      const catalog = await this.#catalog.for({ engine, load })
      if (!this.#isClosed) catalog.begin()
    } catch (error) {
      this.#host.log.warn(error instanceof Error ? error.message : String(error))
    }
  }

  /** Checks open files after edits while the others are still being read. */
  async #followEdits(version: number, loading: Promise<unknown>): Promise<void> {
    let checked = version
    let isLoading = true
    const end = () => {
      isLoading = false
    }
    const ended = loading.then(end, end)
    for (;;) {
      if (this.#version === checked) await Promise.race([ended, this.#nextChange()])
      if (!isLoading || this.#isClosed) return
      checked = this.#version
      await this.#checkOpen(this.project, { isWhole: false, runsUnits: false })
    }
  }

  #nextChange(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve
    })
  }
}
