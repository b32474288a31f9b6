/**
 * The files of a project as assets: what has not changed since the last command is taken from the cache without being
 * parsed, most of it without being read. Says at the end what is worth keeping for the next one.
 */
import { join } from 'node:path'
import type { KeptAnalysis } from '../../catalog/index.ts'
import {
  type Asset,
  type Engine,
  factsOf,
  type Hash,
  hasNewFacts,
  type Project,
  type ProjectFile,
  parseAsset,
  storedAsset,
} from '../../language/index.ts'
import { FileFailure } from '../file-failure.ts'
import { listAssets, readAsset } from '../read-assets.ts'
import { variablesIn } from '../variables.ts'
import { fileStamp, isSettled } from './file-stamp.ts'
import type { CachedFile, CacheEntry, KeptClean, ProjectCache } from './project-cache.ts'

export interface CachedFilesOptions {
  readonly root: string
  /** Folder of the assets, relative to the root. */
  readonly models: string
  readonly cache: ProjectCache
  readonly engine: Engine
  readonly hash: Hash
  readonly now: () => Date
  /**
   * Told of a file that is another one by now than when it was looked at; then it is taken as it is (a program that
   * stays reads it again). Absent: that is an error.
   */
  readonly onChanged?: (path: string) => void
  /** Told of each file that the cache does not know, while the others are looked at. */
  readonly onNew?: ((text: string) => void) | undefined
}

export interface CachedFiles {
  /** In path order: assets where the cache knows them, else texts. */
  readonly files: readonly (ProjectFile | Asset)[]
  /** Texts of the files that were read, by path. */
  readonly read: ReadonlyMap<string, string>
  /** Names of environment variables that any file mentions. */
  readonly variables: ReadonlySet<string>
  /** Undefined where the cache holds just that. `isElseNew`: something else than what is kept of files is. */
  keep(project: Project, known: Known, isElseNew: boolean): FilesToKeep | undefined
}

/** What is known by now of the files of a project. */
export interface Known {
  readonly analysisOf: (name: string) => KeptAnalysis | undefined
  readonly clean: Pick<KeptClean, 'restsOn'>
}

export interface FilesToKeep {
  readonly entries: readonly CacheEntry[]
  /** As `CacheContent.onto`. */
  readonly onto: number | undefined
}

/** Of so many files among `size`, what changed is kept in a file of its own. */
const fewOf = (size: number): number => Math.max(10, size / 10)

export interface Seen {
  readonly path: string
  /** Empty where a change would not show by it. */
  readonly stamp: string
  readonly variables: readonly string[]
  /** The file as the cache knows it. */
  readonly cached: CachedFile | undefined
  readonly file: ProjectFile | Asset
}

/** Throws FileFailure. */
export function readCachedFiles(options: CachedFilesOptions): CachedFiles {
  const read = new Map<string, string>()
  const seen = listAssets(options.root, options.models).map(path => lookAt(path, options, read))
  return {
    files: seen.map(each => each.file),
    read,
    variables: new Set(seen.flatMap(each => each.variables)),
    keep(project, known, isElseNew) {
      const { cache } = options
      const changed = new Set(seen.filter(each => !isAsKept(each, project, known, cache)))
      const areSame = seen.length === cache.size && seen.every(({ path }) => cache.has(path))
      if (areSame && changed.size === 0 && !isElseNew) return undefined
      const differing = seen.filter(each => changed.has(each) || cache.changes.has(each.path))
      const onto = areSame && differing.length <= fewOf(cache.size) ? cache.base : undefined
      const written = onto === undefined ? seen : differing
      return { entries: written.flatMap(each => entryOf(each, project, known, cache) ?? []), onto }
    },
  }
}

/** One file. Its text is added to `read` where it had to be read. Throws FileFailure. */
export function lookAt(path: string, options: CachedFilesOptions, read: Map<string, string>): Seen {
  const { root, cache, hash, now } = options
  const known = cache.file(path)
  const readAtMs = now().getTime()
  const stamp = fileStamp(join(root, path))
  if (known !== undefined && known.stamp !== '' && known.stamp === stamp?.text) {
    return {
      path,
      stamp: known.stamp,
      variables: known.variables,
      cached: known,
      file: assetOf(known, options),
    }
  }
  const text = readAsset(root, path)
  const settled = stamp !== undefined && isSettled(stamp, readAtMs) ? stamp.text : ''
  if (known?.textHash === hash(text)) {
    const file = assetOf(known, options, text)
    return { path, stamp: settled, variables: known.variables, cached: known, file }
  }
  read.set(path, text)
  options.onNew?.(text)
  return { path, stamp: settled, variables: variablesIn(text), cached: undefined, file: { path, text } }
}

function assetOf(
  cached: CachedFile,
  { root, engine, hash, onChanged }: CachedFilesOptions,
  text?: string,
): Asset {
  const { path, textHash, facts, sql } = cached
  return storedAsset({
    path,
    textHash,
    facts,
    sql,
    read() {
      const now = text ?? (onChanged === undefined ? readAsset(root, path) : readOrNothing(root, path))
      if (now === text || hash(now) === textHash) return now
      if (onChanged === undefined)
        throw new FileFailure(`${path} changed while it was being read`, 'Run the command again.')
      onChanged(path)
      return now
    },
    parse: now => parseAsset(path, now, engine, hash),
  })
}

function readOrNothing(root: string, path: string): string {
  try {
    return readAsset(root, path)
  } catch {
    return ''
  }
}

/** What is known of it now is in the cache already, or is not to be kept. */
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
    isSameList(known.clean.restsOn(path), cache.clean.restsOn(path))
  )
}

/** What is known by name is known of the first of several namesakes only. */
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
  let text: string | undefined
  const facts = (): string => {
    text ??= factsText(asset, cached, project.engine)
    return text
  }
  return {
    path,
    name,
    textHash,
    stamp,
    variables,
    analysis,
    cleanBy: analysis === undefined ? undefined : known.clean.restsOn(path),
    record,
    facts,
    sql: () => cached?.sql() ?? sqlText(asset, facts()),
  }
}

/** Of a file that holds a secret nothing is kept: the secret may stand in its SQL. Half a character has no bytes. */
function sqlText(asset: Asset, facts: string): string {
  const text = asset.sql?.text ?? ''
  return facts === '' || /\p{Surrogate}/u.test(text) ? '' : text
}

/** Empty for a file that holds a secret. Of one with wrong bytes, the text is not all that there is to say. */
function factsText(asset: Asset, cached: CachedFile | undefined, engine: Engine): string {
  if (cached === undefined && asset.text.includes('\ufffd')) return ''
  if (cached !== undefined && !hasNewFacts(asset)) return cached.factsText()
  const facts = factsOf(asset, engine)
  return facts === undefined ? '' : JSON.stringify(facts)
}
