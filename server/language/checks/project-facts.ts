/** Facts about a whole snapshot that several checks ask for; each is computed once, when first asked for. */
import type { AssetChange } from '../project/asset-changes.ts'
import type { Asset, Project } from '../project/project.ts'
import type { Exposure } from '../schema/definition.ts'

export interface ExposureMention {
  readonly asset: Asset
  readonly exposure: Exposure
  /** Position in the asset's `exposures` list. */
  readonly index: number
}

export interface ProjectFacts {
  /** Path of the first enabled asset of each name, in lower case: warehouses do not tell the cases apart. */
  readonly firstNamed: ReadonlyMap<string, string>
  /** Paths of disabled assets whose name no enabled asset has. */
  readonly disabled: ReadonlyMap<string, string>
  /** Names that the tests of other assets read. */
  readonly readByTests: ReadonlySet<string>
  /** The first cycle that a name is on, as its path: the first name is repeated at the end. */
  readonly cycleOf: ReadonlyMap<string, readonly string[]>
  /** Mentions of an exposure by name: one exposure may read several assets. */
  readonly exposures: ReadonlyMap<string, readonly ExposureMention[]>
}

type Known = { [K in keyof ProjectFacts]?: ProjectFacts[K] | undefined }

export function projectFacts(project: Project, known: Known = {}): ProjectFacts {
  const found = { ...known }
  return {
    get firstNamed() {
      found.firstNamed ??= findFirstNamed(project)
      return found.firstNamed
    },
    get disabled() {
      found.disabled ??= findDisabled(project)
      return found.disabled
    },
    get readByTests() {
      found.readByTests ??= findReadByTests(project)
      return found.readByTests
    },
    get cycleOf() {
      found.cycleOf ??= findCycles(project)
      return found.cycleOf
    },
    get exposures() {
      found.exposures ??= findExposures(project)
      return found.exposures
    },
  }
}

/** The facts of `after`, where those of `before` are known: what no change touches is taken over. */
export function factsAfter(
  facts: ProjectFacts,
  before: Project,
  after: Project,
  changes: readonly AssetChange[],
): ProjectFacts {
  const isNamed = changes.every(change =>
    sameOn(change, asset => asset.name + asset.definition.deploy.enabled),
  )
  const isRead = changes.every(change => sameOn(change, namesReadByTests))
  const isExposed = changes.some(change => hasExposures(change.before) || hasExposures(change.after))
  return projectFacts(after, {
    firstNamed: isNamed ? facts.firstNamed : undefined,
    disabled: isNamed ? facts.disabled : undefined,
    readByTests: isNamed && isRead ? facts.readByTests : undefined,
    cycleOf: before.cycles === after.cycles ? facts.cycleOf : undefined,
    exposures: isExposed ? undefined : facts.exposures,
  })
}

function sameOn({ before, after }: AssetChange, sign: (asset: Asset) => string): boolean {
  return before !== undefined && after !== undefined && sign(before) === sign(after)
}

function hasExposures(asset: Asset | undefined): boolean {
  return asset !== undefined && asset.definition.exposures.length > 0
}

function namesReadByTests({ refs }: Asset): string {
  return refs.flatMap(({ from, name }) => (from === 'test' ? [name] : [])).join('\n')
}

function findFirstNamed(project: Project): Map<string, string> {
  const first = new Map<string, string>()
  for (const { name, path, definition } of project.assets.values()) {
    const key = name.toLowerCase()
    if (definition.deploy.enabled && !first.has(key)) first.set(key, path)
  }
  return first
}

function findDisabled(project: Project): Map<string, string> {
  const disabled = new Map<string, string>()
  for (const { name, path, definition } of project.assets.values()) {
    if (definition.deploy.enabled || project.byName.has(name)) continue
    if (!disabled.has(name)) disabled.set(name, path)
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
  const byName = new Map<string, ExposureMention[]>()
  for (const asset of project.assets.values()) {
    for (const [index, exposure] of asset.definition.exposures.entries()) {
      const mention = { asset, exposure, index }
      const known = byName.get(exposure.name)
      if (known === undefined) byName.set(exposure.name, [mention])
      else known.push(mention)
    }
  }
  return byName
}
