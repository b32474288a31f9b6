/**
 * Makes snapshots of a project. Derived data is computed on demand and shared by snapshots that agree on it.
 */

import type { Engine } from '../engines/engine.ts'
import { emptyGlossary, type Glossary } from '../glossary/glossary.ts'
import { createMacros, noMacros } from '../macros/create-macros.ts'
import { asWritten, expandAsset, macroCalls } from '../macros/expand-asset.ts'
import type { Macros } from '../macros/macro.ts'
import { compareTexts } from '../text/compare.ts'
import { type AssetChange, isRenamed, noteChanges } from './asset-changes.ts'
import { shareNames } from './asset-names.ts'
import { adopt } from './family.ts'
import type { AssetSettings } from './folder-defaults.ts'
import { buildGraph, type Graph, namesRead, rewiredGraph } from './graph.ts'
import { parseAsset } from './parse-asset.ts'
import { patched } from './patched-map.ts'
import type { Asset, Hash, Project, Settings } from './project.ts'
import { isReadAs, readWithOf } from './read-with.ts'

export interface ProjectFile {
  /** The path relative to the project's root, with forward slashes. */
  readonly path: string
  readonly text: string
}

export function createProject(input: {
  readonly settings: Settings
  /** Assets that are parsed already (`storedAsset`), and texts to be parsed. */
  readonly files: Iterable<ProjectFile | Asset>
  readonly hash: Hash
  readonly glossary?: Glossary
  readonly macros?: Macros
}): Project {
  const { settings, hash, glossary = emptyGlossary, macros = noMacros } = input
  const about = { settings, glossary, macros, hash }
  const parsed = [...input.files].map(file =>
    'definition' in file
      ? expandedIn(about, upToDate(asWritten(file), settings, hash))
      : parsedIn(about, file.path, file.text),
  )
  parsed.sort(byPath)
  return snapshot(about, new Map(parsed.map(asset => [asset.path, asset])), {})
}

/** Parses an asset again that was read with other defaults or tests. */
function upToDate(asset: Asset, settings: AssetSettings, hash: Hash): Asset {
  return isReadAs(asset.path, readWithOf(asset), settings)
    ? asset
    : parseAsset(asset.path, asset.text, settings, hash)
}

function byPath(a: Asset, b: Asset): number {
  return compareTexts(a.path, b.path)
}

/** Data that is computed on demand. A snapshot takes it over from another one if its inputs are the same. */
interface Derived {
  names?: Names
  graph?: Graph
}

interface Names {
  /** The first asset of each name in path order; disabled assets are left out. */
  readonly byName: ReadonlyMap<string, Asset>
  /** True if two enabled assets have the same name. */
  readonly hasNamesakes: boolean
}

/** What a project is made with besides its assets. */
interface About {
  readonly settings: Settings
  readonly glossary: Glossary
  readonly macros: Macros
  readonly hash: Hash
}

function parsedIn(about: About, path: string, text: string): Asset {
  return expandedIn(about, parseAsset(path, text, about.settings, about.hash))
}

function expandedIn({ settings, macros, hash }: About, written: Asset): Asset {
  return expandAsset(written, macros, settings, hash)
}

