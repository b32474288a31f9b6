/**
 * Reads the files of a project as assets: files that are unchanged since the last command come from the cache
 * without parsing, and most of them without reading. At the end it returns what should be cached for the next
 * one.
 */
import { join } from 'node:path'
import type { KeptAnalysis, MayOpen } from '../../catalog/index.ts'
import {
  type Asset,
  type AssetSettings,
  asWritten,
  type Engine,
  factsOf,
  hasNewFacts,
  inheritedBy,
  isReadAs,
  once,
  type Project,
  type ProjectFile,
  parseAsset,
  readWithOf,
  storedAsset,
} from '../../language/index.ts'
import { FileFailure } from '../file-failure.ts'
import { listAssets, readAsset } from '../read-assets.ts'
import { sha256 } from '../sha256.ts'
import { variablesIn } from '../variables.ts'
import { metricRecords } from './cached-metrics.ts'
import { fileStamp, isSettled } from './file-stamp.ts'
import type { CachedFile, CacheEntry, KeptClean, ProjectCache } from './project-cache.ts'

export interface CachedFilesOptions {
  readonly root: string
  /** The models folder, relative to the root. */
  readonly models: string
  readonly cache: ProjectCache
  readonly settings: AssetSettings
  readonly now: () => Date
  /**
   * Called for a file that has changed since its stamp was read; it is then used as it is (a long-running
   * program reads it again). If absent, that is an error.
   */
  readonly onChanged?: (path: string) => void
  /** Told of each file that the cache does not know, while the others are looked at. */
  readonly onNew?: ((text: string) => void) | undefined
  /** Decides which links are followed; by default all. */
  readonly mayOpen?: MayOpen | undefined
}

export interface CachedFiles {
  /** Assets from the cache, otherwise texts, in path order. */
  readonly files: readonly (ProjectFile | Asset)[]
  /** The texts of the files that were read, by path. */
  readonly read: ReadonlyMap<string, string>
  /** The environment variables that any file mentions. */
  readonly variables: ReadonlySet<string>
  /**
   * Returns what to cache; undefined if the cache has exactly that. `isElseNew` means that other parts of the
   * cache have changed.
   */
  keep(project: Project, known: Known, isElseNew: boolean): FilesToKeep | undefined
}

/** The facts about the project's files at the end of a command. */
export interface Known {
  readonly analysisOf: (name: string) => KeptAnalysis | undefined
  readonly clean: Pick<KeptClean, 'dependenciesOf'>
}

export interface FilesToKeep {
  readonly entries: readonly CacheEntry[]
  /** See `CacheContent.onto`. */
  readonly onto: number | undefined
}

/** Up to this number of changed files among `size` is written to a separate file. */
const fewOf = (size: number): number => Math.max(10, size / 10)

export interface Seen {
  readonly path: string
  /** '' if a later change might not show in it. */
  readonly stamp: string
  readonly variables: readonly string[]
  /** The file's entry in the cache. */
  readonly cached: CachedFile | undefined
  readonly file: ProjectFile | Asset
}

/** Reads all files. Throws FileFailure. */
export function readCachedFiles(options: CachedFilesOptions): CachedFiles {
  const read = new Map<string, string>()
  const seen = listAssets(options.root, options.models, options.mayOpen).map(path =>
    lookAt(path, options, read),
  )
  return {
    files: seen.map(each => each.file),
    read,
    variables: new Set(seen.flatMap(each => each.variables)),
    keep(project, known, isElseNew) {
      const { cache } = options
      const changed = new Set(seen.filter(each => !isAsKept(each, project, known, cache)))
      const metrics = metricRecords(project, known.analysisOf, cache)
      const records = [...seen, ...metrics]
      const areSame = records.length === cache.size && records.every(({ path }) => cache.has(path))
      const areKept = changed.size === 0 && metrics.every(({ isKept }) => isKept)
      if (areSame && areKept && !isElseNew) return undefined
      const differing = seen.filter(each => changed.has(each) || cache.changes.has(each.path))
      const otherMetrics = metrics.filter(({ path, isKept }) => !isKept || cache.changes.has(path))
      const isFew = differing.length + otherMetrics.length <= fewOf(cache.size)
      const onto = areSame && isFew ? cache.base : undefined
      const [files, also] = onto === undefined ? [seen, metrics] : [differing, otherMetrics]
      const ofFiles = files.flatMap(each => entryOf(each, project, known, cache) ?? [])
      return { entries: [...ofFiles, ...also.map(({ entry }) => entry)], onto }
    },
  }
}

