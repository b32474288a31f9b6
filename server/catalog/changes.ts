/** What differs between two snapshots, by comparing pointers: unchanged assets are shared. */

import type { Asset, Project, RawTable, Settings, SourceShapes } from '../language/index.ts'
import { assetChanges } from '../language/project/asset-changes.ts'
import { storedFacts } from '../language/project/stored-asset.ts'

export interface Snapshot {
  /** The project itself; absent where the snapshot was put together from kept parts. */
  readonly project?: Project
  readonly assets: ReadonlyMap<string, Asset>
  readonly raw: ReadonlyMap<string, readonly RawTable[]>
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

export function snapshotOf(project: Project, sources: SourceShapes): Snapshot {
  return { project, assets: project.byName, raw: sources, settings: project.settings }
}

export function changesBetween(
  before: Snapshot | undefined,
  project: Project,
  sources: SourceShapes,
): Change {
  const quick = before?.project && quickChanges(before.project, before, project, sources)
  if (quick !== undefined) return quick
  const changed: ChangedAsset[] = []
  const varsChanged = before !== undefined && !sameVars(before.settings, project.settings)
  let shared = 0
  for (const [name, asset] of project.byName) {
    const old = before?.assets.get(name)
    if (old) shared++
    const isSame = old === asset && sameRaw(before?.raw.get(name), sources.get(name))
    if (!isSame || (varsChanged && usesVars(asset))) changed.push(changedAsset(name, asset))
  }
  if (!before || shared === before.assets.size) return { changed, removed: [] }
  return { changed, removed: [...before.assets.keys()].filter(name => !project.byName.has(name)) }
}

/** Where nothing but a few files is another: the names that they have to do with. */
function quickChanges(
  last: Project,
  { raw, settings }: Snapshot,
  project: Project,
  sources: SourceShapes,
): Change | undefined {
  if (raw !== sources || settings !== project.settings) return undefined
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

/** Each once. Most assets read one or two others, for which a set would be more work than looking. */
function refsIn(tags: Tags | undefined): string[] {
  const names: string[] = []
  for (const tag of tags ?? []) if (tag.kind === 'ref' && !names.includes(tag.name)) names.push(tag.name)
  return names
}

function sameRaw(a: readonly RawTable[] | undefined, b: readonly RawTable[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b))
}

function sameVars(a: Settings, b: Settings): boolean {
  return a === b || varsSignature(a) === varsSignature(b)
}

/** Of all variables that SQL may name, in every environment. */
export function varsSignature({ vars, environments }: Settings): string {
  return JSON.stringify([vars, Object.values(environments).map(environment => environment.vars)])
}

export function usesVars(asset: Asset): boolean {
  const templates = [asset.sql, ...asset.testSql.values()]
  return templates.some(template => template?.tags.some(tag => tag.kind === 'var'))
}
