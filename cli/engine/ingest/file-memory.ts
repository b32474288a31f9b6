/**
 * Remembers what the local files of a source held, so that files nobody has touched are not read again. A file counts
 * as untouched while its path, inode, size and both of its times are the same; its change time cannot be set by hand.
 * Remembers hashes and counts, never a value. Only the content: whether it was loaded is for the warehouse to say.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findFiles } from '@svc/server/catalog'
import { type Asset, type Ingest, localFilesOf } from '@svc/server/language'
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
  /** What the files of the asset hold; undefined where only reading them tells. */
  recall(asset: Asset): Promise<KnownContent | undefined>
  /** Called before the files are read; the answer is called with what they held. */
  watch(asset: Asset, freshFolder: string): Promise<(content: KnownContent) => Promise<void>>
  /** Writes down what is new. Where that cannot be done, the files are read again the next time. */
  save(): void
}

export interface FileMemoryOptions {
  /** `.svc/<environment>/`, which exists. */
  readonly folder: string
  readonly root: string
  readonly env: FetchContext['env']
  readonly pid: number
}

interface Remembered extends KnownContent {
  readonly stamp: string
}

/** Raised when a content's hash is made in another way. */
const version = 1
const fileName = 'files.json'
/** A file that changes twice within the grain of its file system's clock (two seconds at worst) looks unchanged. */
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
  /** The last time that one of them changed, by the clock of its file system. */
  readonly newestMs: number
}

/** Undefined for a source that is no local file, or whose files cannot be looked at: the fetch says why. */
async function lookAt(
  asset: Asset,
  { root, env }: Pick<FileMemoryOptions, 'root' | 'env'>,
): Promise<FilesSeen | undefined> {
  const { ingest } = asset.definition
  const files = localFilesOf(ingest)
  if (files === undefined) return undefined
  try {
    const folder = resolveText(files.endpoint, env, 'ingest.endpoint')
    return await seenFiles(ingest, await findFiles(root, folder, files.resource))
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

/** A memory that is missing or damaged is an empty one. */
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
