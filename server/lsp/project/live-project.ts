/**
 * One project as it stands in the editor: files on disk under the texts of open documents. Every change makes a new
 * snapshot at once; columns and problems follow in rounds of work, open files first. Never writes, never opens the
 * warehouse, holds no file open.
 */
import { openCatalog, type ShadowCatalog, type SourceShapeCache } from '../../catalog/index.ts'
import type { Knowledge, LastRun } from '../../language/features/knowledge.ts'
import {
  checkAsset,
  createProject,
  type Diagnostic,
  glossaryPath,
  type Project,
  type ProjectAnalysis,
  parseSettings,
  type SourceShapes,
} from '../../language/index.ts'
import {
  glossaryOf,
  isAssetPath,
  projectProblems,
  pythonDiagnostics,
  type SourceReader,
  schemaLockFile,
  settingsFile,
  settingsOf,
  sha256,
  sourceReader,
} from '../../workspace/index.ts'
import { DiskLook } from './disk-look.ts'
import { firstLook } from './first-look.ts'
import { knowledgeOf, RememberedAnalysis } from './knowledge-of.ts'
import { catalogFile, readLastRuns } from './last-runs.ts'
import { loadFiles } from './load-files.ts'
import { projectFiles, readProjectFile } from './project-files.ts'
import type { ProjectHost } from './project-host.ts'
import { Published } from './published.ts'
import { Waiters } from './waiters.ts'
import { withoutWholeProjectCodes } from './whole-project-codes.ts'

export interface LiveProjectOptions {
  /** Absolute. Of a file that belongs to no project, its folder. */
  readonly root: string
  /** True: the project is the open files and nothing else. */
  readonly isLoose: boolean
  readonly host: ProjectHost
}

let projects = 0

const nothingKnown: ProjectAnalysis = { of: () => undefined }

export class LiveProject {
  readonly root: string
  readonly isLoose: boolean
  /** Another one for each project that this process opens. */
  readonly id: number
  readonly published = new Published()
  readonly #host: ProjectHost
  readonly #open = new Map<string, string>()
  /** Texts that the snapshot does not have yet; undefined: the file is gone. */
  readonly #pending = new Map<string, string | undefined>()
  /** What is wrong with the bytes of a file, as long as it has the text of this hash. */
  readonly #encoding = new Map<
    string,
    { readonly textHash: string; readonly problems: readonly Diagnostic[] }
  >()
  readonly #remembered = new RememberedAnalysis()
  readonly #openDone = new Waiters()
  readonly #allDone = new Waiters()
  #project: Project
  #analysis: ProjectAnalysis | undefined
  #sources: SourceReader
  #shapes: SourceShapes = new Map()
  #sourceDiagnostics: readonly Diagnostic[] = []
  #catalog: Promise<ShadowCatalog> | undefined
  readonly #disk: DiskLook
  #lastRuns: ReadonlyMap<string, LastRun> = new Map()
  /** What the last command found out about local sources. */
  #looks: SourceShapeCache | undefined
  #isLoaded: boolean
  #version = 0
  #isWorking = false
  #isClosed = false
  #abort: AbortController | undefined
  #knowledge: Knowledge | undefined

  constructor({ root, isLoose, host }: LiveProjectOptions) {
    projects += 1
    this.id = projects
    this.root = root
    this.isLoose = isLoose
    this.#host = host
    this.#isLoaded = isLoose
    const looks: SourceShapeCache = {
      get: key => this.#looks?.get(key),
      set: (...look) => this.#looks?.set(...look),
    }
    this.#sources = sourceReader({ root, cache: looks })
    this.#disk = new DiskLook(root, host.log)
    this.#project = createProject({ settings: parseSettings(undefined), files: [], hash: sha256 })
    if (!isLoose) for (const path of projectFiles) this.#readAgain(path)
    this.#changed()
  }

  // -------------------------------------------------------------- what the editor and the disk say

