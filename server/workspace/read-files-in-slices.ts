/**
 * The files of a project for a program that has other things to do meanwhile: read and parsed one by one, with a pause
 * wherever the caller wants one. Takes from the cache what did not change, and never writes to it.
 */
import { join } from 'node:path'
import type { CatalogMemory, SourceShapeCache } from '../catalog/index.ts'
import { type Asset, type Engine, type Hash, parseAsset } from '../language/index.ts'
import { type CachedFilesOptions, lookAt } from './cache/cached-files.ts'
import { emptyCache, readProjectCache } from './cache/project-cache.ts'
import { sourceLooks } from './cache/source-looks.ts'
import { FileFailure } from './file-failure.ts'
import { listAssets, readAsset } from './read-assets.ts'

export interface FilesInSlicesOptions {
  readonly root: string
  readonly models: string
  readonly engine: Engine
  readonly hash: Hash
  readonly now: () => Date
  /** The exact program that runs: what another one kept is not believed. */
  readonly program: string | undefined
  readonly onChanged: (path: string) => void
  /** Told of what cannot be read; it is left out. */
  readonly onFailure: (failure: FileFailure) => void
  /** Called after each file; undefined: go on at once. */
  readonly pause: (done: number, all: number) => Promise<void> | undefined
  /** Told of each asset as it comes, with what is known of sources from last time. */
  readonly onAsset?: (asset: Asset, looks: SourceShapeCache) => void
  /** Assets at hand already, by path: they are neither read nor parsed. */
  readonly known: ReadonlyMap<string, Asset>
}

export interface FilesRead {
  readonly assets: readonly Asset[]
  /** Texts of the files that had to be read, by path. */
  readonly read: ReadonlyMap<string, string>
  /** What a catalogue and a reader of sources begin with. */
  readonly memory: CatalogMemory
  readonly looks: SourceShapeCache
}

/** Throws FileFailure where the folder itself cannot be read. */
export async function readFilesInSlices(options: FilesInSlicesOptions): Promise<FilesRead> {
  const { root, models, engine, program, known, pause } = options
  const path = join(root, '.svc', 'cache', 'project')
  const cache = program === undefined ? emptyCache : readProjectCache(path, program, engine)
  const paths = listAssets(root, models)
  const looks = sourceLooks(cache.looks, options.now)
  const read = new Map<string, string>()
  const assets: Asset[] = []
  for (const path of paths) {
    const asset = known.get(path) ?? readOne(path, { ...options, cache }, read, options.onFailure)
    if (asset !== undefined) {
      assets.push(asset)
      options.onAsset?.(asset, looks)
    }
    const wait = pause(assets.length, paths.length)
    if (wait !== undefined) await wait
  }
  return { assets, read, memory: cache.memory, looks }
}

function readOne(
  path: string,
  options: CachedFilesOptions,
  read: Map<string, string>,
  onFailure: (failure: FileFailure) => void,
): Asset | undefined {
  try {
    // Nothing is kept of it, and nobody here keeps anything: its stamp would be for nobody.
    if (options.cache.file(path) === undefined) {
      const text = readAsset(options.root, path)
      read.set(path, text)
      return parseAsset(path, text, options.engine, options.hash)
    }
    const { file } = lookAt(path, options, read)
    return 'definition' in file ? file : parseAsset(path, file.text, options.engine, options.hash)
  } catch (error) {
    // It went away between the listing and the look, or nobody may read it.
    if (!(error instanceof FileFailure)) throw error
    onFailure(error)
    return undefined
  }
}
