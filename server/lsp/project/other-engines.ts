/**
 * Checks a project on the engines of its other environments (decisions 9, "The engine is the environment's"), after all is
 * known on its own one. Each engine has a snapshot of the project as it reads it, which follows that of the editor.
 */
import { join } from 'node:path'
import type { FoundByAsset, MayOpen, SourceShapeCache } from '../../catalog/index.ts'
import {
  createMacros,
  createOwnTests,
  createProject,
  type Diagnostic,
  type Engine,
  glossaryPath,
  groupBy,
  type Project,
  parseGlossary,
  parseSettings,
} from '../../language/index.ts'
import {
  environmentsOf,
  foundColumnsFile,
  isDeclarationPath,
  isSameFound,
  joined,
  otherEngines,
  type ProblemsOnEngine,
  projectProblems,
  readFoundColumns,
  schemaLockFile,
  settingsFile,
  sha256,
  sourceReader,
  withEncoding,
} from '../../workspace/index.ts'
import { OpenCatalog } from './open-catalog.ts'
import { type ProjectState, textLater } from './problems.ts'
import { projectExtensions } from './project-extensions.ts'
import type { ProjectHost } from './project-host.ts'

export interface OtherEnginesOptions {
  readonly root: string
  readonly host: ProjectHost
  readonly mayOpen: MayOpen
  readonly looks: SourceShapeCache
}

type Told = Pick<ProjectState, 'project' | 'anywhere'>
type Problems = ProblemsOnEngine['problems']

/** Files that are read between two pauses for what the editor asks. */
const filesAtOnce = 40

export class OtherEngines {
  readonly #options: OtherEnginesOptions
  readonly #parts = new Map<Engine, OnEngine>()

  constructor(options: OtherEnginesOptions) {
    this.#options = options
  }

  /** Checks a snapshot, and returns whether there is more to tell. `lock` is the text of `schemas.lock.json`. */
  async check(project: Project, lock: string | undefined, signal: AbortSignal): Promise<boolean> {
    const wanted = otherEngines(project.settings)
    for (const [engine, part] of this.#parts) {
      if (wanted.has(engine)) continue
      part.stop()
      this.#parts.delete(engine)
    }
    for (const [engine, environments] of wanted) {
      const part = this.#parts.get(engine) ?? new OnEngine(engine, this.#options)
      this.#parts.set(engine, part)
      await part.check(project, environments, lock, signal)
      if (signal.aborted) return false
    }
    return wanted.size > 0
  }

