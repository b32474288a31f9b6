/**
 * The shadow catalogue: remembers what it found out about each asset and looks again only at what changed and at what
 * depends on changed columns. Calls wait for each other; an instance of DuckDB that is lost is opened anew.
 */
import type {
  AnalyzeOptions,
  Asset,
  Catalog,
  Engine,
  Project,
  ProjectAnalysis,
  SourceShapes,
} from '../language/index.ts'
import { bindStale, bindStaleTests, waitingIn } from './bind-stale.ts'
import { changesBetween, snapshotOf } from './changes.ts'
import { type Limits, sameLimits } from './limits.ts'
import { type CatalogMemory, emptyMemory } from './memory.ts'
import { noteChanges } from './note-changes.ts'
import { type FoundByAsset, nothingFound, type Outside } from './outside.ts'
import { memoryOf, recall, wholeMemory } from './recall.ts'
import { freshState, type State } from './state.ts'
import { type Subject, taskOf } from './task.ts'
import { isLossDiagnostic } from './too-expensive.ts'
import { beginUnits, markUnits, runStaleUnits } from './unit/stale-units.ts'

interface Options {
  /** Assets bound in one call. */
  readonly batchSize?: number
  /** What a statement may take; default: what `svc.yaml` says. */
  readonly limits?: Limits
  /** What `remember` of another catalogue of this version gave. */
  readonly memory?: CatalogMemory | undefined
  /** Statements that load extensions of the engine. */
  readonly load?: readonly string[]
  /**
   * Who reads an asset that does not bind is checked against the columns that it had last: for an editor, in which
   * somebody is typing. Without it the same files have the same problems, whatever they were before.
   */
  readonly remembersColumns?: boolean
  /** What the last run found; asked for at each call, and the same map as long as nothing else was found. */
  readonly found?: () => FoundByAsset
}

export interface ShadowCatalog extends Catalog {
  /**
   * What is known of the last snapshot, for a catalogue to come; undefined where that is what it began with.
   * `mayKeep` false: what is said of this asset may hold what must not be written down.
   */
  remember(mayKeep: (asset: Asset) => boolean): CatalogMemory | undefined
  /** Whether the last analysis says of this asset what the memory said, and has not found it out anew. */
  isRemembered(name: string): boolean
  /** Assets whose SQL was looked at so far, each time counted, and those that are to be looked at yet. */
  work(): { readonly done: number; readonly waiting: ReadonlySet<string> }
  /** Opens DuckDB in the background, where an analysis is sure to need it. */
  begin(): void
}

const defaultBatchSize = 50

/** `engine`: of the projects that it is asked about. One of another engine needs another catalogue. */
export async function openCatalog(engine: Engine, options: Options = {}): Promise<ShadowCatalog> {
  const load = options.load ?? []
  const remembersColumns = options.remembersColumns === true
  const state = freshState({ engine, load, remembersColumns })
  const memory = options.memory ?? emptyMemory
  const batchSize = options.batchSize ?? defaultBatchSize
  let last: Promise<unknown> = Promise.resolve()
  let isSettled = false

  /** The same one for the same snapshot: who asks in parts sees that nothing has changed. */
  let whole: { readonly of: readonly unknown[]; readonly analysis: ProjectAnalysis } | undefined
  const remembered = (project: Project, outside: Outside): ProjectAnalysis | undefined => {
    const of = [project, outside.sources, outside.found]
    if (whole?.of.every((part, index) => part === of[index])) return whole.analysis
    const analysis = wholeMemory(memory, project, outside, load)
    whole = analysis && { of, analysis }
    return analysis
  }
  const analyze = async (
    project: Project,
    sources: SourceShapes,
    wanted: AnalyzeOptions | undefined,
  ): Promise<ProjectAnalysis> => {
    refuseOther(engine, project)
    const outside = { sources, found: options.found?.() ?? nothingFound }
    if (!isSettled) {
      const known = wanted?.unitTests === 'all' ? undefined : remembered(project, outside)
      if (known !== undefined) return known
      whole = undefined
      recall(state, memory, project, outside)
    }
    useLimits(state, options.limits ?? project.settings.limits.sql)
    const found = await analyzeOnce(state, { project, outside, batchSize }, wanted)
    isSettled = true
    return found
  }
  return {
    analyze(project, sources, wanted) {
      const next = last.then(() => analyze(project, sources, wanted))
      last = next.catch(() => undefined)
      return next
    },
    remember(mayKeep) {
      if (!isSettled || state.snapshot === undefined) return undefined
      return memoryOf(state, state.snapshot, mayKeep)
    },
    isRemembered(name) {
      if (!isSettled) return whole !== undefined && memory.entries.has(name)
      return !state.stale.has(name) && state.entries.get(name)?.kept !== undefined
    },
    work: () => ({ done: state.looks, waiting: waitingIn(state) }),
    begin() {
      state.binder.begin()
    },
    close() {
      state.binder.close()
      state.units.close()
    },
  }
}

function refuseOther(own: Engine, { engine }: Project): void {
  if (engine !== own)
    throw new Error(
      `a catalogue of ${own.label} was asked about a project of ${engine.label}: open another one`,
    )
}

/** What went over the old limits is looked at again. */
function useLimits(state: State, limits: Limits): void {
  if (sameLimits(limits, state.limits)) return
  state.limits = limits
  state.losses.clear()
  for (const name of state.entries.keys())
    if (state.entries.get(name)?.analysis.diagnostics.some(isLossDiagnostic)) {
      state.stale.add(name)
      state.staleTests.add(name)
      state.staleUnits.add(name)
    }
  state.units.close()
  state.units.forget()
  if (state.binder.setLimits(limits)) state.tables.forget()
}

async function analyzeOnce(
  state: State,
  subject: Subject,
  options: AnalyzeOptions | undefined,
): Promise<ProjectAnalysis> {
  const { project, outside } = subject
  noteChanges(state, changesBetween(state.snapshot, project, outside), project)
  state.snapshot = snapshotOf(project, outside)
  const task = taskOf(state, subject, options)
  if (options?.unitTests !== 'none') beginUnits(task)
  await bindStale(task)
  if (!task.isAborted()) await bindStaleTests(task)
  if (options?.unitTests === 'all') markUnits(task)
  if (options?.unitTests !== 'none') await runStaleUnits(task)
  return state.entries.analysis(state.stale)
}
