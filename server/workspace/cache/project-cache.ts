/**
 * Stores in `.svc/cache/` what the last command found out about the files of a project, so that this one need
 * not repeat it: facts of each file, the analysis of each asset, the look at each local source. Deleting it
 * only slows the next command. It stores no secrets: a file with one is read each time.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogMemory, KeptAnalysis } from '../../catalog/index.ts'
import { type AssetFacts, type Engine, groupBy, once, usualEngine } from '../../language/index.ts'
import { type RecordFile, readRecordFile, writeRecordFile } from './record-file.ts'
import type { KeptLooks } from './source-looks.ts'

/** Raised when the stored data or its format changes. */
const format = 7

export interface CachedFile {
  readonly path: string
  readonly textHash: string
  /** See `Asset.readWith`; '' if nothing. */
  readonly readWith: string
  /** '' if the file must be read to see whether it has changed. */
  readonly stamp: string
  /** The environment variables that the text mentions. */
  readonly variables: readonly string[]
  readonly facts: () => AssetFacts
  readonly factsText: () => string
  /** Returns the text of the transform's SQL, or '' if it was not stored. */
  readonly sql: () => string
  /** Returns the stored record, to be written again unchanged. */
  readonly record: () => KeptRecord
}

export interface KeptRecord {
  readonly bytes: Uint8Array
  /** The length of each part. */
  readonly lengths: readonly number[]
}

export interface ProjectCache {
  /** Returns whether the file existed, even if nothing is known of it. */
  has(path: string): boolean
  /**
   * The changes since the large file, which is not rewritten each time: its checksum, and the changed paths.
   */
  readonly base: number | undefined
  readonly changes: ReadonlySet<string>
  /** Returns undefined if nothing is known of a file with this path. */
  file(path: string): CachedFile | undefined
  readonly size: number
  readonly memory: CatalogMemory
  /** Returns the analysis stored for a file, which is one of those in `memory`. */
  analysisOf(path: string): KeptAnalysis | undefined
  readonly clean: KeptClean
  readonly looks: KeptLooks
}

/** The files without problems, and what that depends on. */
export interface KeptClean {
  /** The hash of everything it depends on besides the files and the named assets; '' if nothing is known. */
  readonly sharedHash: string
  /** Returns the names of other assets; undefined if the file is not known to be clean. */
  dependenciesOf(path: string): readonly string[] | undefined
}

/** The stored data of one file, or of one metric of the glossary. */
export interface CacheEntry
  extends Pick<CachedFile, 'path' | 'textHash' | 'readWith' | 'stamp' | 'variables' | 'sql'> {
  readonly name: string
  /** Returns JSON, or '' for a file that must be read and parsed each time. */
  readonly facts: () => string
  readonly analysis: KeptAnalysis | undefined
  /** See `KeptClean.dependenciesOf`. */
  readonly cleanBy: readonly string[] | undefined
  /** The stored record, if facts and analysis are unchanged. */
  readonly record: KeptRecord | undefined
}

export interface CacheContent {
  /** The entries of all files, or only of those that differ from the base `onto`. */
  readonly entries: readonly CacheEntry[]
  readonly onto: number | undefined
  /** The signature of the variables that SQL may use. */
  readonly vars: string
  /** See `KeptClean.sharedHash`. */
  readonly sharedHash: string
  readonly looks: KeptLooks
}

/** The index has one list per property, which is much smaller and faster to read than a list of objects. */
interface Index {
  readonly vars: string
  readonly sharedHash: string
  readonly looks: KeptLooks
  readonly paths: readonly string[]
  readonly names: readonly string[]
  readonly hashes: readonly string[]
  readonly stamps: readonly string[]
  /** The positions of the files by what they were read with, which most of a folder share. */
  readonly readWith: Readonly<Record<string, readonly number[]>>
  /** Variables by the position of the file. */
  readonly variables: Readonly<Record<number, readonly string[]>>
  /** The lengths in bytes of facts, outside signature, head, lineage, uses and SQL of each file. */
  readonly lengths: readonly number[]
  /** A letter per file for the validity of its analysis, `-` if there is none. */
  readonly holds: string
  /** A letter per file: no problems (`c`), no problems depending on other assets (`o`), or neither (`-`). */
  readonly clean: string
  /** The other assets by the position of the file. */
  readonly cleanBy: Readonly<Record<number, readonly string[]>>
}

const parts = 6
const holdsLetters = { always: 'a', 'unless-others-change': 'o', never: 'n' } as const
const holdsWords: Readonly<Record<string, KeptAnalysis['holds']>> = {
  a: 'always',
  o: 'unless-others-change',
  n: 'never',
}

