/** Facts about a whole snapshot that several checks ask for; each is computed once, when first asked for. */
import type { Asset, Project } from '../project/project.ts'
import type { Exposure } from '../schema/definition.ts'

export interface ExposureMention {
  readonly asset: Asset
  readonly exposure: Exposure
  /** Position in the asset's `exposures` list. */
  readonly index: number
}

export interface ProjectFacts {
  /** Enabled assets by name in lower case, in path order: warehouses do not tell the cases apart. */
  readonly namesakes: ReadonlyMap<string, readonly Asset[]>
  /** Disabled assets whose name no enabled asset has. */
  readonly disabled: ReadonlyMap<string, Asset>
  /** Names that the tests of other assets read. */
  readonly readByTests: ReadonlySet<string>
  /** The first cycle that a name is on, as its path: the first name is repeated at the end. */
  readonly cycleOf: ReadonlyMap<string, readonly string[]>
  /** Mentions of an exposure by name: one exposure may read several assets. */
  readonly exposures: ReadonlyMap<string, readonly ExposureMention[]>
}

const factsOf = new WeakMap<Project, ProjectFacts>()

export function projectFacts(project: Project): ProjectFacts {
  const known = factsOf.get(project)
  if (known !== undefined) return known
  const facts: ProjectFacts = {
    get namesakes() {
      return keep(this, 'namesakes', findNamesakes(project))
    },
    get disabled() {
      return keep(this, 'disabled', findDisabled(project))
    },
    get readByTests() {
      return keep(this, 'readByTests', findReadByTests(project))
    },
    get cycleOf() {
      return keep(this, 'cycleOf', findCycles(project))
    },
    get exposures() {
      return keep(this, 'exposures', findExposures(project))
    },
  }
  factsOf.set(project, facts)
  return facts
}

/** Replaces a getter by its result. */
function keep<K extends keyof ProjectFacts>(
  facts: ProjectFacts,
  key: K,
  value: ProjectFacts[K],
): ProjectFacts[K] {
  Object.defineProperty(facts, key, { value })
  return value
}

function findNamesakes(project: Project): Map<string, Asset[]> {
  const enabled = [...project.assets.values()].filter(asset => asset.definition.deploy.enabled)
  return groupBy(enabled, asset => asset.name.toLowerCase())
}

function findDisabled(project: Project): Map<string, Asset> {
  const disabled = new Map<string, Asset>()
  for (const asset of project.assets.values()) {
    if (asset.definition.deploy.enabled || project.byName.has(asset.name)) continue
    if (!disabled.has(asset.name)) disabled.set(asset.name, asset)
  }
  return disabled
}

function findReadByTests(project: Project): Set<string> {
  const names = new Set<string>()
  for (const asset of project.byName.values()) {
    for (const ref of asset.refs) if (ref.from === 'test' && ref.name !== asset.name) names.add(ref.name)
  }
  return names
}

function findCycles(project: Project): Map<string, readonly string[]> {
  const cycleOf = new Map<string, readonly string[]>()
  for (const cycle of project.cycles) {
    for (const name of cycle) if (!cycleOf.has(name)) cycleOf.set(name, cycle)
  }
  return cycleOf
}

function findExposures(project: Project): Map<string, ExposureMention[]> {
  const mentions = [...project.assets.values()].flatMap(asset =>
    asset.definition.exposures.map((exposure, index) => ({ asset, exposure, index })),
  )
  return groupBy(mentions, mention => mention.exposure.name)
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group === undefined) groups.set(key(item), [item])
    else group.push(item)
  }
  return groups
}
