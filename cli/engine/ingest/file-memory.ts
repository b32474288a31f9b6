/**
 * Remembers the content hash of local source files, so that unchanged files are not read again. A file counts
 * as unchanged while its path, inode, size, modification time and change time are the same; the change time
 * cannot be set by a user. The memory holds hashes and counts, never values. It describes content only: the
 * warehouse knows whether it was loaded.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findFiles } from '@svc/server/catalog'
import { type Asset, type Ingest, limitedIngest, localFilesOf, type Settings } from '@svc/server/language'
import { writeWhole } from '../artifacts/write-file.ts'
import { SvcError } from '../errors.ts'
import { resolveText } from './credentials.ts'
import type { FetchContext } from './source.ts'

export interface KnownContent {
  readonly loadId: string
  readonly rows: number
  readonly bytes: number
}

export interface FileMemory {
  /** Returns the content of the asset's files; undefined if the files have to be read to know. */
  recall(asset: Asset): Promise<KnownContent | undefined>
  /** Call this before the files are read, and call the returned function with what they contained. */
  watch(asset: Asset, freshFolder: string): Promise<(content: KnownContent) => Promise<void>>
  /** Writes new entries to disk. If that fails, the files are read again the next time. */
  save(): void
}

export interface FileMemoryOptions {
  /** The folder `.svc/<environment>/`, which must exist. */
  readonly folder: string
  readonly root: string
  readonly env: FetchContext['env']
  readonly settings: Pick<Settings, 'limits'>
  readonly pid: number
}

interface Remembered extends KnownContent {
  readonly stamp: string
}

/** Increase this when the hash of a content is computed differently. */
const version = 1
const fileName = 'files.json'
/**
 * A file that changes twice within the resolution of its file system's clock (two seconds at worst) looks
 * unchanged.
 */
const settledMs = 3000

export function openFileMemory(options: FileMemoryOptions): FileMemory {
  const path = join(options.folder, fileName)
  const known = readMemory(path)
  let changed = false
  return {
    async recall(asset) {
      const remembered = known.get(asset.name)
      if (remembered === undefined) return undefined
      const { stamp } = (await lookAt(asset, options)) ?? {}
      return remembered.stamp === stamp ? remembered : undefined
    },
    async watch(asset, freshFolder) {
      const before = await lookAt(asset, options)
      const now = before === undefined ? 0 : (await stat(freshFolder)).mtimeMs
      return async ({ loadId, rows, bytes }) => {
        const after = before === undefined ? undefined : await lookAt(asset, options)
        changed = known.delete(asset.name) || changed
        if (before === undefined || before.stamp !== after?.stamp) return
        if (before.newestMs > now - settledMs) return
        known.set(asset.name, { stamp: before.stamp, loadId, rows, bytes })
        changed = true
      }
    },
    save() {
      if (!changed) return
      const sources = Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      try {
        writeWhole(path, `${JSON.stringify({ version, sources })}\n`, options.pid)
        changed = false
      } catch (error) {
        if (!(error instanceof SvcError)) throw error
      }
    },
  }
}

interface FilesSeen {
  readonly stamp: string
  /** The latest change of any of the files, by the clock of its file system. */
  readonly newestMs: number
}

/**
 * Returns the state of the source's files; undefined if the source is not local or a file cannot be read,
 * which the fetch reports.
 */
async function lookAt(
  asset: Asset,
  { root, env, settings }: Pick<FileMemoryOptions, 'root' | 'env' | 'settings'>,
): Promise<FilesSeen | undefined> {
  const ingest = limitedIngest(asset, settings)
  const files = localFilesOf(ingest)
  if (files === undefined) return undefined
  try {
    const folder = resolveText(files.endpoint, env, 'ingest.endpoint')
    let isDangling = false
    const onDangling = () => {
      isDangling = true
    }
    const paths = await findFiles(root, folder, files.resource, files.limits, { onDangling })
    // A fetch warns of a link that leads nowhere.
    return isDangling ? undefined : await seenFiles(ingest, paths)
  } catch {
    return undefined
  }
}

async function seenFiles(ingest: Ingest, paths: readonly string[]): Promise<FilesSeen> {
  const hash = createHash('sha256').update(JSON.stringify([version, ingest]))
  let newestMs = 0
  for (const path of paths) {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    hash.update(`\n${JSON.stringify(path)} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`)
    newestMs = Math.max(newestMs, Number(mtimeNs / 1_000_000n), Number(ctimeNs / 1_000_000n))
  }
  return { stamp: hash.digest('hex'), newestMs }
}

/** Reads the stored entries; a missing or damaged file counts as empty. */
function readMemory(path: string): Map<string, Remembered> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isMemory(value)) return new Map()
    return new Map(Object.entries(value.sources).filter(([, entry]) => isRemembered(entry)))
  } catch {
    return new Map()
  }
}

function isMemory(value: unknown): value is { readonly sources: Record<string, Remembered> } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === version &&
    'sources' in value &&
    typeof value.sources === 'object' &&
    value.sources !== null
  )
}

function isRemembered(entry: Partial<Remembered> | null): entry is Remembered {
  return (
    typeof entry?.stamp === 'string' &&
    typeof entry.loadId === 'string' &&
    typeof entry.rows === 'number' &&
    typeof entry.bytes === 'number'
  )
}
