/**
 * Reads the files of a project for the dashboard: files that runs replace atomically, never the warehouse.
 * For an environment without a run, the project is described by `outline`, and so are assets that were
 * written since the last run.
 */

import { type FSWatcher, mkdirSync, watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { CatalogFile, GlossaryFile, HistoryFile, QualityFile, TestEntry } from '@svc/server/contract'
import { glossaryFile, readGlossaryDocument } from '../engine/artifacts/glossary-file.ts'
import { parseHistory } from '../engine/artifacts/history.ts'
import { parseTestHistory } from '../engine/artifacts/test-history.ts'
import type { ProjectPlace } from '../engine/workspace/locate-project.ts'
import { withNewAssets } from './new-assets.ts'
import { makeQuality } from './quality.ts'
import { type FilesStamp, stampFiles, watchStamp } from './watch-files.ts'

export interface ProjectFiles {
  catalog(): Promise<CatalogFile>
  quality(): Promise<QualityFile>
  history(): Promise<HistoryFile>
  /** Returns the glossary of the current file, which runs do not read. */
  glossary(): Promise<GlossaryFile>
  /** Returns whether files of assets are newer than the catalogue, or deleted since. */
  isStale(): Promise<boolean>
  /** Returns whether a run has written a catalogue. */
  hasRun(): Promise<boolean>
  /** Watches while there is a listener. Returns a function that stops it. */
  onChange(listener: (change: FilesChange) => void): () => void
  close(): void
}

/** `data`: there is a new catalogue. `stale`: files of assets are newer than the catalogue. */
export type FilesChange = 'data' | 'stale'

export interface ProjectFilesOptions {
  readonly root: string
  /** The name of the environment, which is its folder in `.svc/`. */
  readonly environment: string
  /** The folder of the models, relative to the root. */
  readonly models: string
  readonly engine: ProjectPlace['engine']
  /** Returns a catalogue made from the files alone. */
  readonly outline: () => Promise<CatalogFile>
  /** Called for every file that is read, relative to the root. `bytes` is undefined if it does not exist. */
  readonly onRead?: (path: string, bytes: number | undefined) => void
}

export function openProjectFiles(options: ProjectFilesOptions): ProjectFiles {
  const { root, environment } = options
  const folder = join(root, '.svc', environment)
  const listeners = new Set<(change: FilesChange) => void>()
  const read = reader(options)
  const catalogs = memory<CatalogFile>(join(folder, 'svc_catalog.json'), read)
  const look = () => stampFiles(root, options.models)
  let outline: CatalogFile | undefined
  let stops: readonly (() => void)[] = []

  const tell = (change: FilesChange) => {
    for (const listener of listeners) listener(change)
  }

  const catalog = async () => {
    const known = await catalogs()
    if (known === undefined) return options.outline()
    return outline === undefined ? known : withNewAssets(known, outline)
  }

  async function isStale(): Promise<boolean> {
    const known = await catalogs()
    return known !== undefined && isOlder(known, await look())
  }

  /** Pages are told at once that their data are outdated; new data follow when they are computed. */
  async function takeFiles(): Promise<void> {
    const known = await catalogs()
    if (known === undefined) return tell('data')
    const files = await look()
    const stale = isOlder(known, files)
    if (stale) tell('stale')
    const before = outline
    // Other changes than a new file wait for the next run: computing the outline at each save is expensive.
    outline = hasNewFile(known, files) ? await options.outline().catch(() => outline) : undefined
    if (!stale || outline !== before) tell('data')
  }

  function start(): void {
    stops = [watchFolder(folder, () => tell('data')), watchStamp(look, () => void takeFiles())]
    void isStale().then(async stale => {
      if (stale) await takeFiles()
    })
  }

  function stop(): void {
    for (const each of stops) each()
    stops = []
  }

  return {
    catalog,
    isStale,
    quality: async () => qualityOf(await catalog(), folder, read),
    history: () => readHistory(folder, environment, read),
    async glossary() {
      await read(join(root, glossaryFile))
      return readGlossaryDocument(root, (await catalog()).project.name, options.engine)
    },
    hasRun: async () => (await catalogs()) !== undefined,
    onChange(listener) {
      if (listeners.size === 0) start()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    close() {
      listeners.clear()
      stop()
    },
  }
}

async function qualityOf(catalog: CatalogFile, folder: string, read: Read) {
  const tests = parsed<readonly TestEntry[]>(await read(join(folder, 'tests.json'))) ?? []
  const past = parseTestHistory((await read(join(folder, 'test_history.json'))) ?? '')
  return makeQuality(catalog, tests, past?.tests ?? [])
}

async function readHistory(folder: string, environment: string, read: Read): Promise<HistoryFile> {
  const known = parseHistory((await read(join(folder, 'history.json'))) ?? '')
  return known ?? { version: 1, environment, runs: [] }
}

function isOlder({ generated_at, assets }: CatalogFile, { newestMs, paths }: FilesStamp): boolean {
  return newestMs > Date.parse(generated_at) || assets.some(({ path }) => !paths.has(path))
}

function hasNewFile({ assets }: CatalogFile, { paths }: FilesStamp): boolean {
  const known = new Set(assets.map(({ path }) => path))
  return [...paths].some(path => !known.has(path))
}

/** Several files are written one after another, the catalogue last. */
const settleMs = 50

function watchFolder(folder: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  mkdirSync(folder, { recursive: true })
  const watcher: FSWatcher = watch(folder, (_event, name) => {
    if (name !== 'svc_catalog.json') return
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
    const value = parsed<T>(await read(path))
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

function parsed<T>(text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}
