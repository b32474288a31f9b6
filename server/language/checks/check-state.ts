/**
 * What the checks found in the last snapshot of a project, and which of it still holds in the next one: an editor asks
 * at every keystroke, and one changed file must not cost a look at all others. What a check asks of the project and of
 * other assets is written down (`witness`); a new fact in `project-facts` has to be looked after in `outdated`.
 */
import type { AssetAnalysis, ProjectAnalysis } from '../analysis.ts'
import { assetChanges } from '../project/asset-changes.ts'
import { familyOf } from '../project/family.ts'
import type { Asset, Project } from '../project/project.ts'
import type { RawTable, SourceShapes } from '../source/source-shape.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import type { Askers } from './askers.ts'
import { moveState } from './move-state.ts'
import { type MovingFacts, projectFacts } from './project-facts.ts'
import { assetsWithUnknownSource } from './source-columns-unknown.ts'
import { type Asked, newWitness, type Witness } from './witness.ts'

/** Of one family of snapshots; it goes with the one that was asked for last. */
export interface CheckState {
  project: Project
  analysis: ProjectAnalysis | undefined
  sources: SourceShapes | undefined
  unknownSources: readonly Asset[]
  /** Gives the checks what they ask for. */
  witness: Witness
  readonly facts: MovingFacts
  /** Of the assets that were asked for. */
  readonly results: Map<Asset, CheckResult>
  /** Who rests on what; made when it is first of use. */
  askers: Askers | undefined
  /** Of `glossary.yaml`, once it was asked for. */
  glossary: GlossaryResult | undefined
  /** All results by path as they were last given away, and the paths that have none in it any more. */
  shown: ReadonlyMap<string, readonly Diagnostic[]> | undefined
  readonly outdated: Set<string>
  /** Assets without a result, because they are known to be clean: such a state does not move. */
  hasPassedOver: boolean
}

export interface GlossaryResult {
  readonly found: readonly Diagnostic[]
  readonly asked: Asked
}

export interface CheckResult {
  readonly found: readonly Diagnostic[]
  /** What is known by name is known of the first of several namesakes only. */
  readonly isFirst: boolean
  readonly analysis: AssetAnalysis | undefined
  readonly rawTables: readonly RawTable[] | undefined
  /** Of ephemeral assets: whether anybody reads it. */
  readonly hasReaders: boolean | undefined
  readonly asked: Asked
}

const states = new WeakMap<object, CheckState>()

/** The state of this snapshot with all that is still known of it. */
export function checkState(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources: SourceShapes | undefined,
): CheckState {
  const family = familyOf(project)
  const last = states.get(family)
  const isSameBeside =
    last?.project.settings === project.settings && last.project.glossary === project.glossary
  if (last !== undefined && isSameBeside && (!last.hasPassedOver || isAt(last, project, analysis, sources))) {
    moveState(last, { project, analysis, sources, changes: assetChanges(last.project, project) })
    return last
  }
  const state = newState(project, analysis, sources)
  states.set(family, state)
  return state
}

function isAt(state: CheckState, ...at: [Project, CheckState['analysis'], CheckState['sources']]): boolean {
  return state.project === at[0] && state.analysis === at[1] && state.sources === at[2]
}

/** The state of this snapshot, if it was checked and no other one since. */
export function lastState(project: Project): CheckState | undefined {
  const last = states.get(familyOf(project))
  return last?.project === project ? last : undefined
}

/** Names of the assets on whose SQL the findings in a file rest, as far as it was checked in this snapshot. */
export function analysesAsked(project: Project, path: string): readonly string[] {
  const asset = project.assets.get(path)
  const asked = asset && lastState(project)?.results.get(asset)?.asked
  return asked?.flatMap(answer => (answer[0] === 'analysis' ? [answer[1]] : [])) ?? []
}

export function keepResult(state: CheckState, asset: Asset, result: CheckResult): void {
  state.results.set(asset, result)
  state.askers?.add(asset, result.asked)
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
    witness: newWitness(project, analysis),
    facts: projectFacts(project),
    results: new Map(),
    askers: undefined,
    glossary: undefined,
    shown: undefined,
    outdated: new Set(),
    hasPassedOver: false,
  }
}
