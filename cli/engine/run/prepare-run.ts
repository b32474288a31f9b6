/**
 * Prepares a run, a dry run or a plan: selects assets, checks files, makes the plan, refuses foreign objects.
 * Changes nothing.
 */
import { type Asset, commandWords, type Project, type ProjectAnalysis } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { brokenReaders } from '../plan/column-changes.ts'
import { removedFrom } from '../plan/gathered-rows.ts'
import { type Identities, identitiesOf } from '../plan/identities.ts'
import { forecastPlan, inOrder } from '../plan/make-plan.ts'
import type { Plan } from '../plan/plan.ts'
import type { StepPlan } from '../plan/plan-steps.ts'
import { productionViews } from '../plan/production-views.ts'
import { noRenewal, type Renewal } from '../plan/renewal.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { WarehouseReader } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { brokenFiles, checkFiles, type FileCheck, type FileFailure, fileErrors } from './check-files.ts'
import { checkRoles } from './check-roles.ts'
import { type ColumnReaches, columnReaches, noReaches } from './column-reaches.ts'
import { checkProduction, type ProductionCheck } from './foreign-objects.ts'
import { checkForeignReaders, remadeViews } from './foreign-readers.ts'
import { type Built, buildDamage, builtInventory } from './gone-relations.ts'
import { withoutLockedColumns } from './judge-sources.ts'
import { type Repair, repairsAmong } from './repairs.ts'
import { askForReplaced } from './replaced-views.ts'
import type { RunRequest } from './run.ts'
import { selectNames } from './select-names.ts'

export interface PreparedRun {
  readonly state: StateSnapshot
  readonly analysis: ProjectAnalysis
  /** The assets that fail by their files; everything that does not read them is done all the same. */
  readonly broken: readonly FileFailure[]
  /** Whether columns that only the lock knows were left out, because the files do not fit them. */
  readonly unlocked: boolean
  readonly identities: Identities
  readonly plan: Plan
  /** The steps of the plan, and the state that they were made from. */
  readonly forecast: { readonly state: StateSnapshot; readonly planned: StepPlan }
  /** The run's assets, parents first. */
  readonly names: readonly string[]
  /** Whether all assets are selected; live assets that are not among them are then removed. */
  readonly full: boolean
  readonly renewal: Renewal
  /** What existed in the schemas of builds; undefined if nothing was ever built. */
  readonly built: Built | undefined
  /** The assets whose view is to be made although their build is live. */
  readonly missing: ProductionCheck['missing']
  /** What somebody did to the relations of the run's assets, in the order of these. */
  readonly repairs: ReadonlyMap<string, readonly Repair[]>
  /**
   * The keys of loads that are reused, by asset, because their sources are unchanged and need no fetch. Empty
   * in a plan.
   */
  readonly standing: ReadonlyMap<string, string>
}