function snapshot(about: About, assets: ReadonlyMap<string, Asset>, derived: Derived): Project {
  const byName = () => {
    derived.names ??= namesOf(assets)
    return derived.names.byName
  }
  const graph = () => {
    derived.graph ??= buildGraph(byName())
    return derived.graph
  }
  const { settings, glossary, macros } = about
  const moved = (beside: About, next: typeof assets, kept: Derived, changes: readonly AssetChange[]) =>
    noteChanges(project, adopt(project, snapshot(beside, next, kept)), changes)
  const project: Project = {
    settings,
    glossary,
    macros,
    engine: settings.engine,
    assets,
    get byName() {
      return byName()
    },
    parents: name => graph().parents(name),
    children: name => graph().children(name),
    get order() {
      return graph().order
    },
    get cycles() {
      return graph().cycles
    },
    with(path, text) {
      const before = assets.get(path)
      if (before?.text === text) return project
      const after = text === undefined ? undefined : parsedIn(about, path, text)
      const next = withFile(assets, path, after)
      return moved(about, next, carriedOver(derived, next, before, after), [{ before, after }])
    },
    withFiles(texts) {
      const changes = changesOf(assets, texts, about)
      if (changes.length === 0) return project
      const next = withChanges(assets, changes)
      return moved(about, next, derivedAfter(derived, next, changes), changes)
    },
    withSettings(next) {
      const beside = { ...about, settings: next, macros: macrosFor(macros, next.engine, settings.engine) }
      const changes = changesBySettings(assets, settings, beside)
      const changed = changes.length === 0 ? assets : withChanges(assets, changes)
      const kept = changes.length === 0 ? derived : derivedAfter(derived, changed, changes)
      return moved(beside, changed, kept, changes)
    },
    withGlossary: next => adopt(project, snapshot({ ...about, glossary: next }, assets, derived)),
    withMacros(other) {
      if (other === macros) return project
      const beside = { ...about, macros: other }
      const changes = expandedAnew(assets, beside)
      const next = changes.length === 0 ? assets : withChanges(assets, changes)
      return moved(beside, next, derivedAfter(derived, next, changes), changes)
    },
  }
  return project
}

function macrosFor(macros: Macros, engine: Engine, before: Engine): Macros {
  if (engine === before) return macros
  return createMacros(new Map(Array.from(macros.files, ([path, { text }]) => [path, text])), engine)
}

/** Expands the macros of assets again, and returns those in which this made a difference. */
function expandedAnew(assets: ReadonlyMap<string, Asset>, about: About): readonly AssetChange[] {
  const changes: AssetChange[] = []
  for (const before of assets.values()) {
    if (before.written === undefined && macroCalls(before).length === 0) continue
    const after = expandedIn(about, asWritten(before))
    if (after.macroHash !== before.macroHash) changes.push({ before, after })
  }
  return changes
}

/**
 * Parses the assets again that other settings say something else of: all for another engine, which may read strings and
 * comments differently, and those that inherit other values, use other tests, or have macros that may unfold to more or less.
 */
function changesBySettings(
  assets: ReadonlyMap<string, Asset>,
  { engine, defaults, ownTests, limits }: Settings,
  about: About,
): readonly AssetChange[] {
  const next = about.settings
  const isSame = next.engine === engine
  const hasSameDefaults = next.defaults.length === 0 && defaults.length === 0
  const isAsLong = next.limits.sql.characters === limits.sql.characters
  if (isSame && hasSameDefaults && isAsLong && next.ownTests === ownTests) return []
  return [...assets.values()].flatMap(before => {
    const isExpandedAs = isAsLong || before.written === undefined
    if (isSame && isExpandedAs && isReadAs(before.path, readWithOf(before), next)) return []
    return [{ before, after: parsedIn(about, before.path, before.text) }]
  })
}

function namesOf(assets: ReadonlyMap<string, Asset>): Names {
  const byName = new Map<string, Asset>()
  let hasNamesakes = false
  for (const asset of assets.values()) {
    if (!asset.definition.deploy.enabled) continue
    if (byName.has(asset.name)) hasNamesakes = true
    else byName.set(asset.name, asset)
  }
  return { byName, hasNamesakes }
}

function carriedOver(
  derived: Derived,
  assets: ReadonlyMap<string, Asset>,
  before: Asset | undefined,
  after: Asset | undefined,
): Derived {
  if (derived.names === undefined) return {}
  const { byName: known } = derived.names
  const names = namesAfter(derived.names, assets, before, after)
  const { byName } = names
  const changed = [...new Set([before?.name ?? '', after?.name ?? ''])].filter(
    name => known.get(name) !== byName.get(name),
  )
  if (changed.every(name => known.has(name) === byName.has(name))) shareNames(known, byName)
  if (derived.graph === undefined) return { names }
  const isSameGraph = changed.every(name => readsTheSame(known.get(name), byName.get(name)))
  const graph = isSameGraph ? derived.graph : rewiredGraph(derived.graph, known, byName, changed)
  return { names, graph }
}