const keyOf = (program: string, engine: Engine): string => `svc cache ${format}, ${program}, ${engine.kind}`

/**
 * Changes since the large file was written are in a small one beside it, so that one edit does not rewrite
 * everything.
 */
const changesOf = (path: string): string => `${path}.changes`
const keyOfChanges = (key: string, base: number): string => `${key}, changes of ${base}`

/** Returns the folder of the caches of a project. */
export function cacheFolder(root: string): string {
  return join(root, '.svc', 'cache')
}

/** Returns the path of the cache: each engine has one, because commands take turns between environments of several. */
export function projectCachePath(root: string, engine: Engine): string {
  return join(cacheFolder(root), engine === usualEngine ? 'project' : `project-${engine.kind}`)
}

/**
 * Reads the cache. `program` identifies the program version and everything else that affects results, except
 * the project's engine.
 */
export function readProjectCache(path: string, program: string, engine: Engine): ProjectCache {
  const key = keyOf(program, engine)
  const file = readRecordFile(path, key)
  if (file === undefined) return emptyCache
  const changes = readRecordFile(changesOf(path), keyOfChanges(key, file.checksum))
  return changes === undefined ? cacheOf(file) : withChanges(cacheOf(file), cacheOf(changes))
}

export const emptyCache: ProjectCache = {
  has: () => false,
  base: undefined,
  changes: new Set(),
  file: () => undefined,
  analysisOf: () => undefined,
  size: 0,
  clean: { sharedHash: '', dependenciesOf: () => undefined },
  memory: { vars: '', entries: new Map() },
  looks: [],
}

/** Combines the caches. `changes` has some files of `base`, and everything else anew. */
function withChanges(base: ProjectCache, changes: CacheOfFile): ProjectCache {
  const of = (path: string): ProjectCache => (changes.has(path) ? changes : base)
  const entries = once(() => changedEntries(base, changes))
  return {
    has: base.has,
    base: base.base,
    changes: new Set(changes.paths),
    size: base.size,
    looks: changes.looks,
    file: path => of(path).file(path),
    analysisOf: path => of(path).analysisOf(path),
    clean: {
      sharedHash: changes.clean.sharedHash,
      dependenciesOf: path => of(path).clean.dependenciesOf(path),
    },
    memory: {
      vars: changes.memory.vars,
      get entries() {
        return entries()
      },
    },
  }
}

function changedEntries(base: ProjectCache, changes: CacheOfFile): ReadonlyMap<string, KeptAnalysis> {
  const entries = new Map(base.memory.entries)
  for (const [name, { path }] of base.memory.entries) if (changes.has(path)) entries.delete(name)
  for (const [name, entry] of changes.memory.entries) entries.set(name, entry)
  return entries
}

interface CacheOfFile extends ProjectCache {
  readonly paths: readonly string[]
}

function cacheOf({ index: parsed, body, checksum }: RecordFile): CacheOfFile {
  const index = parsed as Index
  const starts = startsOf(index.lengths)
  const textOf = (record: number, part: number): string =>
    body.toString('utf8', starts[record * parts + part], starts[record * parts + part + 1])
  const recordOf = (record: number): KeptRecord => ({
    bytes: body.subarray(starts[record * parts], starts[(record + 1) * parts]),
    lengths: index.lengths.slice(record * parts, (record + 1) * parts),
  })
  const byPath = new Map(index.paths.map((path, record) => [path, record]))
  const readWith = readWithByRecord(index)
  const entries = once(() => keptEntries(index, textOf, readWith))
  return {
    paths: index.paths,
    has: path => byPath.has(path),
    base: checksum,
    changes: new Set(),
    size: index.paths.length,
    looks: index.looks,
    file(path) {
      const record = byPath.get(path)
      const isKnown = record !== undefined && index.lengths[record * parts] !== 0
      if (!isKnown) return undefined
      return cachedFile(index, record, readWith.get(record) ?? '', textOf, recordOf)
    },
    analysisOf(path) {
      const record = byPath.get(path)
      const analysis = record === undefined ? undefined : entries().get(index.names[record] ?? '')
      return analysis?.path === path ? analysis : undefined
    },
    clean: {
      sharedHash: index.sharedHash,
      dependenciesOf(path) {
        const record = byPath.get(path)
        return record === undefined ? undefined : cleanBy(index, record)
      },
    },
    memory: {
      vars: index.vars,
      get entries() {
        return entries()
      },
    },
  }
}

const noNames: readonly string[] = []

