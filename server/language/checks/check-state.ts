/**
 * The results of the checks for the last snapshot, and which of them still hold in the next one: an editor
 * asks at every keystroke, and one changed file must not cost checks of all others. The questions that a
 * check asks about the project and other assets are recorded (`dependency-recorder`); a new member of `project-facts`
 * needs a case in `outdated`.
 */
import type { AssetAnalysis, ProjectAnalysis } from '../analysis.ts'
import { assetChanges } from '../project/asset-changes.ts'
import { familyOf } from '../project/family.ts'
import type { Asset, Project, Settings } from '../project/project.ts'
import type { RawTable, SourceShapes } from '../source/source-shape.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { DependencyIndex } from './dependency-index.ts'
import { type Dependencies, type DependencyRecorder, newDependencyRecorder } from './dependency-recorder.ts'
import { moveState } from './move-state.ts'
import { type MovingFacts, projectFacts } from './project-facts.ts'
import { assetsWithUnknownSource } from './source-columns-unknown.ts'

/** The state for one family of snapshots. It moves to the snapshot that was asked for last. */
export interface CheckState {
  project: Project
  analysis: ProjectAnalysis | undefined
  sources: SourceShapes | undefined
  unknownSources: readonly Asset[]
  /** The recording project and analysis that checks receive. */
  recorder: DependencyRecorder
  readonly facts: MovingFacts
  /** The results of the assets that were asked for. */
  readonly results: Map<Asset, CheckResult>
  /** An index of dependencies between findings, built on demand. */
  dependencyIndex: DependencyIndex | undefined
  /** The results for `glossary.yaml`, once it was asked for. */
  glossary: GlossaryResult | undefined
  /** The last results for the files in `tests/`. */
  ownTests: ReadonlyMap<string, readonly Diagnostic[]>
  /** All results by path as they were last returned, and the paths that have been removed since. */
  shown: ReadonlyMap<string, readonly Diagnostic[]> | undefined
  readonly outdated: Set<string>
  /**
   * True if assets were skipped because they are known to be clean: such a state cannot move to another
   * snapshot.
   */
  hasPassedOver: boolean
}

export interface GlossaryResult {
  readonly diagnostics: readonly Diagnostic[]
  readonly asked: Dependencies
}

export interface CheckResult {
  readonly diagnostics: readonly Diagnostic[]
  /** Facts that are looked up by name belong only to the first of several assets with the same name. */
  readonly isFirst: boolean
  readonly analysis: AssetAnalysis | undefined
  readonly rawTables: readonly RawTable[] | undefined
  /** For ephemeral assets: whether any asset reads it. */
  readonly hasReaders: boolean | undefined
  readonly asked: Dependencies
}

const states = new WeakMap<object, CheckState>()

/** Returns the state for this snapshot, with all results that still hold. */
export function checkState(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources: SourceShapes | undefined,
): CheckState {
  const family = familyOf(project)
  const last = states.get(family)
  const isSameBeside =
    last !== undefined &&
    isSameFile(last.project.settings, project.settings) &&
    last.project.glossary === project.glossary
  if (last !== undefined && isSameBeside && (!last.hasPassedOver || isAt(last, project, analysis, sources))) {
    const isSameSql =
      last.project.macros === project.macros &&
      last.project.settings.ownTests.files === project.settings.ownTests.files
    moveState(last, { project, analysis, sources, changes: assetChanges(last.project, project) })
    if (!isSameSql) last.shown = undefined
    return last
  }
  const state = newState(project, analysis, sources)
  states.set(family, state)
  return state
}

/** Tests of one's own count where assets use them, which are then other assets. */
function isSameFile(a: Settings, b: Settings): boolean {
  return a === b || (a.file !== undefined && a.file === b.file && a.engine === b.engine)
}

function isAt(state: CheckState, ...at: [Project, CheckState['analysis'], CheckState['sources']]): boolean {
  return state.project === at[0] && state.analysis === at[1] && state.sources === at[2]
}

/** Returns the state if this snapshot is the one that was checked last. */
export function lastState(project: Project): CheckState | undefined {
  const last = states.get(familyOf(project))
  return last?.project === project ? last : undefined
}

/**
 * Returns the names of the assets whose SQL the findings in a file depend on, as far as it was checked in
 * this snapshot.
 */
export function analysesAsked(project: Project, path: string): readonly string[] {
  const asset = project.assets.get(path)
  const asked = asset && lastState(project)?.results.get(asset)?.asked
  return asked?.flatMap(answer => (answer[0] === 'analysis' ? [answer[1]] : [])) ?? []
}

export function keepResult(state: CheckState, asset: Asset, result: CheckResult): void {
  state.results.set(asset, result)
  state.dependencyIndex?.add(asset, result.asked)
}

function newState(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources: SourceShapes | undefined,
): CheckState {
  return {
    project,
    analysis,
    sources,
    unknownSources: sources === undefined ? [] : assetsWithUnknownSource(project, sources),
    recorder: newDependencyRecorder(project, analysis),
    facts: projectFacts(project),
    results: new Map(),
    dependencyIndex: undefined,
    glossary: undefined,
    ownTests: new Map(),
    shown: undefined,
    outdated: new Set(),
    hasPassedOver: false,
  }
}
