/** Opens the cache of a project for one command, and writes it at the end. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogMemory, MayOpen, ShadowCatalog } from '../../catalog/index.ts'
import {
  type AssetSettings,
  factsOf,
  type IsClean,
  isMetricKey,
  type Project,
  type SourceShapes,
} from '../../language/index.ts'
import { type CachedFiles, readCachedFiles } from './cached-files.ts'
import { mayKeepMetrics } from './cached-metrics.ts'
import { cleanAssets } from './clean-assets.ts'
import {
  cacheFolder,
  emptyCache,
  projectCachePath,
  readProjectCache,
  writeProjectCache,
} from './project-cache.ts'
import { type SourceLooks, sourceLooks } from './source-looks.ts'

export interface OpenCache extends Omit<CachedFiles, 'keep'> {
  /** The memory that the catalogue starts with. */
  readonly memory: CatalogMemory
  readonly looks: SourceLooks
  /**
   * Returns a function that tells whether an asset had no problems the last time and nothing that this
   * depends on has changed; undefined if nothing is known. For an analyzed snapshot.
   */
  isClean(project: Project, sources: SourceShapes, catalog: ShadowCatalog): IsClean | undefined
  /** Writes the cache. A failure is ignored: it only makes the next command slower. */
  keep(project: Project, catalog: ShadowCatalog): void
}

export interface OpenCacheOptions {
  readonly root: string
  readonly models: string
  readonly settings: AssetSettings
  readonly world: { readonly now: () => Date; readonly program?: string }
  /** As `CachedFilesOptions.onNew`. */
  readonly onNew?: ((text: string) => void) | undefined
  /** As `CachedFilesOptions.mayOpen`. */
  readonly mayOpen?: MayOpen | undefined
}

/** Throws FileFailure where a file of the project cannot be read. */
export function openCache({ root, models, settings, world, onNew, mayOpen }: OpenCacheOptions): OpenCache {
  const { now, program } = world
  const { engine } = settings
  const folder = cacheFolder(root)
  const path = projectCachePath(root, engine)
  const cache = program === undefined ? emptyCache : readProjectCache(path, program, engine)
  const looks = sourceLooks(cache.looks, now)
  const clean = cleanAssets(cache.clean)
  const { keep, ...files } = readCachedFiles({ root, models, cache, settings, now, onNew, mayOpen })
  return {
    ...files,
    memory: cache.memory,
    looks,
    isClean: clean.known,
    keep(project, catalog) {
      if (program === undefined) return
      const keepsMetrics = mayKeepMetrics(project)
      const remembered = catalog.remember(asset =>
        isMetricKey(asset.name) ? keepsMetrics : factsOf(asset, engine) !== undefined,
      )
      const { vars, entries: analyses } = remembered ?? cache.memory
      const keptLooks = looks.keep()
      const keptClean = clean.keep(project, catalog)
      const isElseNew =
        vars !== cache.memory.vars ||
        keptLooks !== undefined ||
        keptClean.sharedHash !== cache.clean.sharedHash
      const known = { analysisOf: (name: string) => analyses.get(name), clean: keptClean }
      const kept = keep(project, known, isElseNew)
      if (kept === undefined) return
      try {
        prepareFolder(folder, now().getTime())
        writeProjectCache(path, program, engine, {
          ...kept,
          vars,
          sharedHash: keptClean.sharedHash,
          looks: keptLooks ?? cache.looks,
        })
      } catch {
        // A full disk, or a folder of another user.
      }
    },
  }
}

/**
 * Creates the folder with a `.gitignore`, since the cache belongs in no repository, and removes the partial
 * files of killed commands.
 */
function prepareFolder(folder: string, nowMs: number): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.gitignore'), '*\n')
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.endsWith('.tmp') && statSync(path).mtimeMs < nowMs - abandonedMs) rmSync(path, { force: true })
  }
}

/** No command takes that long to write its cache. */
const abandonedMs = 3_600_000
