/** Makes snapshots of a project. What is derived is worked out at first use and shared by snapshots that agree on it. */
import { emptyGlossary, type Glossary } from '../glossary/glossary.ts'
import { noteChange } from './asset-changes.ts'
import { shareNames } from './asset-names.ts'
import { adopt } from './family.ts'
import { buildGraph, type Graph, namesRead, rewiredGraph } from './graph.ts'
import { parseAsset } from './parse-asset.ts'
import type { Asset, Hash, Project, Settings } from './project.ts'

export interface ProjectFile {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string
  readonly text: string
}

export function createProject(input: {
  readonly settings: Settings
  /** Assets as they are (`storedAsset`), texts to be parsed. */
  readonly files: Iterable<ProjectFile | Asset>
  readonly hash: Hash
  readonly glossary?: Glossary
}): Project {
  const parsed = [...input.files].map(file =>
    'definition' in file ? file : parseAsset(file.path, file.text, input.hash),
  )
  parsed.sort(byPath)
  const about = { settings: input.settings, glossary: input.glossary ?? emptyGlossary }
  return snapshot(about, new Map(parsed.map(asset => [asset.path, asset])), input.hash, {})
}

function byPath(a: Asset, b: Asset): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

/** Worked out at first use. A snapshot that differs in nothing that they rest on takes them over. */
interface Derived {
  byName?: ReadonlyMap<string, Asset>
  graph?: Graph
}

/** What is not an asset. */
interface About {
  readonly settings: Settings
  readonly glossary: Glossary
}

function snapshot(about: About, assets: ReadonlyMap<string, Asset>, hash: Hash, derived: Derived): Project {
  const byName = () => {
    derived.byName ??= namesOf(assets)
    return derived.byName
  }
  const graph = () => {
    derived.graph ??= buildGraph(byName())
    return derived.graph
  }
  const project: Project = {
    ...about,
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
      const after = text === undefined ? undefined : parseAsset(path, text, hash)
      const next = withFile(assets, path, after)
      const child = snapshot(about, next, hash, carriedOver(derived, next, before, after))
      return noteChange(project, adopt(project, child), { before, after })
    },
    withSettings: settings => adopt(project, snapshot({ ...about, settings }, assets, hash, derived)),
    withGlossary: glossary => adopt(project, snapshot({ ...about, glossary }, assets, hash, derived)),
  }
  return project
}

/** First of each name in path order; disabled assets are not in the project. */
function namesOf(assets: ReadonlyMap<string, Asset>): ReadonlyMap<string, Asset> {
  const names = new Map<string, Asset>()
  for (const asset of assets.values()) {
    if (asset.definition.deploy.enabled && !names.has(asset.name)) names.set(asset.name, asset)
  }
  return names
}

function carriedOver(
  derived: Derived,
  assets: ReadonlyMap<string, Asset>,
  before: Asset | undefined,
  after: Asset | undefined,
): Derived {
  if (derived.byName === undefined) return {}
  const known = derived.byName
  const isSameName =
    before?.name === after?.name && before?.definition.deploy.enabled === after?.definition.deploy.enabled
  const byName = isSameName ? withNamesake(known, before, after) : namesOf(assets)
  const changed = [...new Set([before?.name ?? '', after?.name ?? ''])].filter(
    name => known.get(name) !== byName.get(name),
  )
  if (changed.every(name => known.has(name) === byName.has(name))) shareNames(known, byName)
  if (derived.graph === undefined) return { byName }
  const isSameGraph = changed.every(name => readsTheSame(known.get(name), byName.get(name)))
  return { byName, graph: isSameGraph ? derived.graph : rewiredGraph(derived.graph, known, byName, changed) }
}

/** A duplicate of an earlier file is nobody's first. */
function withNamesake(
  byName: ReadonlyMap<string, Asset>,
  before: Asset | undefined,
  after: Asset | undefined,
): ReadonlyMap<string, Asset> {
  const isFirst = before !== undefined && byName.get(before.name) === before
  return isFirst && after !== undefined ? new Map(byName).set(after.name, after) : byName
}

function readsTheSame(a: Asset | undefined, b: Asset | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const [before, after] = [namesRead(a), namesRead(b)]
  return before.length === after.length && before.every((name, index) => name === after[index])
}

/** `asset` undefined takes the file away. */
function withFile(
  assets: ReadonlyMap<string, Asset>,
  path: string,
  asset: Asset | undefined,
): ReadonlyMap<string, Asset> {
  if (asset === undefined) {
    const rest = new Map(assets)
    rest.delete(path)
    return rest
  }
  return assets.has(path) ? new Map(assets).set(path, asset) : inserted(assets, asset)
}

function inserted(assets: ReadonlyMap<string, Asset>, asset: Asset): ReadonlyMap<string, Asset> {
  const result = new Map<string, Asset>()
  let isIn = false
  for (const [path, each] of assets) {
    if (!isIn && asset.path < path) {
      result.set(asset.path, asset)
      isIn = true
    }
    result.set(path, each)
  }
  return isIn ? result : result.set(asset.path, asset)
}
