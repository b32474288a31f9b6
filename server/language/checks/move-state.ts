/** Moves the state of the checks to another snapshot: drops exactly the results that no longer hold. */
import type { ProjectAnalysis } from '../analysis.ts'
import { type AssetChange, isRenamed } from '../project/asset-changes.ts'
import type { Asset, Project } from '../project/project.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import type { CheckResult, CheckState } from './check-state.ts'
import { newDependencyIndex } from './dependency-index.ts'
import { newDependencyRecorder, stillHolds } from './dependency-recorder.ts'
import { hasReaders } from './has-readers.ts'
import { assetsWithUnknownSource } from './source-columns-unknown.ts'

export interface Move {
  readonly project: Project
  readonly analysis: ProjectAnalysis | undefined
  readonly sources: SourceShapes | undefined
  /** The changes from the state's project to this one. */
  readonly changes: readonly AssetChange[]
}

export function moveState(state: CheckState, move: Move): void {
  const { project, analysis, sources, changes } = move
  if (state.project === project && state.analysis === analysis && state.sources === sources) return
  const cyclesBefore = state.project.cycles
  const suspects = suspectsOf(state, move)
  for (const { before } of changes) {
    if (before === undefined) continue
    if (suspects !== 'all') addMentioned(state, before, suspects)
    drop(state, before)
  }
  for (const { before, after } of changes) {
    if (before === undefined || after === undefined) state.shown = undefined
  }
  const unknownBefore = state.unknownSources
  state.unknownSources = unknownSourcesAfter(state, move)
  state.project = project
  state.analysis = analysis
  state.sources = sources
  state.recorder = newDependencyRecorder(project, analysis)
  state.facts.move(project, changes)
  const reporters = changedReporters(state, cyclesBefore, unknownBefore)
  if (suspects !== 'all') {
    for (const { after } of changes) if (after !== undefined) addMentioned(state, after, suspects)
    for (const asset of reporters) suspects.add(asset)
  }
  dropOutdated(state, suspects, changes, reporters)
}

/** Assets whose results may no longer hold. */
type Suspects = Set<Asset | undefined> | 'all'

/**
 * Returns the suspects by name, from changed analyses and sources. What changed files mention is added while
 * the state moves.
 */
function suspectsOf(state: CheckState, { project, analysis, sources }: Move): Suspects {
  const analysed =
    analysis === state.analysis ? [] : state.analysis && analysis?.changedSince?.(state.analysis)
  const loaded =
    sources === state.sources ? [] : state.sources && sources && changedKeys(state.sources, sources)
  if (analysed === undefined || loaded === undefined) return 'all'
  state.dependencyIndex ??= dependencyIndexOf(state)
  const suspects = new Set<Asset | undefined>()
  for (const name of [...analysed, ...loaded]) {
    suspects.add(project.byName.get(name))
    for (const asset of state.dependencyIndex.of(name)) suspects.add(asset)
  }
  return suspects
}

function dependencyIndexOf(state: CheckState) {
  const dependencyIndex = newDependencyIndex()
  for (const [asset, { asked }] of state.results) dependencyIndex.add(asset, asked)
  return dependencyIndex
}

/** Adds other assets that are related to a changed file, by its names in the state's snapshot. */
function addMentioned(state: CheckState, asset: Asset, suspects: Set<Asset | undefined>): void {
  const { dependencyIndex, facts, project } = state
  if (dependencyIndex === undefined) return
  const add = (assets: Iterable<Asset>): void => {
    for (const each of assets) suspects.add(each)
  }
  add(dependencyIndex.of(asset.path))
  add(dependencyIndex.of(asset.name))
  add(dependencyIndex.ofNames())
  add(dependencyIndex.ofEverything())
  add(facts.namesakes(asset.name))
  for (const { name } of asset.refs) {
    suspects.add(project.byName.get(name))
    add(dependencyIndex.of(name))
  }
  for (const { name } of asset.definition.exposures) add(facts.mentionsOf(name).map(mention => mention.asset))
}

