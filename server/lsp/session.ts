/** Which document belongs to which project, for all folders of the workspace. Knows no message of LSP. */
import { basename, dirname, sep } from 'node:path'
import { findRoot, settingsFile } from '../workspace/index.ts'
import { canonicalUri, filePathOf, pathWithin, uriOf } from './convert/paths.ts'
import { findProjects } from './find-projects.ts'
import { LiveProject } from './project/live-project.ts'
import type { ProjectHost } from './project/project-host.ts'

/** A file and the project that it is looked at in. */
export interface Home {
  readonly project: LiveProject
  /** Relative to the project's root. */
  readonly path: string
}

interface OpenDocument {
  /** As the client writes it. */
  readonly uri: string
  text: string
  home: Home
}

export class Session {
  readonly #host: ProjectHost
  readonly #projects = new Map<string, LiveProject>()
  /** By canonical address. */
  readonly #documents = new Map<string, OpenDocument>()
  readonly #folders = new Set<string>()
  /** Folders that are being looked through. */
  #looking: Promise<unknown> = Promise.resolve()
  readonly #onClose: ((uri: string) => void)[] = []
  #isClosed = false

  constructor(host: ProjectHost) {
    this.#host = host
  }

  // -------------------------------------------------------------- folders

  /** Resolves when the projects of all folders that were added are known. */
  async ready(): Promise<void> {
    await this.#looking
  }

  /** Opens every project below the folders, when `turn` has come. */
  addFolders(folders: readonly string[], turn: Promise<void> = Promise.resolve()): void {
    for (const folder of folders) this.#folders.add(folder)
    const found = turn.then(() => Promise.all(folders.map(folder => this.#openProjects(folder))))
    this.#looking = Promise.all([this.#looking, found])
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

  /** By root, in order of their paths. */
  projects(): readonly LiveProject[] {
    return [...this.#projects.values()].sort((a, b) => (a.root < b.root ? -1 : 1))
  }

  /** Projects and files that belong to none. */
  everything(): readonly LiveProject[] {
    const loose = [...this.#documents.values()].map(({ home }) => home.project).filter(each => each.isLoose)
    return [...this.projects(), ...loose]
  }

  close(): void {
    this.#isClosed = true
    for (const project of this.everything()) project.stop()
  }

  // -------------------------------------------------------------- documents

  open(uri: string, text: string): void {
    const home = this.#homeFor(uri)
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

  /** Told of every document that is closed. */
  onClose(tell: (uri: string) => void): void {
    this.#onClose.push(tell)
  }

  /** Of an open document, or of a file that is part of an open project. */
  homeOf(uri: string): Home | undefined {
    const document = this.#documents.get(canonicalUri(uri))
    return document?.home ?? this.homeOfFile(filePathOf(uri))
  }

  homeOfFile(file: string | undefined): Home | undefined {
    if (file === undefined) return undefined
    // The innermost project has it.
    const candidates = this.projects().filter(project => pathWithin(project.root, file) !== undefined)
    const project = candidates.sort((a, b) => b.root.length - a.root.length)[0]
    const path = project === undefined ? undefined : pathWithin(project.root, file)
    return project === undefined || path === undefined || !project.has(path) ? undefined : { project, path }
  }

  /** As the client writes the address of an open document. */
  uriOf(project: LiveProject, path: string): string {
    if (project.looseUri !== undefined) return project.looseUri
    const uri = uriOf(project.root, path)
    return this.#documents.get(canonicalUri(uri))?.uri ?? uri
  }

  // -------------------------------------------------------------- the disk

  /** Files and folders that were made, changed or removed. */
  filesChanged(files: readonly string[]): void {
    if (files.some(file => basename(file) === settingsFile)) this.#settingsFilesChanged(files)
    for (const project of this.projects()) {
      const paths = files.flatMap(file => pathWithin(project.root, file) ?? [])
      if (paths.length > 0) project.filesChanged(paths)
    }
  }

  /** Looks at the disk itself: for clients that cannot watch it. */
  rescan(): void {
    for (const project of this.projects()) project.rescan()
  }

  /** Where a project begins may be elsewhere now. */
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
    const known = this.#projects.get(root)
    if (known !== undefined) return known
    const project = new LiveProject({ root, host: this.#host })
    this.#projects.set(root, project)
    return project
  }

  #leave({ project, path }: Home): void {
    project.close(path)
    if (!project.isLoose && this.#isWanted(project.root, project)) return
    this.#drop(project)
  }

  #isWanted(root: string, project: LiveProject): boolean {
    return this.#isBelowFolder(root) || [...project.openPaths()].length > 0
  }

  /** Or above: a folder may be opened that is part of a project. */
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
