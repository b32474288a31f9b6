/**
 * The present files of a project: texts of open documents over those on disk, and the snapshot that they
 * make. It reads files that have changed; it never checks anything.
 */
import type { MayOpen } from '../../catalog/index.ts'
import {
  type Asset,
  createMacros,
  createOwnTests,
  createProject,
  type Diagnostic,
  glossaryPath,
  type Project,
  parseGlossary,
  parseSettings,
  type Settings,
  usualEnvironment,
  type Variables,
} from '../../language/index.ts'
import {
  isAssetPath,
  isMacroPath,
  isOwnTestPath,
  listMacros,
  listOwnTests,
  schemaLockFile,
  settingsFile,
  sha256,
  withEncoding,
} from '../../workspace/index.ts'
import type { Log } from '../log.ts'
import { diskScan } from './disk-scan.ts'
import { type FileRead, listedOrNone, projectFiles, readProjectFile } from './project-files.ts'

export interface ProjectTextsOptions {
  readonly root: string
  /** True if files on disk are ignored. */
  readonly isLoose: boolean
  readonly env: Variables
  readonly log: Log
  readonly mayOpen: MayOpen
}

/** From this number of files one common snapshot is cheaper than one per file. */
const manyFiles = 16

export class ProjectTexts {
  readonly #options: ProjectTextsOptions
  readonly #disk: ReturnType<typeof diskScan>
  readonly #open = new Map<string, string>()
  /** Texts that the snapshot does not have yet; undefined for a removed file. */
  readonly #pending = new Map<string, string | undefined>()
  /** Encoding problems of a file, valid as long as its text has this hash. */
  readonly #encoding = new Map<
    string,
    { readonly textHash: string; readonly problems: readonly Diagnostic[] }
  >()
  /** Files that changed on disk while the project was being read. */
  #missed: Set<string> | undefined
  #environment = usualEnvironment
  #project: Project
  #lock: string | undefined

