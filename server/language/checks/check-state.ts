/**
 * What the checks found in the last snapshot of a project, and which of it still holds in the next one: an editor asks
 * at every keystroke, and one changed file must not cost a look at all others. What a check asks of the project and of
 * other assets is written down (`witness`); a new fact in `project-facts` has to be looked after in `isOutdated`.
 */
import type { AssetAnalysis, ProjectAnalysis } from '../analysis.ts'
import { type AssetChange, assetChanges } from '../project/asset-changes.ts'
import { familyOf } from '../project/family.ts'
import type { Asset, Project } from '../project/project.ts'
import type { RawTable, SourceShapes } from '../source/source-shape.ts'
import type { Diagnostic } from '../text/diagnostic.ts'
import { hasReaders } from './has-readers.ts'
import { factsAfter, type ProjectFacts, projectFacts } from './project-facts.ts'
import { assetsWithUnknownSource } from './source-columns-unknown.ts'
import { type Asked, newWitness, stillHolds, type Witness } from './witness.ts'

export interface CheckState {
  readonly project: Project
  readonly analysis: ProjectAnalysis | undefined
  readonly sources: SourceShapes | undefined
  readonly facts: ProjectFacts
  readonly unknownSources: readonly Asset[]
  /** Gives the checks what they ask for. */
  readonly witness: Witness
  /** Of the assets that were asked for. */
  readonly results: Map<Asset, CheckResult>
  /** Of `glossary.yaml`, once it was asked for. */
  glossary: GlossaryResult | undefined
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

/** By family: the state that the next one is made from. */
const states = new WeakMap<object, CheckState>()

/** The state of this snapshot with all that is still known of it. */
export function checkState(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources: SourceShapes | undefined,
): CheckState {
  const family = familyOf(project)
  const last = states.get(family)
  if (last?.project === project && last.analysis === analysis && last.sources === sources) return last
  const next =
    last === undefined ? newState(project, analysis, sources) : stateAfter(last, project, analysis, sources)
  states.set(family, next)
  return next
}

function newState(
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources: SourceShapes | undefined,
): CheckState {
  const unknownSources = sources === undefined ? [] : assetsWithUnknownSource(project, sources)
  const facts = projectFacts(project)
  const witness = newWitness(project, analysis)
  return {
    project,
    analysis,
    sources,
    facts,
    unknownSources,
    witness,
    results: new Map(),
    glossary: undefined,
  }
}

function stateAfter(
  last: CheckState,
  project: Project,
  analysis: ProjectAnalysis | undefined,
  sources: SourceShapes | undefined,
): CheckState {
  const { settings, glossary } = last.project
  if (settings !== project.settings || glossary !== project.glossary)
    return newState(project, analysis, sources)
  const changes = assetChanges(last.project, project)
  const facts = factsAfter(last.facts, last.project, project, changes)
  const unknownSources = unknownSourcesAfter(last, project, sources, changes)
  const { results, glossary: glossaryResult } = last
  const witness = newWitness(project, analysis)
  const next = {
    project,
    analysis,
    sources,
    facts,
    unknownSources,
    witness,
    results,
    glossary: glossaryResult,
  }
  dropOutdated(last, next, changes)
  return next
}

function unknownSourcesAfter(
  last: CheckState,
  project: Project,
  sources: SourceShapes | undefined,
  changes: readonly AssetChange[],
): readonly Asset[] {
  if (sources === undefined) return []
  const isNone = (asset: Asset | undefined) => asset === undefined || asset.definition.ingest.type === 'none'
  const isKept =
    sources === last.sources && changes.every(({ before, after }) => isNone(before) && isNone(after))
  return isKept && changes.every(isSameName) ? last.unknownSources : assetsWithUnknownSource(project, sources)
}

function isSameName({ before, after }: AssetChange): boolean {
  return (
    before?.name === after?.name && before?.definition.deploy.enabled === after?.definition.deploy.enabled
  )
}

/** The results are handed on, not copied: the last state is of no use any more. */
function dropOutdated(last: CheckState, next: CheckState, changes: readonly AssetChange[]): void {
  const { results, project, analysis } = next
  const moved = movedNames(changes)
  const changed = { files: changes.length > 0, names: moved.size > 0 }
  for (const { before } of changes) if (before !== undefined) results.delete(before)
  const isOutdated = outdated(last, next, moved)
  for (const [asset, result] of results) {
    if (isOutdated(asset, result) || !stillHolds(result.asked, project, analysis, changed))
      results.delete(asset)
  }
  if (next.glossary !== undefined && !stillHolds(next.glossary.asked, project, analysis, changed))
    next.glossary = undefined
}

/** Whether what an asset's findings rest on by itself is another one now. */
function outdated(last: CheckState, next: CheckState, moved: ReadonlySet<string>) {
  const { project, analysis, sources, facts } = next
  const firstUnknown = sameList(last.unknownSources, next.unknownSources)
    ? []
    : [last.unknownSources[0], next.unknownSources[0]]
  const areExposed = last.facts.exposures !== facts.exposures
  const areKnotted = last.facts.cycleOf !== facts.cycleOf
  return (asset: Asset, result: CheckResult): boolean => {
    const { name } = asset
    const isFirst = project.byName.get(name) === asset
    return (
      result.isFirst !== isFirst ||
      (isFirst && result.analysis !== analysis?.of(name)) ||
      (isFirst && result.rawTables !== sources?.get(name)) ||
      (result.hasReaders !== undefined && result.hasReaders !== hasReaders(asset, project, facts)) ||
      (moved.size > 0 && moved.has(name.toLowerCase())) ||
      (areExposed && asset.definition.exposures.length > 0) ||
      (areKnotted && (facts.cycleOf.has(name) || last.facts.cycleOf.has(name))) ||
      firstUnknown.includes(asset)
    )
  }
}

/** In lower case: names that come, go, or belong to another file. */
function movedNames(changes: readonly AssetChange[]): ReadonlySet<string> {
  const moved = new Set<string>()
  for (const change of changes) {
    if (isSameName(change)) continue
    for (const asset of [change.before, change.after])
      if (asset !== undefined) moved.add(asset.name.toLowerCase())
  }
  return moved
}

function sameList(a: readonly Asset[], b: readonly Asset[]): boolean {
  return a === b || (a.length === b.length && a.every((asset, index) => asset === b[index]))
}
