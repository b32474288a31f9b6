/** Assigns documents to projects, for all folders of the workspace. It knows no LSP messages. */
import { basename, dirname, sep } from 'node:path'
import { getOrInsertComputed } from '../language/get-or-insert.ts'
import { findRoot, settingsFile } from '../workspace/index.ts'
import { canonicalUri, filePathOf, pathWithin, uriOf } from './convert/paths.ts'
import { findProjects } from './find-projects.ts'
import { LiveProject } from './project/live-project.ts'
import type { ProjectHost } from './project/project-host.ts'

/** A file and its project. */
export interface Home {
  readonly project: LiveProject
  /** The path relative to the project's root. */
  readonly path: string
}

interface OpenDocument {
  /** The URI as the client writes it. */
  readonly uri: string
  text: string
  home: Home
}

export class Session {
  readonly #host: ProjectHost
  readonly #projects = new Map<string, LiveProject>()
  /** The environments that were chosen, by the root of the project. */
  readonly #environments = new Map<string, string>()
  /** Open documents by canonical URI. */
  readonly #documents = new Map<string, OpenDocument>()
  readonly #folders = new Set<string>()
  /** Resolves when the folders that are being searched are done. */
  #looking: Promise<unknown> = Promise.resolve()
  readonly #onClose: ((uri: string) => void)[] = []
  #isClosed = false

  constructor(host: ProjectHost) {
    this.#host = host
  }

  // -------------------------------------------------------------- folders

  /** Resolves when the projects of all added folders are known. */
  async ready(): Promise<void> {
    await this.#looking
  }