/** Reads one file. Adds its text to `read` if it had to be read. Throws FileFailure. */
export function lookAt(path: string, options: CachedFilesOptions, read: Map<string, string>): Seen {
  const { root, cache, now } = options
  const found = cache.file(path)
  const known = found && isReadAs(path, found.readWith, options.settings) ? found : undefined
  const readAtMs = now().getTime()
  const stamp = fileStamp(join(root, path))
  if (known !== undefined && known.stamp !== '' && known.stamp === stamp?.text) {
    const { variables } = known
    return { path, stamp: known.stamp, variables, cached: known, file: assetOf(known, options) }
  }
  const text = readAsset(root, path)
  const settled = stamp !== undefined && isSettled(stamp, readAtMs) ? stamp.text : ''
  if (known?.textHash === sha256(text)) {
    const file = assetOf(known, options, text)
    return { path, stamp: settled, variables: known.variables, cached: known, file }
  }
  read.set(path, text)
  options.onNew?.(text)
  return { path, stamp: settled, variables: variablesIn(text), cached: undefined, file: { path, text } }
}

function assetOf(
  cached: CachedFile,
  { root, settings, onChanged }: CachedFilesOptions,
  text?: string,
): Asset {
  const { path, textHash, facts, sql } = cached
  return storedAsset({
    path,
    textHash,
    inherited: inheritedBy(settings.defaults, path),
    readWith: cached.readWith,
    facts,
    sql,
    read() {
      const now = text ?? (onChanged === undefined ? readAsset(root, path) : readOrNothing(root, path))
      if (now === text || sha256(now) === textHash) return now
      if (onChanged === undefined)
        throw new FileFailure(`${path} changed while it was being read`, 'Run the command again.')
      onChanged(path)
      return now
    },
    parse: now => parseAsset(path, now, settings, sha256),
  })
}

function readOrNothing(root: string, path: string): string {
  try {
    return readAsset(root, path)
  } catch {
    return ''
  }
}

/** Returns whether the cache has everything known of the file already, or must not store it. */
function isAsKept(file: Seen, project: Project, known: Known, cache: ProjectCache): boolean {
  const { path, stamp, cached } = file
  const asset = project.assets.get(path)
  if (asset === undefined) return false
  if (cached === undefined)
    return (
      cache.has(path) && cache.file(path) === undefined && factsText(asset, undefined, project.engine) === ''
    )
  return (
    stamp === cached.stamp &&
    !hasNewFacts(asset) &&
    analysisOf(asset, project, known) === cache.analysisOf(path) &&
    isSameList(known.clean.dependenciesOf(path), cache.clean.dependenciesOf(path))
  )
}

/** Returns the analysis, which belongs only to the first of several assets with the same name. */
function analysisOf(asset: Asset, project: Project, known: Known): KeptAnalysis | undefined {
  return project.byName.get(asset.name) === asset ? known.analysisOf(asset.name) : undefined
}

function isSameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return a === b || (a?.length === b?.length && a?.every((name, index) => name === b?.[index]) === true)
}

function entryOf(
  { path, stamp, variables, cached }: Seen,
  project: Project,
  known: Known,
  cache: ProjectCache,
): CacheEntry | undefined {
  const asset = project.assets.get(path)
  if (asset === undefined) return undefined
  const { name, textHash } = asset
  const analysis = analysisOf(asset, project, known)
  const isSame = cached !== undefined && !hasNewFacts(asset) && analysis === cache.analysisOf(path)
  const record = isSame ? cached.record() : undefined
  const facts = once(() => factsText(asset, cached, project.engine))
  return {
    path,
    name,
    textHash,
    readWith: readWithOf(asset),
    stamp,
    variables,
    analysis,
    cleanBy: analysis === undefined ? undefined : known.clean.dependenciesOf(path),
    record,
    facts,
    sql: () => cached?.sql() ?? sqlText(asset, facts()),
  }
}

/**
 * Returns the SQL to store. None is stored for a file with a secret, which may be in its SQL, and for text
 * with lone surrogates, which UTF-8 cannot represent.
 */
function sqlText(asset: Asset, facts: string): string {
  const text = asWritten(asset).sql?.text ?? ''
  return facts === '' || /\p{Surrogate}/u.test(text) ? '' : text
}

/** Returns '' for a file with a secret, and for one with encoding problems, which its text does not show. */
function factsText(asset: Asset, cached: CachedFile | undefined, engine: Engine): string {
  if (cached === undefined && asset.text.includes('\ufffd')) return ''
  if (cached !== undefined && !hasNewFacts(asset)) return cached.factsText()
  const facts = factsOf(asset, engine)
  return facts === undefined ? '' : JSON.stringify(facts)
}