function cleanBy({ clean, cleanBy }: Index, record: number): readonly string[] | undefined {
  return clean[record] === 'c' ? noNames : cleanBy[record]
}

/** Returns the start of each text, and the end of the last one. */
function startsOf(lengths: readonly number[]): Float64Array {
  const starts = new Float64Array(lengths.length + 1)
  for (let index = 0; index < lengths.length; index++) {
    starts[index + 1] = (starts[index] ?? 0) + (lengths[index] ?? 0)
  }
  return starts
}

type TextOf = (record: number, part: number) => string

function cachedFile(
  index: Index,
  record: number,
  readWith: string,
  textOf: TextOf,
  recordOf: (record: number) => KeptRecord,
): CachedFile {
  return {
    path: index.paths[record] ?? '',
    textHash: index.hashes[record] ?? '',
    stamp: index.stamps[record] ?? '',
    variables: index.variables[record] ?? [],
    factsText: () => textOf(record, 0),
    facts: () => JSON.parse(textOf(record, 0)) as AssetFacts,
    sql: () => textOf(record, 5),
    readWith,
    record: () => recordOf(record),
  }
}

function readWithByRecord({ readWith }: Index): ReadonlyMap<number, string> {
  return new Map(
    Object.entries(readWith).flatMap(([key, records]) => records.map(record => [record, key] as const)),
  )
}

function keptEntries(
  index: Index,
  textOf: TextOf,
  readWith: ReadonlyMap<number, string>,
): Map<string, KeptAnalysis> {
  const entries = new Map<string, KeptAnalysis>()
  for (let record = 0; record < index.paths.length; record++) {
    const holds = holdsWords[index.holds[record] ?? '']
    if (holds === undefined) continue
    entries.set(index.names[record] ?? '', {
      path: index.paths[record] ?? '',
      textHash: index.hashes[record] ?? '',
      readWith: readWith.get(record) ?? '',
      holds,
      get outside() {
        return textOf(record, 1)
      },
      get head() {
        return textOf(record, 2)
      },
      get lineage() {
        return textOf(record, 3)
      },
      get uses() {
        return textOf(record, 4)
      },
    })
  }
  return entries
}

/** Writes the cache. Throws the error of the file system. */
export function writeProjectCache(
  path: string,
  program: string,
  engine: Engine,
  content: CacheContent,
): void {
  const key = keyOf(program, engine)
  const { entries, vars, sharedHash, looks, onto } = content
  const body: Uint8Array[] = []
  const lengths: number[] = []
  const add = (text: string | undefined): void => {
    const bytes = text === undefined || text === '' ? undefined : Buffer.from(text)
    lengths.push(bytes?.length ?? 0)
    if (bytes !== undefined) body.push(bytes)
  }
  for (const { facts, sql, analysis, record } of entries) {
    if (record === undefined) {
      const { outside, head, lineage, uses } = analysis ?? {}
      for (const text of [facts(), outside, head, lineage, uses, sql()]) add(text)
    } else {
      body.push(record.bytes)
      lengths.push(...record.lengths)
    }
  }
  const index: Index = {
    vars,
    sharedHash,
    looks,
    paths: entries.map(entry => entry.path),
    names: entries.map(entry => entry.name),
    hashes: entries.map(entry => entry.textHash),
    stamps: entries.map(entry => entry.stamp),
    readWith: recordsByReadWith(entries),
    variables: namesByRecord(entries.map(entry => entry.variables)),
    lengths,
    holds: entries
      .map(({ analysis }) => (analysis === undefined ? '-' : holdsLetters[analysis.holds]))
      .join(''),
    clean: entries
      .map(entry => (entry.cleanBy === undefined ? '-' : entry.cleanBy.length === 0 ? 'c' : 'o'))
      .join(''),
    cleanBy: namesByRecord(entries.map(entry => entry.cleanBy ?? noNames)),
  }
  if (onto === undefined) {
    writeRecordFile(path, key, index, body)
    rmSync(changesOf(path), { force: true })
  } else writeRecordFile(changesOf(path), keyOfChanges(key, onto), index, body)
}

function recordsByReadWith(entries: readonly CacheEntry[]): Record<string, readonly number[]> {
  const records = groupBy(entries.keys(), record => entries[record]?.readWith ?? '')
  records.delete('')
  return Object.fromEntries(records)
}

/** Returns a sparse map, since few files have any. */
function namesByRecord(lists: readonly (readonly string[])[]): Record<number, readonly string[]> {
  return Object.fromEntries(lists.flatMap((names, record) => (names.length === 0 ? [] : [[record, names]])))
}