  /** The text of an open document. */
  edit(path: string, text: string): void {
    if (this.#open.get(path) === text) return
    this.#open.set(path, text)
    this.#pending.set(path, text)
    this.#changed()
  }

  /** The document is closed: what is on disk counts again. */
  close(path: string): void {
    if (!this.#open.delete(path)) return
    this.#readAgain(path)
    this.#changed()
  }

  isOpen(path: string): boolean {
    return this.#open.has(path)
  }

  /** Paths of open documents. */
  openPaths(): Iterable<string> {
    return this.#open.keys()
  }

  /** Whether a file of this path would be part of the project. */
  has(path: string): boolean {
    if (this.isLoose) return this.#open.has(path)
    return projectFiles.includes(path) || isAssetPath(this.project.settings.models, path)
  }

  /**
   * Files and folders that were made, changed or removed on disk. What is open stays as the editor has it; a file that
   * is none of ours may be data of a source, a folder may hold anything.
   */
  filesChanged(paths: readonly string[]): void {
    const own = paths.filter(path => this.has(path))
    for (const path of own) this.#takeFromDisk(path)
    const others = paths.filter(path => !own.includes(path))
    if (others.includes(catalogFile)) this.#readLastRuns()
    const isFolder = others.some(path => this.#mayBeFolder(path))
    if (isFolder) this.rescan()
    const isData = others.some(path => path !== catalogFile && !path.startsWith('.svc/'))
    if (isData) this.#sources.refresh()
    if (own.length > 0 || isData) this.#changed()
  }

  /** Looks for changes on disk: for clients that cannot watch it, and for folders that came or went. */
  rescan(): void {
    if (this.isLoose || !this.#isLoaded) return
    const paths = this.#disk.changes(this.project.settings.models, projectFiles)
    for (const path of paths) this.#takeFromDisk(path)
    if (paths.length > 0) this.#changed()
  }

  #takeFromDisk(path: string): void {
    this.#encoding.delete(path)
    if (this.#open.has(path)) this.#noteEncoding(path)
    else this.#readAgain(path)
  }

  #mayBeFolder(path: string): boolean {
    const { models } = this.project.settings
    return !/\.[A-Za-z0-9]+$/.test(path) && (models.startsWith(`${path}/`) || path.startsWith(models))
  }

  #readLastRuns(): void {
    if (this.isLoose) return
    void readLastRuns(this.root).then(runs => {
      if (this.#isClosed || (runs.size === 0 && this.#lastRuns.size === 0)) return
      this.#lastRuns = runs
      this.#knowledge = undefined
      this.#host.onChanged(this)
    })
  }

  /** Ends all work. Diagnostics that were told are not taken back. */
  stop(): void {
    this.#isClosed = true
    this.#abort?.abort()
    this.#openDone.done(Number.POSITIVE_INFINITY)
    this.#allDone.done(Number.POSITIVE_INFINITY)
    this.#sources.close()
    void this.#catalog?.then(catalog => catalog.close())
  }

  // -------------------------------------------------------------- what is known

  /** Of the texts as they are now. */
  get project(): Project {
    this.#flush()
    return this.#project
  }

  get isLoaded(): boolean {
    return this.#isLoaded
  }

  knowledge(): Knowledge {
    this.#flush()
    this.#knowledge ??= knowledgeOf({
      project: this.#project,
      sources: this.#shapes,
      analysis: this.#remembered,
      functions: () => this.#host.functions(),
      diagnostics: path => this.#problemsOf(path, this.#project, this.#analysis ?? nothingKnown),
      environmentVariables: this.#host.environmentVariables,
      lastRuns: this.#lastRuns,
    })
    return this.#knowledge
  }

  textOf(path: string): string | undefined {
    return textIn(this.project, path)
  }

  /** Resolves when the diagnostics of a file are those of the texts as they are now, open ones sooner. */
  async settled(path: string): Promise<void> {
    const version = this.#version
    await (this.#open.has(path) ? this.#openDone.for(version) : this.#allDone.for(version))
  }

  /** Resolves when all diagnostics are those of the texts as they are now. */
  async allSettled(): Promise<void> {
    await this.#allDone.for(this.#version)
  }

  // -------------------------------------------------------------- snapshots

  #changed(): void {
    this.#version += 1
    this.#abort?.abort()
    if (this.#isWorking || this.#isClosed) return
    this.#isWorking = true
    setImmediate(() => void this.#work())
  }

  #readAgain(path: string): void {
    const file = this.isLoose ? undefined : readProjectFile(this.root, path, this.#host.log)
    this.#pending.set(path, file?.text)
    this.#keepEncoding(path, file)
  }

  #noteEncoding(path: string): void {
    this.#keepEncoding(path, readProjectFile(this.root, path, this.#host.log))
  }

  #keepEncoding(path: string, file: ReturnType<typeof readProjectFile>): void {
    if (file === undefined || file.problems.length === 0) this.#encoding.delete(path)
    else this.#encoding.set(path, { textHash: sha256(file.text), problems: file.problems })
  }

  #flush(): void {
    if (this.#pending.size === 0) return
    for (const [path, text] of this.#pending) {
      try {
        this.#project = this.#with(path, text)
      } catch (error) {
        this.#host.log.error(`cannot take over ${path}`, error)
      }
    }
    this.#pending.clear()
    this.#knowledge = undefined
  }

  #with(path: string, text: string | undefined): Project {
    const project = this.#project
    if (path === settingsFile) return this.#withSettings(text)
    if (path === glossaryPath) return project.withGlossary(glossaryOf(text, this.#encodingOf(path, text)))
    if (path === schemaLockFile) {
      this.#sources.setLock(text)
      return project
    }
    if (!this.isLoose && !isAssetPath(project.settings.models, path)) return project
    return project.with(path, text)
  }

  /** Another models folder is another project: its files are read anew. */
  #withSettings(text: string | undefined): Project {
    const settings = settingsOf(text, this.#encodingOf(settingsFile, text))
    if (settings.models !== this.#project.settings.models && !this.isLoose) this.#isLoaded = false
    return this.#project.withSettings(settings)
  }

  #encodingOf(path: string, text: string | undefined): readonly Diagnostic[] {
    const known = this.#encoding.get(path)
    return known !== undefined && text !== undefined && known.textHash === sha256(text) ? known.problems : []
  }

  // -------------------------------------------------------------- rounds of work

  async #work(): Promise<void> {
    let version = -1
    while (version !== this.#version && !this.#isClosed) {
      version = this.#version
      try {
        this.#flush()
        if (!this.#isLoaded) await this.#load(version)
        else await this.#round(version)
      } catch (error) {
        if (!this.#isClosed) this.#host.log.error('cannot check the project', error)
        // Who waits must not wait for ever.
        this.#openDone.done(version)
        this.#allDone.done(version)
      }
    }
    this.#isWorking = false
  }

  async #round(version: number): Promise<void> {
    this.#abort = new AbortController()
    const { signal } = this.#abort
    const project = this.#project
    const { shapes, diagnostics } = await this.#sources.read(project)
    this.#shapes = shapes
    this.#sourceDiagnostics = await withPython(diagnostics, project)
    this.#knowledge = undefined
    const open = [...this.#open.keys()]
    const names = open.flatMap(path => project.assets.get(path)?.name ?? [])
    const catalog = await this.#openCatalog()
    if (names.length > 0) {
      this.#take(await catalog.analyze(project, shapes, { names }), names)
      this.#tell(
        project,
        new Map(open.map(path => [path, this.#problemsOf(path, project, this.#analysis ?? nothingKnown)])),
      )
    }
    this.#openDone.done(version)
    if (this.#version !== version) return
    const analysis = await catalog.analyze(project, shapes, { signal })
    if (signal.aborted) return
    this.#take(analysis, names)
    this.#tellAll(project, analysis)
    this.#allDone.done(version)
    this.#host.onChanged(this)
  }

  #take(analysis: ProjectAnalysis, open: readonly string[]): void {
    this.#analysis = analysis
    this.#remembered.set(analysis, open)
  }

  #openCatalog(): Promise<ShadowCatalog> {
    this.#catalog ??= openCatalog()
    return this.#catalog
  }

  /** First the open files and what they read, then the rest. */
  async #load(version: number): Promise<void> {
    const { settings } = this.#project
    const open = new Map([...this.#open].filter(([path]) => isAssetPath(settings.models, path)))
    const look = firstLook({
      root: this.root,
      settings,
      glossary: this.#project.glossary,
      open,
      log: this.#host.log,
    })
    this.#project = look.project
    this.#knowledge = undefined
    const catalog = await this.#openCatalog()
    if (open.size > 0) {
      const { shapes, diagnostics } = await this.#sources.read(look.project)
      this.#shapes = shapes
      this.#sourceDiagnostics = await withPython(diagnostics, look.project)
      const names = [...open.keys()].flatMap(path => look.project.assets.get(path)?.name ?? [])
      this.#take(await catalog.analyze(look.project, shapes), names)
      const found = [...open.keys()].map(
        path => [path, this.#problemsOf(path, look.project, this.#analysis ?? nothingKnown)] as const,
      )
      this.#tell(look.project, new Map(found.map(([path, list]) => [path, withoutWholeProjectCodes(list)])))
    }
    this.#openDone.done(version)
    await this.#loadAll(look.read, catalog)
  }

  async #loadAll(known: FirstRead, catalog: ShadowCatalog): Promise<void> {
    const { settings, glossary } = this.#project
    const loaded = await loadFiles({
      root: this.root,
      models: settings.models,
      known,
      host: this.#host,
      onChanged: path => this.filesChanged([path]),
      isClosed: () => this.#isClosed,
    })
    if (this.#isClosed) return
    for (const problem of loaded.encoding) {
      const asset = loaded.assets.find(({ path }) => path === problem.path)
      if (asset !== undefined)
        this.#encoding.set(problem.path, { textHash: asset.textHash, problems: [problem] })
    }
    this.#looks = loaded.looks
    // Edits that came meanwhile are in `#pending` or in the texts of open documents.
    this.#project = createProject({ settings, glossary, files: loaded.assets, hash: sha256 })
    for (const [path, text] of this.#open) if (!this.#pending.has(path)) this.#pending.set(path, text)
    if (loaded.memory.entries.size > 0) {
      this.#catalog = openCatalog({ memory: loaded.memory })
      catalog.close()
    }
    this.#disk.remember([...this.#project.assets.keys(), ...projectFiles])
    this.#isLoaded = true
    this.#readLastRuns()
    this.#version += 1
  }

  // -------------------------------------------------------------- problems

  #problemsOf(path: string, project: Project, analysis: ProjectAnalysis): readonly Diagnostic[] {
    const found = checkAsset(project, path, analysis, this.#shapes)
    const more = this.#extraDiagnostics(project).filter(diagnostic => diagnostic.path === path)
    const all = more.length === 0 ? found : [...found, ...more].sort((a, b) => a.range.start - b.range.start)
    return this.isLoose || !this.#isLoaded ? withoutWholeProjectCodes(all) : all
  }

  /** What no text shows: bytes that are none, and what sources hold. */
  #extraDiagnostics(project: Project): readonly Diagnostic[] {
    if (this.#encoding.size === 0) return this.#sourceDiagnostics
    const encoding = [...this.#encoding].flatMap(([path, { textHash, problems }]) =>
      project.assets.get(path)?.textHash === textHash ? problems : [],
    )
    return [...encoding, ...this.#sourceDiagnostics]
  }

  #tellAll(project: Project, analysis: ProjectAnalysis): void {
    const all = projectProblems({
      project,
      analysis,
      sources: this.#shapes,
      sourceDiagnostics: this.#extraDiagnostics(project),
    })
    const gone = [...this.published.paths()].filter(path => !all.has(path))
    this.#tell(project, new Map([...all, ...gone.map(path => [path, []] as const)]))
    for (const path of gone) this.published.forget(path)
  }

  #tell(project: Project, problems: ReadonlyMap<string, readonly Diagnostic[]>): void {
    const changed = new Map<string, readonly Diagnostic[]>()
    for (const [path, found] of problems) {
      const list = this.isLoose ? withoutWholeProjectCodes(found) : found
      if (this.published.tell(path, list, textLater(project, path))) changed.set(path, list)
    }
    if (changed.size > 0) this.#host.onDiagnostics(this, changed)
  }
}

/** The same list where nothing has Python. */
async function withPython(
  diagnostics: readonly Diagnostic[],
  project: Project,
): Promise<readonly Diagnostic[]> {
  const python = await pythonDiagnostics(project)
  return python.length === 0 ? diagnostics : [...diagnostics, ...python]
}

type FirstRead = ReturnType<typeof firstLook>['read']

function textIn(project: Project, path: string): string | undefined {
  return textLater(project, path)()
}

/** Holds on to the file alone, not to the whole project of its time. */
function textLater(project: Project, path: string): () => string {
  const file =
    path === settingsFile ? project.settings.file : path === glossaryPath ? project.glossary.file : undefined
  const asset = file === undefined ? project.assets.get(path) : undefined
  return () => file?.text ?? asset?.text ?? ''
}
