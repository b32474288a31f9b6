/** Makes snapshots of a project. What is derived is worked out at first use and shared by snapshots that agree on it. */
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
}): Project {
  const parsed = [...input.files].map(file =>
    'definition' in file ? file : parseAsset(file.path, file.text, input.hash),
  )
  parsed.sort(byPath)
  return snapshot(input.settings, new Map(parsed.map(asset => [asset.path, asset])), input.hash, {})
}

function byPath(a: Asset, b: Asset): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

/** Worked out at first use. A snapshot that differs in nothing that they rest on takes them over. */
interface Derived {
  byName?: ReadonlyMap<string, Asset>
  graph?: Graph
}

function snapshot(
  settings: Settings,
  assets: ReadonlyMap<string, Asset>,
  hash: Hash,
  derived: Derived,
): Project {
  const byName = () => {
    derived.byName ??= namesOf(assets)
    return derived.byName
  }
  const graph = () => {
    derived.graph ??= buildGraph(byName())
    return derived.graph
  }
  return {
    settings,
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
      if (before?.text === text) return this
      if (text === undefined) return snapshot(settings, without(assets, path), hash, {})
      const after = parseAsset(path, text, hash)
      if (before === undefined) return snapshot(settings, inserted(assets, after), hash, {})
      return snapshot(settings, new Map(assets).set(path, after), hash, carriedOver(derived, before, after))
    },
    withSettings: changed => snapshot(changed, assets, hash, derived),
  }
}

/** First of each name in path order; disabled assets are not in the project. */
function namesOf(assets: ReadonlyMap<string, Asset>): ReadonlyMap<string, Asset> {
  const names = new Map<string, Asset>()
  for (const asset of assets.values()) {
    if (asset.definition.deploy.enabled && !names.has(asset.name)) names.set(asset.name, asset)
  }
  return names
}

function carriedOver(derived: Derived, before: Asset, after: Asset): Derived {
  const sameName =
    before.name === after.name && before.definition.deploy.enabled === after.definition.deploy.enabled
  if (!sameName || derived.byName === undefined) return {}
  // A duplicate of an earlier file is nobody's first.
  const isFirst = derived.byName.get(before.name) === before
  const byName = isFirst ? new Map(derived.byName).set(after.name, after) : derived.byName
  if (derived.graph === undefined) return { byName }
  const sameEdges = !isFirst || sameNames(namesRead(before), namesRead(after))
  return { byName, graph: sameEdges ? derived.graph : rewiredGraph(derived.graph, byName, after.name) }
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

function without(assets: ReadonlyMap<string, Asset>, path: string): ReadonlyMap<string, Asset> {
  const rest = new Map(assets)
  rest.delete(path)
  return rest
}

function inserted(assets: ReadonlyMap<string, Asset>, asset: Asset): ReadonlyMap<string, Asset> {
  return new Map([...assets.values(), asset].sort(byPath).map(each => [each.path, each]))
}
