/** The cache of a project, opened for one command: what it begins with, and what it hands on at its end. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogMemory, ShadowCatalog } from '../../catalog/index.ts'
import { factsOf, type Hash, type Project } from '../../language/index.ts'
import { type CachedFiles, readCachedFiles } from './cached-files.ts'
import { emptyCache, readProjectCache, writeProjectCache } from './project-cache.ts'
import { type SourceLooks, sourceLooks } from './source-looks.ts'

export interface OpenCache extends Omit<CachedFiles, 'keep'> {
  /** What a catalogue begins with. */
  readonly memory: CatalogMemory
  readonly looks: SourceLooks
  /** Where nothing can be written, the next command is slower, and that is all. */
  keep(project: Project, catalog: ShadowCatalog): void
}

export interface OpenCacheOptions {
  readonly root: string
  readonly models: string
  readonly world: { readonly now: () => Date; readonly program?: string }
  readonly hash: Hash
}

/** Throws FileFailure where a file of the project cannot be read. */
export function openCache({ root, models, world, hash }: OpenCacheOptions): OpenCache {
  const { now, program } = world
  const folder = join(root, '.svc', 'cache')
  const path = join(folder, 'project')
  const cache = program === undefined ? emptyCache : readProjectCache(path, program)
  const looks = sourceLooks(cache.looks, now)
  const { keep, ...files } = readCachedFiles({ root, models, cache, hash, now })
  return {
    ...files,
    memory: cache.memory,
    looks,
    keep(project, catalog) {
      if (program === undefined) return
      const found = catalog.remember(asset => factsOf(asset) !== undefined)
      const { vars, entries: analyses } = found ?? cache.memory
      const keptLooks = looks.keep()
      const entries = keep(
        project,
        name => analyses.get(name),
        found !== undefined || keptLooks !== undefined,
      )
      if (entries === undefined) return
      try {
        prepareFolder(folder, now().getTime())
        writeProjectCache(path, program, { entries, vars, looks: keptLooks ?? cache.looks })
      } catch {
        // A full disk, a folder of someone else.
      }
    },
  }
}

/** Nobody wants it in a repository, be `.svc/` ignored there or not; nor what a killed command left half written. */
function prepareFolder(folder: string, nowMs: number): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '.gitignore'), '*\n')
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.endsWith('.tmp') && statSync(path).mtimeMs < nowMs - abandonedMs) rmSync(path, { force: true })
  }
}

/** No command takes as long to write its cache. */
const abandonedMs = 3_600_000