  constructor(options: ProjectTextsOptions) {
    this.#options = options
    this.#disk = diskScan(options.root, options.log, options.mayOpen)
    this.#project = createProject({ settings: parseSettings(undefined), files: [], hash: sha256 })
    if (!options.isLoose) for (const path of this.#otherFiles()) this.#readAgain(path)
  }

  /** The snapshot of all present texts. Unchanged texts give the same snapshot. */
  get project(): Project {
    this.#flush()
    return this.#project
  }

  /** The text of `schemas.lock.json`. */
  get lock(): string | undefined {
    this.#flush()
    return this.#lock
  }

  /** The open texts by path. */
  get open(): ReadonlyMap<string, string> {
    return this.#open
  }

  /** Returns whether a file with this path would be part of the project. */
  has(path: string): boolean {
    if (this.#options.isLoose) return this.#open.has(path)
    if (projectFiles.includes(path) || isMacroPath(path) || isOwnTestPath(path)) return true
    return isAssetPath(this.project.settings.models, path)
  }

  /** Sets the environment, whose engine reads all texts. Returns false if it has not changed. */
  choose(environment: string): boolean {
    if (this.#environment === environment) return false
    this.#environment = environment
    if (!this.#pending.has(settingsFile)) this.#pending.set(settingsFile, this.#project.settings.file?.text)
    return true
  }

  /** Sets the text. Returns false if it has not changed. */
  edit(path: string, text: string): boolean {
    if (this.#open.get(path) === text) return false
    this.#open.set(path, text)
    this.#pending.set(path, text)
    return true
  }

  /** Uses the text on disk again. Returns false if the document was not open. */
  close(path: string): boolean {
    if (!this.#open.delete(path)) return false
    this.#readAgain(path)
    return true
  }

  /** Handles a change on disk; an open document keeps the editor's text. */
  takeFromDisk(path: string): void {
    this.#missed?.add(path)
    if (this.#open.has(path)) this.#keepEncoding(path, this.#read(path))
    else this.#readAgain(path)
  }

  /** Returns the paths of files that have changed on disk since they were read or compared last. */
  changesOnDisk(): readonly string[] {
    return this.#disk.changes(this.project.settings.models, this.#otherFiles())
  }

  /** Sets a snapshot of the open files alone, or of some files, until all are read. */
  use(project: Project): void {
    this.#project = project
    this.#missed = new Set()
  }

  /** Sets all files. Returns false if the models folder has changed meanwhile. */
  useAll(models: string, assets: readonly Asset[], encoding: readonly Diagnostic[]): boolean {
    const { settings, glossary, macros } = this.project
    const missed = this.#missed ?? new Set()
    this.#missed = undefined
    if (settings.models !== models) return false
    this.#project = createProject({ settings, glossary, macros, files: assets, hash: sha256 })
    const hashes = new Map(encoding.map(({ path }) => [path, this.#project.assets.get(path)?.textHash ?? '']))
    for (const problem of encoding)
      this.#encoding.set(problem.path, { textHash: hashes.get(problem.path) ?? '', problems: [problem] })
    this.#disk.remember([...this.#project.assets.keys(), ...this.#otherFiles()])
    for (const [path, text] of this.#open) this.#pending.set(path, text)
    for (const path of missed) this.takeFromDisk(path)
    return true
  }

  /** Returns the encoding problems of files whose text is still the one that was read. */
  encodingProblems(project: Project): readonly Diagnostic[] {
    if (this.#encoding.size === 0) return []
    return [...this.#encoding].flatMap(([path, { textHash, problems }]) =>
      textHashIn(project, path) === textHash ? problems : [],
    )
  }

  /** The files beside the assets that there are. */
  #otherFiles(): readonly string[] {
    const { root, log, mayOpen } = this.#options
    const sql = () => [...listMacros(root, mayOpen), ...listOwnTests(root, mayOpen)]
    return [...projectFiles, ...listedOrNone(log, sql)]
  }

  #read(path: string): FileRead | undefined {
    const { isLoose, root } = this.#options
    return isLoose ? undefined : readProjectFile(root, path, this.#options)
  }

  #readAgain(path: string): void {
    const file = this.#read(path)
    this.#pending.set(path, file?.text)
    this.#keepEncoding(path, file)
  }

  #keepEncoding(path: string, file: FileRead | undefined): void {
    if (file === undefined || file.problems.length === 0) this.#encoding.delete(path)
    else this.#encoding.set(path, { textHash: sha256(file.text), problems: file.problems })
  }

  #flush(): void {
    if (this.#pending.size === 0) return
    const texts = [...this.#pending]
    this.#pending.clear()
    const ofMacros = this.#options.isLoose ? [] : texts.filter(([path]) => isMacroPath(path))
    if (ofMacros.length > 0) this.#takeOver('macros', project => withMacroTexts(project, ofMacros))
    const { models } = this.#project.settings
    const assets = texts.filter(([path]) => isAssetPath(models, path))
    const isMany = !this.#options.isLoose && assets.length >= manyFiles
    if (isMany) this.#takeOver(`${assets.length} files`, project => project.withFiles(new Map(assets)))
    for (const [path, text] of texts) {
      if (isMany && isAssetPath(models, path)) continue
      this.#takeOver(path, () => this.#with(path, text))
    }
  }

  #takeOver(what: string, change: (project: Project) => Project): void {
    try {
      this.#project = change(this.#project)
    } catch (error) {
      this.#options.log.error(`cannot take over ${what}`, error)
    }
  }

  #with(path: string, text: string | undefined): Project {
    const project = this.#project
    const { isLoose, env } = this.#options
    if (isLoose) return project.with(path, text)
    if (path === settingsFile)
      return project.withSettings(
        withOwnTests(
          withEncoding(parseSettings(text, env, this.#environment), this.#encodingOf(path, text)),
          project,
        ),
      )
    if (isOwnTestPath(path))
      return project.withSettings(withOwnTests(project.settings, project, [path, text]))
    if (path === glossaryPath)
      return project.withGlossary(
        withEncoding(parseGlossary(text, project.engine), this.#encodingOf(path, text)),
      )
    if (path === schemaLockFile) this.#lock = text
    return isAssetPath(project.settings.models, path) ? project.with(path, text) : project
  }

  #encodingOf(path: string, text: string | undefined): readonly Diagnostic[] {
    const known = this.#encoding.get(path)
    return known !== undefined && text !== undefined && known.textHash === sha256(text) ? known.problems : []
  }
}

type ChangedText = readonly [path: string, text: string | undefined]

/** Returns settings with the tests of a project's own, of which some may have another text. */
function withOwnTests(
  settings: Settings,
  { settings: before }: Project,
  ...changed: readonly ChangedText[]
): Settings {
  const texts = textsWith(before.ownTests.files, changed)
  const known = settings.engine === before.engine ? before.ownTests : undefined
  return { ...settings, ownTests: createOwnTests(texts, settings.engine, sha256, known) }
}

function withMacroTexts(project: Project, changed: readonly ChangedText[]): Project {
  const { macros, engine } = project
  return project.withMacros(createMacros(textsWith(macros.files, changed), engine, macros))
}

function textsWith(
  files: ReadonlyMap<string, { readonly text: string }>,
  changed: readonly ChangedText[],
): ReadonlyMap<string, string> {
  const texts = new Map(Array.from(files, ([path, { text }]) => [path, text]))
  for (const [path, text] of changed) {
    if (text === undefined) texts.delete(path)
    else texts.set(path, text)
  }
  return texts
}

function textHashIn({ assets, macros, settings }: Project, path: string): string | undefined {
  const other = macros.files.get(path) ?? settings.ownTests.files.get(path)
  return other === undefined ? assets.get(path)?.textHash : sha256(other.text)
}
