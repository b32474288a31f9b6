/**
 * Reads the files of a project for the dashboard: files that runs replace atomically, never the warehouse.
 * For an environment without a run, the project is described by `outline`, and so are assets that were
 * written since the last run.
 */

import { existsSync, type FSWatcher, mkdirSync, watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import type {
  AttemptedRuns,
  CatalogFile,
  ChangedFile,
  GlossaryFile,
  HistoryFile,
  Manifest,
  QualityFile,
  TestEntry,
} from '@svc/server/contract'
import { glossaryFile, readGlossaryDocument } from '../engine/artifacts/glossary-file.ts'
import { parseHistory } from '../engine/artifacts/history.ts'
import { parseJson } from '../engine/artifacts/parse-json.ts'
import { parseTestHistory } from '../engine/artifacts/test-history.ts'
import type { ProjectPlace } from '../engine/workspace/locate-project.ts'
import { attemptedRuns, logSummaries } from './attempted-runs.ts'
import { changedFiles } from './changed-files.ts'
import { withNewAssets } from './new-assets.ts'
import { makeQuality } from './quality.ts'
import { stampFiles, watchStamp } from './watch-files.ts'

export interface ProjectFiles {
  catalog(): Promise<CatalogFile>
  quality(): Promise<QualityFile>
  history(): Promise<AttemptedRuns>
  /** Returns the glossary of the current file, which runs do not read. */
  glossary(): Promise<GlossaryFile>
  /** Returns the files that differ from what the catalogue was made of; none if there is no catalogue. */
  changed(): Promise<readonly ChangedFile[]>
  /** Returns whether a run has written a catalogue. */
  hasRun(): Promise<boolean>
  /** Watches while there is a listener. Returns a function that stops it. */
  onChange(listener: (change: FilesChange) => void): () => void
  close(): void
}

/**
 * `data`: a run has written something new. `files`: files of the project have changed. `stale`: they differ from what
 * the catalogue was made of.
 */
export type FilesChange = 'data' | 'files' | 'stale'

export interface ProjectFilesOptions {
  readonly root: string
  readonly environment: string
  /** Returns the name of its folder in `.svc/`, which may be another one after a checkout; absent: that of the environment. */
  readonly stateName?: () => string
  /** The folder of the models, relative to the root. */
  readonly models: string
  readonly engine: ProjectPlace['engine']
  /** Returns a catalogue made from the files alone. */
  readonly outline: () => Promise<CatalogFile>
  /** Brings the files to the state of the warehouse, before they are read. */
  readonly renew?: () => Promise<void>
  /** Called for every file that is read, relative to the root. `bytes` is undefined if it does not exist. */
  readonly onRead?: (path: string, bytes: number | undefined) => void
}

export function openProjectFiles(options: ProjectFilesOptions): ProjectFiles {
  const { root } = options
  const read = reader(options)
  const here = filesOfBranch(options, read)
  const look = () => stampFiles(root, options.models)
  let outline: CatalogFile | undefined
  const stops: (() => void)[] = []

  const { tell, ...listening } = changeListeners(start, stop)
  const folder = followedFolder(
    root,
    () => here().folder,
    () => void tell('data'),
  )

  const catalog = async () => withOutline(await here().catalog(), outline, options.outline)

  async function changed(): Promise<readonly ChangedFile[]> {
    const { catalog: known, changes } = here()
    const made = await known()
    return made === undefined ? [] : changes(made, await look())
  }

  /** Pages are told at once that their data are outdated; new data follow when they are computed. */
  async function takeFiles(): Promise<void> {
    tell('files')
    folder.follow()
    const { catalog: made, changes } = here()
    const known = await made()
    if (known === undefined) return void tell('data')
    const files = await changes(known, await look())
    if (files.length > 0) tell('stale')
    const before = outline
    outline = isGrown(files) ? await options.outline().catch(() => outline) : undefined
    if (files.length === 0 || outline !== before) tell('data')
  }

  function start(): void {
    stops.push(
      watchStamp(look, () => void takeFiles()),
      folder.stop,
    )
    folder.follow()
    void changed().then(async files => {
      if (files.length > 0) await takeFiles()
    })
  }

  function stop(): void {
    for (const each of stops.splice(0)) each()
  }

  return {
    catalog,
    changed,
    quality: async () => qualityOf(await catalog(), here().folder, read),
    history: () => here().history(),
    async glossary() {
      await read(join(root, glossaryFile))
      return readGlossaryDocument(root, (await catalog()).project.name, options.engine)
    },
    hasRun: async () => (await here().catalog()) !== undefined,
    ...listening,
  }
}

/** Calls `start` for the first listener, and `stop` when there is none any more. */
function changeListeners(start: () => void, stop: () => void) {
  const listeners = new Set<(change: FilesChange) => void>()
  return {
    tell(change: FilesChange): void {
      for (const listener of [...listeners]) listener(change)
    },
    onChange(listener: (change: FilesChange) => void): () => void {
      if (listeners.size === 0) start()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    close(): void {
      listeners.clear()
      stop()
    },
  }
}

/** Watches the folder of the branch that is checked out; after a checkout that is another one. */
function followedFolder(root: string, folderNow: () => string, changed: () => void) {
  let watching: { readonly folder: string; readonly stop: () => void } | undefined
  const stop = (): void => {
    watching?.stop()
    watching = undefined
  }
  return {
    follow(): void {
      const folder = folderNow()
      // A project that was moved away is not begun again in its old place.
      if (watching?.folder === folder || !existsSync(root)) return
      const isOther = watching !== undefined
      stop()
      watching = { folder, stop: watchFolder(folder, changed) }
      if (isOther) changed()
    },
    stop,
  }
}

/** Returns what gives the files of the branch that is checked out now. */
function filesOfBranch(options: ProjectFilesOptions, read: Read): () => RunFiles {
  const { root, environment, stateName = () => environment } = options
  const places = new Map<string, RunFiles>()
  return () => {
    const folder = join(root, '.svc', stateName())
    const files = places.get(folder) ?? runFiles(options, folder, read)
    places.set(folder, files)
    return files
  }
}

/** The files that runs have written into a folder of `.svc/`. */
interface RunFiles {
  readonly folder: string
  readonly catalog: () => Promise<CatalogFile | undefined>
  readonly changes: ReturnType<typeof changedFiles>
  readonly history: () => Promise<AttemptedRuns>
}

function runFiles(options: ProjectFilesOptions, folder: string, read: Read): RunFiles {
  const { root, environment, renew = () => Promise.resolve() } = options
  const manifests = memory<Manifest>(join(folder, 'manifest.json'), read)
  const catalogs = memory<CatalogFile>(join(folder, 'svc_catalog.json'), read)
  const history = historyReader(root, folder, environment, read)
  return {
    folder,
    catalog: () => renew().then(catalogs),
    changes: changedFiles(root, manifests),
    history: () => renew().then(history),
  }
}

/** A project that has not run is described by its files alone. */
async function withOutline(
  known: CatalogFile | undefined,
  newFiles: CatalogFile | undefined,
  outline: () => Promise<CatalogFile>,
): Promise<CatalogFile> {
  if (known === undefined) return outline()
  return newFiles === undefined ? known : withNewAssets(known, newFiles)
}

/** Other changes than a new file wait for the next run: computing the outline at each save is expensive. */
function isGrown(files: readonly ChangedFile[]): boolean {
  return files.some(({ change }) => change === 'added')
}

function historyReader(
  root: string,
  folder: string,
  environment: string,
  read: Read,
): () => Promise<AttemptedRuns> {
  const logs = logSummaries(root)
  return async () => {
    const file = await readHistory(folder, environment, read)
    return { ...file, runs: attemptedRuns(file.runs, logs(), basename(folder)) }
  }
}

async function qualityOf(catalog: CatalogFile, folder: string, read: Read) {
  const tests = parseJson((await read(join(folder, 'tests.json'))) ?? '') as readonly TestEntry[] | undefined
  const past = parseTestHistory((await read(join(folder, 'test_history.json'))) ?? '')
  return makeQuality(catalog, tests ?? [], past?.tests ?? [])
}

async function readHistory(folder: string, environment: string, read: Read): Promise<HistoryFile> {
  const known = parseHistory((await read(join(folder, 'history.json'))) ?? '')
  return known ?? { version: 1, environment, runs: [] }
}

/** Several files are written one after another. */
const settleMs = 50

/** A run that failed before it built anything may write its history alone. */
const watched: ReadonlySet<string> = new Set(['svc_catalog.json', 'history.json', 'test_history.json'])

function watchFolder(folder: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  mkdirSync(folder, { recursive: true })
  const watcher: FSWatcher = watch(folder, (_event, name) => {
    if (name === null || !watched.has(name)) return
    clearTimeout(timer)
    timer = setTimeout(changed, settleMs)
  })
  // The folder was removed; pages keep the data that they have.
  watcher.on('error', () => {})
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

/** Reads a file again only if it has changed. */
function memory<T>(path: string, read: Read): () => Promise<T | undefined> {
  let known: { readonly stamp: string; readonly value: T } | undefined
  return async () => {
    const { ino, size, mtimeMs } = await stat(path).catch(() => ({ ino: 0, size: 0, mtimeMs: 0 }))
    const stamp = `${ino} ${size} ${mtimeMs}`
    if (known?.stamp === stamp) return known.value
    const value = parseJson((await read(path)) ?? '') as T | undefined
    known = value === undefined ? undefined : { stamp, value }
    return value
  }
}

type Read = (path: string) => Promise<string | undefined>

/** Returns undefined if the file does not exist or cannot be read. */
function reader({ root, onRead }: ProjectFilesOptions): Read {
  return async path => {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    onRead?.(relative(root, path), text === undefined ? undefined : Buffer.byteLength(text))
    return text
  }
}
