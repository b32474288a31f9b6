/**
 * The shadow catalogue: remembers the analysis of each asset and repeats it only for assets that changed or
 * that depend on changed columns. Calls run one after another. If the DuckDB instance is lost, another one is
 * opened.
 */
import type {
  AnalyzeOptions,
  Asset,
  Catalog,
  Diagnostic,
  Engine,
  Project,
  ProjectAnalysis,
  SourceShapes,
} from '../language/index.ts'
import type { SqlLimits } from '../language/project/project.ts'
import { bindStale, bindStaleTests, waitingIn } from './bind-stale.ts'
import { changesBetween, snapshotOf } from './changes.ts'
import { sameLimits } from './limits.ts'
import { type CatalogMemory, emptyMemory } from './memory.ts'
import { noteChanges } from './note-changes.ts'
import { type FoundByAsset, nothingFound, type Outside } from './outside.ts'
import { memoryOf, recall, wholeMemory } from './recall.ts'
import { freshState, type State } from './state.ts'
import { forgetDatabase, type Subject, taskOf } from './task.ts'
import { isLossDiagnostic, isUnchecked } from './too-expensive.ts'
import { markUnits, noUnits, staleUnits } from './unit/stale-units.ts'

interface Options {
  /** The number of assets that are bound in one call. */
  readonly batchSize?: number
  /** The limits of a statement; by default those of `svc.yaml`. */
  readonly limits?: Partial<SqlLimits>
  /** The result of `remember` of another catalogue of this version. */
  readonly memory?: CatalogMemory | undefined
  /** Statements that load extensions of the engine. */
  readonly load?: readonly string[]
  /**
   * Checks the readers of an asset that does not bind against its last known columns. For an editor, where
   * half-typed SQL is normal. Without it the diagnostics depend on the files alone and not on earlier
   * versions of them.
   */
  readonly remembersColumns?: boolean
  /**
   * Returns the columns that the last run found. Called for each analysis; must return the same map while
   * nothing has changed.
   */
  readonly found?: () => FoundByAsset
  /** Those that share one process; by default it has its own. */
  readonly group?: CatalogGroup
}

/**
 * Catalogues that work one after another, so that only the one that worked last has a process: files that belong to no project
 * may be many, and nobody works on all of them at once.
 */
export interface CatalogGroup {
  last: Promise<unknown>
  /** Closes what the one that worked last has open. */
  release: (() => void) | undefined
}

export function newCatalogGroup(): CatalogGroup {
  return { last: Promise.resolve(), release: undefined }
}

export interface ShadowCatalog extends Catalog {
  /**
   * Returns what is known of the last snapshot, for a later catalogue; undefined if nothing has changed since
   * the memory it started with. `mayKeep` returns false for assets whose diagnostics may contain secrets.
   */
  remember(mayKeep: (asset: Asset) => boolean): CatalogMemory | undefined
  /** Returns whether the last analysis took this asset from the memory instead of analyzing it again. */
  isRemembered(name: string): boolean
  /**
   * Returns how many assets were bound so far, counting repetitions, and which ones are still to be bound.
   */
  work(): { readonly done: number; readonly waiting: ReadonlySet<string> }
  /** Opens DuckDB in the background, when an analysis will certainly need it. */
  begin(): void
}

const defaultBatchSize = 50

/**
 * Opens a catalogue for projects of one `engine`. A project of another engine needs a catalogue of its own.
 */
export async function openCatalog(engine: Engine, options: Options = {}): Promise<ShadowCatalog> {
  const load = options.load ?? []
  const remembersColumns = options.remembersColumns === true
  const state = freshState({ engine, load, remembersColumns })
  const memory = options.memory ?? emptyMemory
  const batchSize = options.batchSize ?? defaultBatchSize
  const turns = options.group ?? newCatalogGroup()
  const release = () => {
    state.units.close()
    forgetDatabase(state)
  }
  let isSettled = false

  /**
   * The same object for the same snapshot, so that callers that ask in parts can see that nothing has
   * changed.
   */
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
    if (turns.release !== release) turns.release?.()
    turns.release = release
    useLimits(state, { ...project.settings.limits.sql, ...options.limits })
    const found = await analyzeOnce(state, { project, outside, batchSize }, wanted)
    isSettled = true
    return found
  }
  return {
    analyze(project, sources, wanted) {
      const next = turns.last.then(() => analyze(project, sources, wanted))
      turns.last = next.catch(() => undefined)
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
      // In a group it is another one's turn, perhaps.
      if (options.group === undefined) state.binder.begin()
    },
    close() {
      if (turns.release === release) turns.release = undefined
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

/** Marks the assets that went over the old limits as stale. */
function useLimits(state: State, limits: SqlLimits): void {
  if (sameLimits(limits, state.limits)) return
  state.limits = limits
  state.losses.clear()
  markLost(state, isLossDiagnostic)
  state.units.close()
  state.units.forget()
  if (state.binder.setLimits(limits)) state.tables.forget()
}

/** Has those assets checked again. */
function markLost(state: State, isLost: (diagnostic: Diagnostic) => boolean): void {
  for (const name of state.entries.keys())
    if (state.entries.get(name)?.analysis.diagnostics.some(isLost)) {
      state.stale.add(name)
      state.staleTests.add(name)
      state.staleUnits.add(name)
    }
}

async function analyzeOnce(
  state: State,
  subject: Subject,
  options: AnalyzeOptions | undefined,
): Promise<ProjectAnalysis> {
  const { project, outside } = subject
  noteChanges(state, changesBetween(state.snapshot, project, outside), project)
  state.snapshot = snapshotOf(project, outside)
  if (state.hasUnchecked) markLost(state, isUnchecked)
  state.hasUnchecked = false
  const task = taskOf(state, subject, options)
  if (options?.unitTests === 'all') markUnits(task)
  const units = options?.unitTests === 'none' ? noUnits : staleUnits(task)
  try {
    await bindStale(task, units.begin)
    if (!task.isAborted()) await bindStaleTests(task)
    await units.finish()
  } catch (error) {
    await units.stop()
    // A process that did not start leaves nothing to ask.
    forgetDatabase(state)
    throw error
  }
  return state.entries.analysis(state.stale)
}
