/**
 * What a dashboard reads of a project: files that runs write by atomic rename, never the warehouse. An environment in
 * which nothing ever ran has no files; what is known of the project then comes from `outline`.
 */
import { type FSWatcher, mkdirSync, watch } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { CatalogFile } from '../engine/artifacts/catalog.ts'
import {
  type GlossaryDocument,
  glossaryFile,
  readGlossaryDocument,
} from '../engine/artifacts/glossary-file.ts'
import { type HistoryFile, parseHistory } from '../engine/artifacts/history.ts'
import type { TestEntry } from '../engine/artifacts/manifest.ts'
import { parseTestHistory } from '../engine/artifacts/test-history.ts'
import { makeQuality, type QualityFile } from './quality.ts'

export interface ProjectFiles {
  catalog(): Promise<CatalogFile>
  quality(): Promise<QualityFile>
  history(): Promise<HistoryFile>
  /** Of the file as it is now: no run reads it. */
  glossary(): Promise<GlossaryDocument>
  /** Files of assets are newer than the catalogue, or some of them are gone. */
  isStale(): Promise<boolean>
  /** Whether a run has written a catalogue. */
  hasRun(): Promise<boolean>
  /** Calls when a run has written something. Returns how to stop. */
  onChange(listener: () => void): () => void
  close(): void
}

export interface ProjectFilesOptions {
  readonly root: string
  /** Name of the environment: the folder in `.svc/`. */
  readonly environment: string
  /** The folder of the models, relative to the root. */
  readonly models: string
  /** A catalogue out of the files alone. */
  readonly outline: () => Promise<CatalogFile>
  /** Told every file that is read, relative to the root. `bytes` undefined: it is not there. */
  readonly onRead?: (path: string, bytes: number | undefined) => void
}

/** Several files are written one after the other; the catalogue is the last. */
const settleMs = 50

export function openProjectFiles(options: ProjectFilesOptions): ProjectFiles {
  const folder = join(options.root, '.svc', options.environment)
  const listeners = new Set<() => void>()
  const read = reader(options)
  const catalogs = memory<CatalogFile>(join(folder, 'svc_catalog.json'), read)
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined

  function watchFolder(): void {
    if (watcher !== undefined) return
    mkdirSync(folder, { recursive: true })
    watcher = watch(folder, (_event, name) => {
      if (name !== 'svc_catalog.json') return
      clearTimeout(timer)
      timer = setTimeout(() => {
        for (const listener of listeners) listener()
      }, settleMs)
    })
    // The folder was removed: pages go on with what they have.
    watcher.on('error', () => {})
  }

  const catalog = async () => (await catalogs()) ?? (await options.outline())
  return {
    catalog,
    async quality() {
      const tests = parsed<readonly TestEntry[]>(await read(join(folder, 'tests.json'))) ?? []
      const past = parseTestHistory((await read(join(folder, 'test_history.json'))) ?? '')
      return makeQuality(await catalog(), tests, past?.tests ?? [])
    },
    async history() {
      const known = parseHistory((await read(join(folder, 'history.json'))) ?? '')
      return known ?? { version: 1, environment: options.environment, runs: [] }
    },
    async glossary() {
      await read(join(options.root, glossaryFile))
      return readGlossaryDocument(options.root, (await catalog()).project.name)
    },
    async isStale() {
      const known = await catalogs()
      return known !== undefined && isOlder(known, options)
    },
    hasRun: async () => (await catalogs()) !== undefined,
    onChange(listener) {
      watchFolder()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      clearTimeout(timer)
      watcher?.close()
      listeners.clear()
    },
  }
}

/** Reads a file again when it is another one. */
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

async function isOlder(catalog: CatalogFile, { root, models }: ProjectFilesOptions): Promise<boolean> {
  const written = Date.parse(catalog.generated_at)
  const found = await readdir(join(root, models), { recursive: true }).catch(() => [])
  const paths = found.filter(path => path.endsWith('.svc')).map(path => join(models, path))
  const times = await Promise.all(
    ['svc.yaml', ...paths].map(
      async path => (await stat(join(root, path)).catch(() => undefined))?.mtimeMs ?? 0,
    ),
  )
  const there = new Set(paths.map(path => path.split('\\').join('/')))
  return times.some(time => time > written) || catalog.assets.some(({ path }) => !there.has(path))
}

type Read = (path: string) => Promise<string | undefined>

/** Undefined: there is no such file, or none that can be read. */
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