/** Returns the assets at which cycles and unknown sources were or are reported, where these have changed. */
function changedReporters(
  { project: { byName, cycles }, unknownSources }: CheckState,
  cyclesBefore: Project['cycles'],
  unknownBefore: readonly Asset[],
): ReadonlySet<Asset | undefined> {
  const knotted = cycles === cyclesBefore ? [] : [...cyclesBefore, ...cycles].flat()
  const unknown = sameList(unknownBefore, unknownSources) ? [] : [unknownBefore[0], unknownSources[0]]
  return new Set([...knotted.map(name => byName.get(name)), ...unknown])
}

function dropOutdated(
  state: CheckState,
  suspects: Suspects,
  changes: readonly AssetChange[],
  reporters: ReadonlySet<Asset | undefined>,
): void {
  const { project, analysis, results } = state
  const moved = movedNames(changes)
  const changed = { files: changes.length > 0, names: moved }
  const paths = new Set(changes.map(({ before, after }) => (after ?? before)?.path))
  const exposed = new Set(
    changes.flatMap(({ before, after }) => [...exposuresOf(before), ...exposuresOf(after)]),
  )
  const holds = (asset: Asset, result: CheckResult): boolean =>
    isAsBefore(state, asset, result) &&
    !moved.has(asset.name.toLowerCase()) &&
    !reporters.has(asset) &&
    !asset.definition.exposures.some(({ name }) => exposed.has(name)) &&
    !result.diagnostics.some(({ related }) => related?.some(({ path }) => paths.has(path)) === true) &&
    stillHolds(result.asked, project, analysis, changed)
  for (const asset of suspects === 'all' ? results.keys() : suspects) {
    const result = asset && results.get(asset)
    if (asset !== undefined && result !== undefined && !holds(asset, result)) drop(state, asset)
  }
  if (state.glossary !== undefined && !stillHolds(state.glossary.asked, project, analysis, changed))
    state.glossary = undefined
}

/** Returns whether everything known of the asset itself is unchanged. */
function isAsBefore(state: CheckState, asset: Asset, result: CheckResult): boolean {
  const { project, analysis, sources, facts } = state
  const isFirst = project.byName.get(asset.name) === asset
  if (result.isFirst !== isFirst) return false
  if (isFirst && result.analysis !== analysis?.of(asset.name)) return false
  if (isFirst && result.rawTables !== sources?.get(asset.name)) return false
  return result.hasReaders === undefined || result.hasReaders === hasReaders(asset, project, facts)
}

function drop(state: CheckState, asset: Asset): void {
  const result = state.results.get(asset)
  if (result === undefined) return
  state.results.delete(asset)
  state.dependencyIndex?.remove(asset, result.asked)
  state.outdated.add(asset.path)
}

/** Returns the names, in lower case, that are new, removed, or belong to another file now. */
function movedNames(changes: readonly AssetChange[]): ReadonlySet<string> {
  const moved = new Set<string>()
  for (const change of changes) {
    if (!isRenamed(change)) continue
    for (const asset of [change.before, change.after])
      if (asset !== undefined) moved.add(asset.name.toLowerCase())
  }
  return moved
}

function exposuresOf(asset: Asset | undefined): readonly string[] {
  return asset?.definition.exposures.map(({ name }) => name) ?? []
}

/**
 * Computes the unknown sources again only if a changed file has a source, or hides or reveals one that has.
 */
function unknownSourcesAfter(state: CheckState, { project, sources, changes }: Move): readonly Asset[] {
  if (sources === undefined) return []
  const hasSource = (asset: Asset | undefined) =>
    asset !== undefined && asset.definition.ingest.type !== 'none'
  const isTouched = changes.some(
    change =>
      hasSource(change.before) ||
      hasSource(change.after) ||
      (isRenamed(change) &&
        [change.before, change.after].some(
          asset => asset !== undefined && state.facts.namesakes(asset.name).some(hasSource),
        )),
  )
  return sources === state.sources && !isTouched
    ? state.unknownSources
    : assetsWithUnknownSource(project, sources)
}

function changedKeys<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>): readonly string[] {
  const changed = [...b].flatMap(([key, value]) => (a.get(key) === value ? [] : [key]))
  return [...changed, ...[...a.keys()].filter(key => !b.has(key))]
}

function sameList(a: readonly Asset[], b: readonly Asset[]): boolean {
  return a === b || (a.length === b.length && a.every((asset, index) => asset === b[index]))
}
