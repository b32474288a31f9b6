/** Finds the differences between two snapshots by comparing pointers: unchanged assets are shared objects. */

import { metricAssets } from '../language/glossary/metric-asset.ts'
import type { Asset, Project, Settings } from '../language/index.ts'
import { assetChanges } from '../language/project/asset-changes.ts'
import { storedFacts } from '../language/project/stored-asset.ts'
import { templatesOf } from '../language/project/templates.ts'
import { type Outside, sameOutside } from './outside.ts'

export interface Snapshot {
  /** The project itself; absent if the snapshot was made from the memory of another catalogue. */
  readonly project?: Project
  readonly assets: ReadonlyMap<string, Asset>
  readonly metrics: ReadonlyMap<string, Asset>
  readonly outside: Outside
  readonly settings: Settings
}

export interface ChangedAsset {
  readonly name: string
  /** Assets named in the transform. */
  readonly reads: readonly string[]
  /** Assets named in tests' SQL. */
  readonly testReads: readonly string[]
}

export interface Change {
  readonly changed: readonly ChangedAsset[]
  readonly removed: readonly string[]
}

export function snapshotOf(project: Project, outside: Outside): Snapshot {
  return {
    project,
    assets: project.byName,
    metrics: metricAssets(project),
    outside,
    settings: project.settings,
  }
}

export function changesBetween(before: Snapshot | undefined, project: Project, outside: Outside): Change {
  const ofAssets = assetsBetween(before, project, outside)
  const ofMetrics = metricsBetween(before, project)
  if (ofMetrics === undefined) return ofAssets
  return {
    changed: [...ofAssets.changed, ...ofMetrics.changed],
    removed: [...ofAssets.removed, ...ofMetrics.removed],
  }
}

/** Returns undefined if nothing differs. A metric is the same while its text and its place are. */
function metricsBetween(before: Snapshot | undefined, project: Project): Change | undefined {
  const sameGround = before !== undefined && sameVars(before.settings, project.settings)
  const [old, now] = [before?.metrics, metricAssets(project)]
  if (old === now && sameGround) return undefined
  const changed = [...now].flatMap(([name, metric]) => {
    const isSame = old?.get(name)?.textHash === metric.textHash && (sameGround || !usesVars(metric))
    return isSame ? [] : [changedAsset(name, metric)]
  })
  return { changed, removed: [...(old?.keys() ?? [])].filter(name => !now.has(name)) }
}

function assetsBetween(before: Snapshot | undefined, project: Project, outside: Outside): Change {
  const quick = before?.project && quickChanges(before.project, before, project, outside)
  if (quick !== undefined) return quick
  const changed: ChangedAsset[] = []
  const varsChanged = before !== undefined && !sameVars(before.settings, project.settings)
  let shared = 0
  for (const [name, asset] of project.byName) {
    const old = before?.assets.get(name)
    if (old) shared++
    const isSame = old === asset && sameOutside(before?.outside, outside, name)
    if (!isSame || (varsChanged && usesVars(asset))) changed.push(changedAsset(name, asset))
  }
  if (!before || shared === before.assets.size) return { changed, removed: [] }
  return { changed, removed: [...before.assets.keys()].filter(name => !project.byName.has(name)) }
}

/** Returns the changes if only a few asset files differ; undefined if more does. */
function quickChanges(
  last: Project,
  { outside: { sources, found }, settings }: Snapshot,
  project: Project,
  outside: Outside,
): Change | undefined {
  if (sources !== outside.sources || found !== outside.found || settings !== project.settings)
    return undefined
  const files = assetChanges(last, project).flatMap(({ before, after }) => [before, after])
  const names = [...new Set(files.flatMap(asset => (asset === undefined ? [] : [asset.name])))]
  const changed = names.flatMap(name => {
    const asset = project.byName.get(name)
    return asset === undefined || asset === last.byName.get(name) ? [] : [changedAsset(name, asset)]
  })
  return { changed, removed: names.filter(name => last.byName.has(name) && !project.byName.has(name)) }
}

function changedAsset(name: string, asset: Asset): ChangedAsset {
  return { name, reads: readsOf(asset), testReads: testReadsOf(asset) }
}

/** Assets named in the transform. */
export function readsOf(asset: Asset): readonly string[] {
  return refsIn(storedFacts(asset)?.tags ?? asset.sql?.tags)
}

/** Assets named in tests' SQL. */
export function testReadsOf(asset: Asset): readonly string[] {
  return asset.testSql.size === 0
    ? []
    : [...asset.testSql.values()].flatMap(template => refsIn(template.tags))
}

type Tags = NonNullable<Asset['sql']>['tags']

/** Returns each name once. Most assets read one or two others, for which a search is cheaper than a set. */
function refsIn(tags: Tags | undefined): string[] {
  const names: string[] = []
  for (const tag of tags ?? []) if (tag.kind === 'ref' && !names.includes(tag.name)) names.push(tag.name)
  return names
}

function sameVars(a: Settings, b: Settings): boolean {
  return a === b || varsSignature(a) === varsSignature(b)
}

/** Returns the signature of all variables that SQL may use, in every environment. */
export function varsSignature({ vars, environments }: Settings): string {
  return JSON.stringify([vars, Object.values(environments).map(environment => environment.vars)])
}

export function usesVars(asset: Asset): boolean {
  return templatesOf(asset).some(template => template.tags.some(tag => tag.kind === 'var'))
}