  /** Returns the problems of a file on all engines. What was found in an older text of it is left out. */
  joined(state: Told, path: string, problems: readonly Diagnostic[]): readonly Diagnostic[] {
    if (this.#parts.size === 0) return problems
    const shared = state.anywhere.filter(each => each.path === path)
    return this.#joined(state.project, path, problems, shared)
  }

  /** The same of all files. */
  joinedAll({ project, anywhere }: Told, all: Problems): Problems {
    if (this.#parts.size === 0) return all
    const shared = groupBy(anywhere, each => each.path)
    const paths = new Set([...all.keys(), ...[...this.#parts.values()].flatMap(part => part.paths())])
    const joinedIn = (path: string) =>
      this.#joined(project, path, all.get(path) ?? [], shared.get(path) ?? [])
    return new Map([...paths].map(path => [path, joinedIn(path)]))
  }

  /** `shared` has those of the problems in which no engine has a part. */
  #joined(
    project: Project,
    path: string,
    problems: readonly Diagnostic[],
    shared: readonly Diagnostic[],
  ): readonly Diagnostic[] {
    const others = [...this.#parts.values()].flatMap(part => part.foundIn(project, path) ?? [])
    if (others.length === 0) return problems
    const { engine, settings } = project
    const own = { engine, environments: environmentsOf(settings), problems: new Map([[path, problems]]) }
    const withShared = others.map(found => ({
      ...found,
      problems: new Map([[path, [...(found.problems.get(path) ?? []), ...shared]]]),
    }))
    return joined([own, ...withShared], path)
  }

  /** Other files than those of the project have changed, such as data of a source: all is looked at again. */
  refresh(): void {
    for (const part of this.#parts.values()) part.refresh()
  }

  /** Reads again what runs have found. Returns whether it has changed on some engine. */
  findColumns(): boolean {
    return [...this.#parts.values()].filter(part => part.findColumns()).length > 0
  }

  stop(): void {
    for (const part of this.#parts.values()) part.stop()
    this.#parts.clear()
  }
}

class OnEngine {
  readonly #engine: Engine
  readonly #options: OtherEnginesOptions
  readonly #sources: ReturnType<typeof sourceReader>
  readonly #extensions: ReturnType<typeof projectExtensions>
  readonly #catalog: OpenCatalog
  #found: FoundByAsset = new Map()
  /** Whether something beside the texts has changed since the last check. */
  #isStale = true
  #project: Project | undefined
  /** The editor's snapshot that the project follows. */
  #followed: Project | undefined
  #checked:
    | { readonly of: Project; readonly lock: string | undefined; readonly found: ProblemsOnEngine }
    | undefined

  constructor(engine: Engine, options: OtherEnginesOptions) {
    this.#engine = engine
    this.#options = options
    const { root, looks, mayOpen, host } = options
    this.#sources = sourceReader({ root, cache: looks, mayOpen })
    this.#extensions = projectExtensions(root, host, mayOpen)
    this.#catalog = new OpenCatalog(() => this.#found)
  }

  async check(
    followed: Project,
    environments: readonly string[],
    lock: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (!this.#isStale && this.#checked?.of === followed && this.#checked.lock === lock) return
    const project = await this.#follow(followed, environments[0] ?? '', signal)
    if (project === undefined) return
    this.findColumns()
    this.#sources.setLock(lock)
    const sources = await this.#sources.read(project)
    const { load, diagnostics } = await this.#extensions(project.settings)
    const catalog = await this.#catalog.for({ engine: this.#engine, load })
    const analysis = await catalog.analyze(project, sources.shapes, { signal })
    if (signal.aborted) return
    const sourceDiagnostics = [...sources.diagnostics, ...diagnostics]
    const problems = projectProblems({ project, analysis, sources: sources.shapes, sourceDiagnostics })
    this.#isStale = false
    this.#checked = { of: followed, lock, found: { engine: this.#engine, environments, problems } }
  }

  /** Returns the problems that were found in the present text of a file; undefined if there are none of it. */
  foundIn(project: Project, path: string): ProblemsOnEngine | undefined {
    if (this.#checked === undefined) return undefined
    const { of, found } = this.#checked
    const isPresent = path === schemaLockFile || isDeclarationPath(path) || isSameText(of, project, path)
    return isPresent ? found : undefined
  }

  refresh(): void {
    this.#sources.refresh()
    this.#isStale = true
  }

  findColumns(): boolean {
    const { root, mayOpen } = this.#options
    const found = mayOpen(join(root, foundColumnsFile)) ? readFoundColumns(root, this.#engine) : new Map()
    if (isSameFound(found, this.#found)) return false
    this.#found = found
    this.#isStale = true
    return true
  }

  paths(): readonly string[] {
    return [...(this.#checked?.found.problems.keys() ?? [])]
  }

  stop(): void {
    this.#sources.close()
    this.#catalog.close()
  }

  /** Brings the snapshot up to that of the editor; undefined if it was stopped meanwhile. */
  async #follow(next: Project, environment: string, signal: AbortSignal): Promise<Project | undefined> {
    const last = this.#followed
    let project = this.#withOthers(next, environment)
    const paths = new Set([...next.assets.keys(), ...(last?.assets.keys() ?? [])])
    const changed = [...paths].filter(path => last?.assets.get(path) !== next.assets.get(path))
    // Nothing is kept of a part: the next snapshot is compared with the last whole one.
    for (let at = 0; at < changed.length; at += filesAtOnce) {
      if (at > 0) await new Promise(resolve => setImmediate(resolve))
      if (signal.aborted) return undefined
      const texts = changed
        .slice(at, at + filesAtOnce)
        .map(path => [path, next.assets.get(path)?.text] as const)
      project = project.withFiles(new Map(texts))
    }
    this.#followed = next
    this.#project = project
    return project
  }

  /** Returns the snapshot with the settings, macros and glossary of the editor's. */
  #withOthers(next: Project, environment: string): Project {
    const engine = this.#engine
    const { settings, macros, glossary } = next
    const texts = ({ files }: { readonly files: ReadonlyMap<string, { readonly text: string }> }) =>
      new Map(Array.from(files, ([path, { text }]) => [path, text]))
    const settingsNow = () => ({
      ...withEncoding(
        parseSettings(settings.file?.text, this.#options.host.env, environment),
        encodingOf(settings),
      ),
      ownTests: createOwnTests(texts(settings.ownTests), engine, sha256),
    })
    const macrosNow = () => createMacros(texts(macros), engine, this.#project?.macros)
    const glossaryNow = () => withEncoding(parseGlossary(glossary.file?.text, engine), encodingOf(glossary))
    const [last, known] = [this.#followed, this.#project]
    if (last === undefined || known === undefined)
      return createProject({
        settings: settingsNow(),
        macros: macrosNow(),
        glossary: glossaryNow(),
        files: [],
        hash: sha256,
      })
    let project = known
    if (last.settings !== settings) project = project.withSettings(settingsNow())
    if (last.macros !== macros) project = project.withMacros(macrosNow())
    if (last.glossary !== glossary) project = project.withGlossary(glossaryNow())
    return project
  }
}

/** The texts are those of the editor, which has read the bytes. */
function encodingOf({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => code === 'not-utf8')
}

function isSameText(a: Project, b: Project, path: string): boolean {
  const [before, now] = [a.assets.get(path), b.assets.get(path)]
  if (before !== undefined && now !== undefined) return before === now || before.textHash === now.textHash
  const isOther = path === settingsFile || path === glossaryPath || b.macros.files.has(path)
  return (isOther || b.settings.ownTests.files.has(path)) && textLater(a, path)() === textLater(b, path)()
}
