/**
 * Remembers the content hash of local source files, so that unchanged files are not read again. A file counts
 * as unchanged while its path, inode, size, modification time and change time are the same; the change time
 * cannot be set by a user. The memory holds hashes and counts, never values. It describes content only: the
 * warehouse knows whether it was loaded.
 */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findFiles } from '@svc/server/catalog'
import { type Asset, type Ingest, limitedIngest, localFilesOf, type Settings } from '@svc/server/language'
import { resolveText } from './credentials.ts'
import { openEntries } from './entry-file.ts'
import type { FetchContext } from './source.ts'

export interface KnownContent {
  readonly loadId: string
  readonly rows: number
  readonly bytes: number
}

export type FileMemory = ReturnType<typeof openFileMemory>

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

export function openFileMemory(options: FileMemoryOptions) {
  const path = join(options.folder, fileName)
  const known = openEntries({ path, pid: options.pid, version, read: remembered })
  return {
    /** Returns the content of the asset's files; undefined if the files have to be read to know. */
    async recall(asset: Asset): Promise<KnownContent | undefined> {
      const found = known.get(asset.name)
      if (found === undefined) return undefined
      const { stamp } = (await lookAt(asset, options)) ?? {}
      return found.stamp === stamp ? found : undefined
    },
    /** Call this before the files are read, and call the returned function with what they contained. */
    async watch(asset: Asset, freshFolder: string): Promise<(content: KnownContent) => Promise<void>> {
      const before = await lookAt(asset, options)
      const now = before === undefined ? 0 : (await stat(freshFolder)).mtimeMs
      return async ({ loadId, rows, bytes }) => {
        const after = before === undefined ? undefined : await lookAt(asset, options)
        const isSettled = before?.stamp === after?.stamp && (before?.newestMs ?? now) <= now - settledMs
        const stamp = isSettled ? before?.stamp : undefined
        known.set(asset.name, stamp === undefined ? undefined : { stamp, loadId, rows, bytes })
      }
    },
    save: known.save,
  }
}

type FilesSeen = Awaited<ReturnType<typeof seenFiles>>

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

async function seenFiles(ingest: Ingest, paths: readonly string[]) {
  const hash = createHash('sha256').update(JSON.stringify([version, ingest]))
  let newestMs = 0
  for (const path of paths) {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    hash.update(`\n${JSON.stringify(path)} ${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`)
    newestMs = Math.max(newestMs, Number(mtimeNs / 1_000_000n), Number(ctimeNs / 1_000_000n))
  }
  return {
    stamp: hash.digest('hex') /** The latest change of any of the files, by the clock of its file system. */,
    newestMs,
  }
}

function remembered(value: unknown): Remembered | undefined {
  const entry = value as Partial<Remembered> | null
  const isWhole =
    typeof entry?.stamp === 'string' &&
    typeof entry.loadId === 'string' &&
    typeof entry.rows === 'number' &&
    typeof entry.bytes === 'number'
  return isWhole ? (entry as Remembered) : undefined
}