  /** Opens every project below the folders once `turn` resolves. */
  addFolders(folders: readonly string[], turn: Promise<void> = Promise.resolve()): void {
    for (const folder of folders) this.#folders.add(folder)
    const opening = turn.then(() => Promise.all(folders.map(folder => this.#openProjects(folder))))
    this.#looking = Promise.all([this.#looking, opening])
  }

  async #openProjects(folder: string): Promise<void> {
    for (const root of await findProjects(folder)) {
      if (this.#isClosed || !this.#folders.has(folder)) return
      this.#projectAt(root)
    }
  }

  removeFolder(folder: string): void {
    this.#folders.delete(folder)
    for (const [root, project] of this.#projects) if (!this.#isWanted(root, project)) this.#drop(project)
  }

  /** Returns the projects in the order of their roots. */
  projects(): readonly LiveProject[] {
    return [...this.#projects.values()].sort((a, b) => (a.root < b.root ? -1 : 1))
  }

  /** Returns projects and single files that belong to none. */
  everything(): readonly LiveProject[] {
    const loose = [...this.#documents.values()].map(({ home }) => home.project).filter(each => each.isLoose)
    return [...this.projects(), ...loose]
  }

  close(): void {
    this.#isClosed = true
    for (const project of this.everything()) project.stop()
  }

  /** Chooses the environment of a project, which may be opened later. */
  choose(root: string, environment: string): void {
    this.#environments.set(root, environment)
    this.#projects.get(root)?.choose(environment)
  }

  // -------------------------------------------------------------- documents

  open(uri: string, text: string): void {
    const home = this.#homeFor(uri)
    if (isForeign(uri, home)) {
      home.project.stop()
      return
    }
    this.#documents.set(canonicalUri(uri), { uri, text, home })
    home.project.edit(home.path, text)
  }

  change(uri: string, text: string): void {
    const document = this.#documents.get(canonicalUri(uri))
    if (document === undefined) {
      this.open(uri, text)
      return
    }
    document.text = text
    document.home.project.edit(document.home.path, text)
  }

  closeDocument(uri: string): void {
    const document = this.#documents.get(canonicalUri(uri))
    if (document === undefined) return
    this.#documents.delete(canonicalUri(uri))
    this.#leave(document.home)
    for (const tell of this.#onClose) tell(uri)
  }

  /** Registers a callback for closed documents. */
  onClose(tell: (uri: string) => void): void {
    this.#onClose.push(tell)
  }

  /** Returns the home of an open document, or of a file in an open project. */
  homeOf(uri: string): Home | undefined {
    const document = this.#documents.get(canonicalUri(uri))
    return document?.home ?? this.homeOfFile(filePathOf(uri))
  }

  homeOfFile(file: string | undefined): Home | undefined {
    if (file === undefined) return undefined
    // A file belongs to the innermost project.
    const candidates = this.projects().filter(project => pathWithin(project.root, file) !== undefined)
    const project = candidates.sort((a, b) => b.root.length - a.root.length)[0]
    const path = project === undefined ? undefined : pathWithin(project.root, file)
    return project === undefined || path === undefined || !project.has(path) ? undefined : { project, path }
  }

  /** Returns the URI, for an open document as the client writes it. */
  uriOf(project: LiveProject, path: string): string {
    if (project.looseUri !== undefined) return project.looseUri
    const uri = uriOf(project.root, path)
    return this.#documents.get(canonicalUri(uri))?.uri ?? uri
  }

  // -------------------------------------------------------------- the disk

  /** Handles created, changed and removed files and folders. */
  filesChanged(files: readonly string[]): void {
    if (files.some(file => basename(file) === settingsFile)) this.#settingsFilesChanged(files)
    for (const project of this.projects()) {
      const paths = files.flatMap(file => pathWithin(project.root, file) ?? [])
      if (paths.length > 0) project.filesChanged(paths)
    }
  }

  /** Searches for changes on disk, for clients that cannot watch. */
  rescan(): void {
    for (const project of this.projects()) project.rescan()
  }

  /** Handles changed `svc.yaml` files, which may move the root of a project. */
  #settingsFilesChanged(files: readonly string[]): void {
    for (const file of files) {
      if (basename(file) !== settingsFile) continue
      const root = findRoot(dirname(file))
      if (root !== undefined && this.#isBelowFolder(root)) this.#projectAt(root)
    }
    const ended = this.projects().filter(project => findRoot(project.root) !== project.root)
    for (const { root } of ended) this.#projects.delete(root)
    for (const document of this.#documents.values()) this.#moveHome(document)
    for (const project of ended) this.#drop(project)
  }

  #moveHome(document: OpenDocument): void {
    const home = this.#homeFor(document.uri)
    if (isForeign(document.uri, home)) {
      home.project.stop()
      this.closeDocument(document.uri)
      return
    }
    if (home.project.isLoose && document.home.project.isLoose) {
      home.project.stop()
      return
    }
    if (home.project === document.home.project) return
    const before = document.home
    document.home = home
    home.project.edit(home.path, document.text)
    this.#leave(before)
  }

  // -------------------------------------------------------------- homes

  #homeFor(uri: string): Home {
    const file = filePathOf(uri)
    const root = file === undefined ? undefined : findRoot(dirname(file))
    if (file !== undefined && root !== undefined) {
      const project = this.#projectAt(root)
      const path = pathWithin(root, file)
      if (path !== undefined && project.has(path)) return { project, path }
    }
    const folder = file === undefined ? (this.#folders.values().next().value ?? sep) : dirname(file)
    const project = new LiveProject({ root: folder, looseUri: uri, host: this.#host })
    return { project, path: file === undefined ? 'untitled.svc' : basename(file) }
  }

  #projectAt(root: string): LiveProject {
    return getOrInsertComputed(this.#projects, root, () => {
      const project = new LiveProject({ root, host: this.#host })
      project.choose(this.#environments.get(root) ?? this.#host.environment)
      return project
    })
  }

  #leave({ project, path }: Home): void {
    project.close(path)
    if (!project.isLoose && this.#isWanted(project.root, project)) return
    this.#drop(project)
  }

  #isWanted(root: string, project: LiveProject): boolean {
    return this.#isBelowFolder(root) || [...project.openPaths()].length > 0
  }

  /**
   * Returns whether the root is below or above a folder of the workspace: a folder inside a project may be
   * opened.
   */
  #isBelowFolder(root: string): boolean {
    return [...this.#folders].some(
      folder =>
        folder === root || pathWithin(folder, root) !== undefined || pathWithin(root, folder) !== undefined,
    )
  }

  #drop(project: LiveProject): void {
    project.stop()
    if (this.#projects.get(project.root) === project) this.#projects.delete(project.root)
    const told = [...project.published.paths()]
    for (const path of told) project.published.forget(path)
    if (told.length > 0) this.#host.onDiagnostics(project, new Map(told.map(path => [path, []])))
  }
}

/** SQL files are macros where a project has them, and nobody's elsewhere. */
function isForeign(uri: string, { project }: Home): boolean {
  return project.isLoose && uri.endsWith('.sql')
}
