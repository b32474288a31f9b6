/**
 * Facts about a whole snapshot that several checks need. Each is computed on demand and then updated with the
 * project.
 */
import type { AssetChange } from '../project/asset-changes.ts'
import type { Asset, Project } from '../project/project.ts'
import type { Exposure } from '../schema/definition.ts'
import { type AssetIndex, assetIndex } from './asset-index.ts'

export interface ExposureMention {
  readonly asset: Asset
  readonly exposure: Exposure
  /** The position in the asset's `exposures` list. */
  readonly index: number
}

export interface ProjectFacts {
  /**
   * Returns the enabled assets of this name in any case, in path order: warehouses do not distinguish case.
   */
  namesakes(name: string): readonly Asset[]
  /** Returns a disabled asset, if no enabled one has its name. */
  disabled(name: string): Asset | undefined
  /** Returns whether a test of another asset reads it. */
  isReadByTests(name: string): boolean
  /** Returns the first cycle that a name is part of, as a path that repeats its first name at the end. */
  cycleOf(name: string): readonly string[] | undefined
  /** Returns the mentions of an exposure by name: one exposure may read several assets. */
  mentionsOf(exposure: string): readonly ExposureMention[]
}

export interface MovingFacts extends ProjectFacts {
  move(project: Project, changes: readonly AssetChange[]): void
}

type Indexes = { [K in keyof typeof keys]?: AssetIndex }

const keys = {
  enabled: asset => (isEnabled(asset) ? [asset.name.toLowerCase()] : []),
  disabled: asset => (isEnabled(asset) ? [] : [asset.name]),
  testReads: asset => (isEnabled(asset) ? namesReadByTests(asset) : []),
  exposures: asset => asset.definition.exposures.map(exposure => exposure.name),
} satisfies Record<string, (asset: Asset) => readonly string[]>

export function projectFacts(first: Project): MovingFacts {
  let project = first
  const indexes: Indexes = {}
  let cycles:
    | { readonly of: Project['cycles']; readonly byName: ReadonlyMap<string, readonly string[]> }
    | undefined
  const index = (name: keyof typeof keys): AssetIndex => {
    indexes[name] ??= assetIndex(project.assets.values(), keys[name])
    return indexes[name]
  }
  return {
    namesakes: name => assetsOf(index('enabled').of(name.toLowerCase())),
    disabled: name => (project.byName.has(name) ? undefined : index('disabled').of(name)[0]?.asset),
    isReadByTests: name => index('testReads').of(name).length > 0,
    cycleOf(name) {
      if (cycles?.of !== project.cycles) cycles = { of: project.cycles, byName: byMember(project.cycles) }
      return cycles.byName.get(name)
    },
    mentionsOf: name => index('exposures').of(name).flatMap(mentionOf),
    move(next, changes) {
      project = next
      for (const each of Object.values(indexes)) each.move(changes)
    },
  }
}

function isEnabled(asset: Asset): boolean {
  return asset.definition.deploy.enabled
}

const noAssets: readonly Asset[] = []

function assetsOf(entries: readonly { readonly asset: Asset }[]): readonly Asset[] {
  return entries.length === 0 ? noAssets : entries.map(entry => entry.asset)
}

/** Returns each name once; tests of the asset itself do not count. */
function namesReadByTests({ name, refs }: Asset): readonly string[] {
  const names = refs.flatMap(ref => (ref.from === 'test' && ref.name !== name ? [ref.name] : []))
  return names.length < 2 ? names : [...new Set(names)]
}

function mentionOf({ asset, index }: { readonly asset: Asset; readonly index: number }): ExposureMention[] {
  const exposure = asset.definition.exposures[index]
  return exposure === undefined ? [] : [{ asset, exposure, index }]
}

function byMember(cycles: Project['cycles']): ReadonlyMap<string, readonly string[]> {
  const cycleOf = new Map<string, readonly string[]>()
  for (const cycle of cycles) for (const name of cycle) if (!cycleOf.has(name)) cycleOf.set(name, cycle)
  return cycleOf
}