function namesAfter(
  { byName, hasNamesakes }: Names,
  assets: ReadonlyMap<string, Asset>,
  before: Asset | undefined,
  after: Asset | undefined,
): Names {
  const [old, now] = [before, after].map(asset => (asset?.definition.deploy.enabled ? asset : undefined))
  if (old === undefined && now === undefined) return { byName, hasNamesakes }
  if (old?.name === now?.name && old !== undefined) {
    // A duplicate of an earlier file is not in the map.
    return { byName: byName.get(old.name) === old ? patched(byName, old.name, now) : byName, hasNamesakes }
  }
  if (hasNamesakes || (now !== undefined && byName.has(now.name))) return namesOf(assets)
  if (now === undefined) return { byName: patched(byName, old?.name ?? '', undefined), hasNamesakes }
  return { byName: inPathOrder(byName, now.name, now, old), hasNamesakes }
}

/** Adds `asset` under `key` in path order and removes `old`. */
function inPathOrder(
  assets: ReadonlyMap<string, Asset>,
  key: string,
  asset: Asset,
  old?: Asset,
): ReadonlyMap<string, Asset> {
  const result = new Map<string, Asset>()
  let isIn = false
  for (const [name, each] of assets) {
    if (!isIn && asset.path <= each.path) {
      result.set(key, asset)
      isIn = true
    }
    if (each !== old) result.set(name, each)
  }
  return isIn ? result : result.set(key, asset)
}

// ---------------------------------------------------------------- many files at once

function changesOf(
  assets: ReadonlyMap<string, Asset>,
  texts: ReadonlyMap<string, string | undefined>,
  about: About,
): readonly AssetChange[] {
  const changes: AssetChange[] = []
  for (const [path, text] of texts) {
    const before = assets.get(path)
    // For a file restored from the cache the hash is compared, because its text is not in memory.
    if (text === undefined ? before === undefined : before?.textHash === about.hash(text)) continue
    changes.push({ before, after: text === undefined ? undefined : parsedIn(about, path, text) })
  }
  return changes
}

function withChanges(
  assets: ReadonlyMap<string, Asset>,
  changes: readonly AssetChange[],
): ReadonlyMap<string, Asset> {
  const result = new Map(assets)
  let hasNewFiles = false
  for (const { before, after } of changes) {
    hasNewFiles ||= before === undefined
    if (after !== undefined) result.set(after.path, after)
    else if (before !== undefined) result.delete(before.path)
  }
  if (!hasNewFiles) return result
  return new Map([...result.values()].sort(byPath).map(asset => [asset.path, asset]))
}

/** Updates derived data. The graph is kept if every changed file reads the same assets as before. */
function derivedAfter(
  derived: Derived,
  assets: ReadonlyMap<string, Asset>,
  changes: readonly AssetChange[],
): Derived {
  if (derived.names === undefined) return {}
  const names = namesOf(assets)
  const { byName: known } = derived.names
  if (changes.some(isRenamed)) return { names }
  shareNames(known, names.byName)
  const isRewired = changes.some(({ before, after }) => !readsTheSame(before, after))
  return derived.graph === undefined || isRewired ? { names } : { names, graph: derived.graph }
}

function readsTheSame(a: Asset | undefined, b: Asset | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const [before, after] = [namesRead(a), namesRead(b)]
  return before.length === after.length && before.every((name, index) => name === after[index])
}

/** Sets the file, or removes it if `asset` is undefined. */
function withFile(
  assets: ReadonlyMap<string, Asset>,
  path: string,
  asset: Asset | undefined,
): ReadonlyMap<string, Asset> {
  return asset === undefined || assets.has(path)
    ? patched(assets, path, asset)
    : inPathOrder(assets, path, asset)
}
