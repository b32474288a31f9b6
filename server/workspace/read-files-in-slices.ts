/**
 * Reads and parses the files of a project one at a time, with pauses for a program that must stay responsive.
 * It uses the cache for unchanged files and never writes it.
 */
import { type CatalogMemory, type MayOpen, mayOpenAll, type SourceShapeCache } from '../catalog/index.ts'
import { type Asset, parseAsset } from '../language/index.ts'
import { type CachedFilesOptions, lookAt } from './cache/cached-files.ts'
import { emptyCache, projectCachePath, readProjectCache } from './cache/project-cache.ts'
import { sourceLooks } from './cache/source-looks.ts'
import { FileFailure } from './file-failure.ts'
import { listAssets, readAsset } from './read-assets.ts'
import { sha256 } from './sha256.ts'

export interface FilesInSlicesOptions
  extends Omit<CachedFilesOptions, 'cache' | 'onNew' | 'onChanged'>,
    Required<Pick<CachedFilesOptions, 'onChanged'>> {
  /** The version of the running program: the cache of another version is not used. */
  readonly program: string | undefined
  /** Called for a file that cannot be read; it is left out. */
  readonly onFailure: (failure: FileFailure) => void
  /** Called after each file; returns undefined to continue at once. */
  readonly pause: (done: number, all: number) => Promise<void> | undefined
  /** Called for each asset as it is read, with the cached looks at sources. */
  readonly onAsset?: (asset: Asset, looks: SourceShapeCache) => void
  /** Assets that are available already, by path: they are neither read nor parsed. */
  readonly known: ReadonlyMap<string, Asset>
  /** Asked of what a link leads to; default: all may be opened. */
  readonly mayOpen?: MayOpen
}

export interface FilesRead {
  readonly assets: readonly Asset[]
  /** The texts of the files that had to be read, by path. */
  readonly read: ReadonlyMap<string, string>
  /** The memory for a catalogue, and the cached looks for a source reader. */
  readonly memory: CatalogMemory
  readonly looks: SourceShapeCache
}

/** Reads the files. Throws FileFailure if the folder itself cannot be read. */
export async function readFilesInSlices(options: FilesInSlicesOptions): Promise<FilesRead> {
  const { root, models, settings, program, known, pause, mayOpen = mayOpenAll } = options
  const path = projectCachePath(root, settings.engine)
  const cache =
    program === undefined || !mayOpen(path) ? emptyCache : readProjectCache(path, program, settings.engine)
  const paths = listAssets(root, models, mayOpen)
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
    // The file is not in the cache, so its stamp is not needed.
    if (options.cache.file(path) === undefined) {
      const text = readAsset(options.root, path)
      read.set(path, text)
      return parseAsset(path, text, options.settings, sha256)
    }
    const { file } = lookAt(path, options, read)
    return 'definition' in file ? file : parseAsset(path, file.text, options.settings, sha256)
  } catch (error) {
    // The file was deleted after it was listed, or it is not readable.
    if (!(error instanceof FileFailure)) throw error
    onFailure(error)
    return undefined
  }
}