/** Returns canonical texts by definition hash; unknown hashes are absent. */
export type DefinitionsOf = (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>

/**
 * Prepares the run; `session` is undefined if there is no warehouse yet. Throws SvcError `invalid-project`,
 * `unknown-asset`, `parent-not-built`, `foreign-object`.
 */
export async function prepareRun(
  session: WarehouseReader | undefined,
  state: StateSnapshot,
  workspace: Workspace,
  request: RunRequest,
  warehouseLabel: string,
  definitionsOf: DefinitionsOf = hashes =>
    session === undefined ? Promise.resolve(new Map()) : session.state.definitions(hashes),
): Promise<PreparedRun> {
  const { project, environment } = workspace
  const identities = identitiesOf(project, environment.vars, sha256)
  const selected = selectNames(project, request.selector, state, identities)
  const names = selected === undefined ? project.order : inOrder(project, selected)
  const full = selected === undefined
  const there = askAhead(session, { state, project, environment, names, full })
  const { analysis, unlocked, broken, reaches } = await checkedAnalysis(workspace, request, {
    state,
    selected,
    names,
  })
  const built = await there.built
  const renewal = renewalOf(workspace, request, { state, names, identities, built })
  const production = await there.production
  const missing = restorable(production.missing, { state, names, renewal })
  const chosen = request.selector === undefined ? [] : [request.selector]
  if (request.kind === 'run' && request.dryRun !== true)
    await askForReplaced(state, production, {
      mayReplace: request.mayReplace,
      damageOf: async () => buildDamage(built),
      again: svc => svc(`run ${commandWords(...chosen, '--replace-views')}`),
    })
  const { plan, planned } = forecastPlan({
    project,
    analysis,
    identities,
    environment,
    warehouse: warehouseLabel,
    state,
    definitions: await definitionsOf([
      ...modifiedHashes(state, names, identities),
      ...(full ? removedHashes(state, project) : []),
    ]),
    names,
    selector: request.selector,
    full,
    missing,
    renewal,
    noIngest: request.noIngest,
    allTests: request.allTests,
    promotes: request.kind === 'run',
    hash: sha256,
    removed: reaches.of,
  })
  if (session !== undefined) {
    await checkRoles(session, assetsOf(project, names))
    await checkForeignReaders(session, state, plan)
    await session.requireRoom?.(remadeViews(state, plan))
  }
  return {
    state,
    analysis,
    unlocked,
    broken,
    identities,
    plan,
    forecast: { state, planned },
    names,
    full,
    renewal,
    built,
    missing,
    repairs: repairsAmong(names, { state, renewal, damaged: production.damaged }),
    standing: new Map(),
  }
}

/** The view of an asset that the run does not build cannot be made again where somebody has dropped its table as well. */
function restorable(
  absent: ReadonlySet<string>,
  { state, names, renewal }: Pick<PreparedRun, 'state' | 'names' | 'renewal'>,
): ReadonlySet<string> {
  const built = new Set(names)
  const isThere = (asset: string) => {
    const build = state.builds.get(state.live.get(asset)?.build_key ?? '')
    return build === undefined || renewal.damageOf(build) !== 'gone'
  }
  return new Set([...absent].filter(asset => built.has(asset) || isThere(asset)))
}

function assetsOf({ byName }: Project, names: readonly string[]): Asset[] {
  return names.flatMap(name => byName.get(name) ?? [])
}

/**
 * Begins to ask what exists: the warehouse finds that out on threads of its own while the files are looked at. Of 10,000
 * assets that is a quarter of a second. An answer that nobody waits for any more may fail.
 */
function askAhead(session: WarehouseReader | undefined, run: Parameters<typeof productionViews>[0]) {
  const built = builtInventory(session, run.state)
  const production = productionCheck(session, run)
  void Promise.allSettled([built, production])
  return { built, production }
}

/** Throws SvcError `wrong-usage` if what is to be built anew is not part of the run. */
function renewalOf(
  { project }: Workspace,
  { refresh, refreshSalt }: RunRequest,
  { state, names, identities, built }: Pick<PreparedRun, 'state' | 'names' | 'identities' | 'built'>,
): Renewal {
  const damageOf = buildDamage(built)
  if (refresh === undefined) return { ...noRenewal, damageOf }
  const own = new Set(names)
  const wanted = refresh === 'all' ? names : (selectNames(project, refresh.selector, state, identities) ?? [])
  const assets = new Set(wanted.filter(name => own.has(name)))
  if (assets.size > 0 || names.length === 0) return { assets, salt: refreshSalt, damageOf }
  throw new SvcError('wrong-usage', '--full-refresh names nothing that this run builds', {
    hint: 'Select the same assets, or leave out one of the two selectors.',
  })
}

interface Checked {
  readonly state: StateSnapshot
  readonly selected: readonly string[] | undefined
  readonly names: readonly string[]
}

type Analysed = Pick<PreparedRun, 'analysis' | 'unlocked' | 'broken'> & { readonly reaches: ColumnReaches }

/**
 * Returns the analysis by which the run begins, and the assets that fail by their files: all others are worked on. Where files do
 * not fit what the lock knows of sources, a run fetches these first. A plan tells what a run of files without errors would do; of
 * columns that only the lock knows it shows none if they do not fit.
 */
async function checkedAnalysis(
  workspace: Workspace,
  { dryRun, noIngest }: RunRequest,
  { state, selected, names }: Checked,
): Promise<Analysed> {
  const check = (analysis: ProjectAnalysis, reaches: ColumnReaches): FileCheck => ({
    names: selected,
    breaks: () => [...brokenReaders(workspace.project, analysis, state, names), ...reaches.breaks],
  })
  // Without the columns that only the lock knows, if there are any and the sources are to be fetched.
  const withoutLocked = async () => (noIngest ? undefined : withoutLockedColumns(workspace, names))
  const told = async (analysis: ProjectAnalysis, unlocked: boolean): Promise<Analysed> => {
    const reaches = await columnReaches(workspace, analysis, state, names)
    checkFiles(workspace, analysis, check(analysis, reaches))
    return { analysis, unlocked, broken: [], reaches }
  }
  const locked = await workspace.analysis()
  if (dryRun) {
    try {
      return await told(locked, false)
    } catch (error) {
      const analysis = await withoutLocked()
      if (analysis === undefined) throw error
      return await told(analysis, true)
    }
  }
  const reaches = noReaches
  if (fileErrors(workspace, locked, selected).length === 0)
    return { analysis: locked, unlocked: false, broken: [], reaches }
  const unlocked = await withoutLocked()
  const analysis = unlocked ?? locked
  const broken = brokenFiles(workspace, analysis, check(analysis, reaches))
  return { analysis, unlocked: unlocked !== undefined, broken, reaches }
}

async function productionCheck(
  session: WarehouseReader | undefined,
  run: Parameters<typeof productionViews>[0],
): Promise<ProductionCheck> {
  if (session === undefined) return { missing: new Set(), damaged: new Map(), leaving: [] }
  return await checkProduction(session, run.state, productionViews(run))
}

/** Returns the deployed hashes of modified assets; the texts of all definitions would be megabytes. */
function modifiedHashes(state: StateSnapshot, names: readonly string[], identities: Identities): string[] {
  return names.flatMap(name => {
    const deployed = state.live.get(name)?.definition_hash
    return deployed === undefined || deployed === identities.definitionHash(name) ? [] : [deployed]
  })
}

/** The definitions of removed assets are in no file: they tell what goes with them. */
function removedHashes(state: StateSnapshot, project: Project): string[] {
  return removedFrom(state, project).map(live => live.definition_hash)
}
