/**
 * Prepares a run, a dry run or a plan: selects assets, checks files, makes the plan, refuses foreign objects.
 * Changes nothing.
 */
import type { ProjectAnalysis } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { brokenReaders } from '../plan/column-changes.ts'
import { type Identities, identitiesOf } from '../plan/identities.ts'
import { forecastPlan, inOrder } from '../plan/make-plan.ts'
import type { Breakage, Plan } from '../plan/plan.ts'
import type { StepPlan } from '../plan/plan-steps.ts'
import { productionViews } from '../plan/production-views.ts'
import { noRenewal, type Renewal } from '../plan/renewal.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { WarehouseReader } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Failure } from './asset-failure.ts'
import { brokenFiles, checkFiles, fileErrors, refuseBreaks } from './check-files.ts'
import { checkProduction } from './foreign-objects.ts'
import { checkForeignReaders } from './foreign-readers.ts'
import { goneRelations } from './gone-relations.ts'
import { withoutLockedColumns } from './judge-sources.ts'
import { promotesPassed, type RunRequest } from './run.ts'
import { selectNames } from './select-names.ts'

export interface PreparedRun {
  readonly state: StateSnapshot
  readonly analysis: ProjectAnalysis
  /** The assets that fail by their files, if the rest is to be promoted; otherwise such a run is refused. */
  readonly broken: readonly (Failure & { readonly asset: string })[]
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
  /** The assets whose view was dropped by hand. */
  readonly missing: ReadonlySet<string>
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
  const { analysis, unlocked, broken } = await checkedAnalysis(workspace, request, { state, selected, names })
  const full = selected === undefined
  const renewal = await renewalOf(session, workspace, request, { state, names, identities })
  const missing = await missingViews(session, { state, project, environment, names, full })
  const { plan, planned } = forecastPlan({
    project,
    analysis,
    identities,
    environment,
    warehouse: warehouseLabel,
    state,
    definitions: await definitionsOf(modifiedHashes(state, names, identities)),
    names,
    selector: request.selector,
    full,
    missing,
    renewal,
    noIngest: request.noIngest,
    allTests: request.allTests,
    promotes: request.kind === 'run',
    hash: sha256,
  })
  if (session !== undefined) await checkForeignReaders(session, state, plan)
  const forecast = { state, planned }
  return {
    state,
    analysis,
    unlocked,
    broken,
    identities,
    plan,
    forecast,
    names,
    full,
    renewal,
    missing,
    standing: new Map(),
  }
}

/** Throws SvcError `wrong-usage` if what is to be built anew is not part of the run. */
async function renewalOf(
  session: WarehouseReader | undefined,
  { project }: Workspace,
  { refresh, refreshSalt }: RunRequest,
  { state, names, identities }: Pick<PreparedRun, 'state' | 'names' | 'identities'>,
): Promise<Renewal> {
  const isGone = await goneRelations(session, state)
  if (refresh === undefined) return { ...noRenewal, isGone }
  const own = new Set(names)
  const wanted = refresh === 'all' ? names : (selectNames(project, refresh.selector, state, identities) ?? [])
  const assets = new Set(wanted.filter(name => own.has(name)))
  if (assets.size > 0 || names.length === 0) return { assets, salt: refreshSalt, isGone }
  throw new SvcError('wrong-usage', '--full-refresh names nothing that this run builds', {
    hint: 'Select the same assets, or leave out one of the two selectors.',
  })
}

interface Checked {
  readonly state: StateSnapshot
  readonly selected: readonly string[] | undefined
  readonly names: readonly string[]
}

/**
 * Returns the analysis of files that are free of errors. Where they do not fit what the lock knows of sources, a run fetches
 * these first, and a plan of files that are fine otherwise shows no columns of them.
 */
async function checkedAnalysis(
  workspace: Workspace,
  request: RunRequest,
  { state, selected, names }: Checked,
): Promise<Pick<PreparedRun, 'analysis' | 'unlocked' | 'broken'>> {
  const check = (analysis: ProjectAnalysis, unlocked: boolean) => {
    const breaksOf = () => brokenReaders(workspace.project, analysis, state, names)
    const files = { names: selected, breaks: breaksOf }
    if (keepsBroken) return { analysis, unlocked, broken: brokenFiles(workspace, analysis, files) }
    const breaks = checkFiles(workspace, analysis, files)
    if (!request.dryRun) refuseBreaks(workspace, brokenIn(breaks, names))
    return { analysis, unlocked, broken: [] }
  }
  const keepsBroken = request.dryRun !== true && promotesPassed({ workspace, request })
  const analysis = await workspace.analysis()
  if (keepsBroken) {
    const hasErrors = fileErrors(workspace, analysis, selected).length > 0
    const without = hasErrors && !request.noIngest ? await withoutLockedColumns(workspace, names) : undefined
    return check(without ?? analysis, without !== undefined)
  }
  try {
    return check(analysis, false)
  } catch (error) {
    const without = request.noIngest ? undefined : await withoutLockedColumns(workspace, names)
    if (without === undefined) throw error
    return check(without, true)
  }
}

/**
 * A reader that is not part of the run is not broken: it stays on its old build, which still has the column.
 */
function brokenIn(breaks: readonly Breakage[], names: readonly string[]): Breakage[] {
  const selected = new Set(names)
  return breaks.filter(({ asset }) => selected.has(asset))
}

async function missingViews(
  session: WarehouseReader | undefined,
  run: Parameters<typeof productionViews>[0],
): Promise<ReadonlySet<string>> {
  if (session === undefined) return new Set()
  return (await checkProduction(session, run.state, productionViews(run))).missing
}

/** Returns the deployed hashes of modified assets only; the texts of all definitions would be megabytes. */
function modifiedHashes(state: StateSnapshot, names: readonly string[], identities: Identities): string[] {
  return names.flatMap(name => {
    const deployed = state.live.get(name)?.definition_hash
    return deployed === undefined || deployed === identities.definitionHash(name) ? [] : [deployed]
  })
}
