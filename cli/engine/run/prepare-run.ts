/**
 * Prepares a run, a dry run or a plan: selects assets, checks files, makes the plan, refuses foreign objects.
 * Changes nothing.
 */
import type { ProjectAnalysis } from '@svc/server/language'
import { brokenReaders } from '../plan/column-changes.ts'
import { type Identities, identitiesOf } from '../plan/identities.ts'
import { forecastPlan, inOrder } from '../plan/make-plan.ts'
import type { Breakage, Plan } from '../plan/plan.ts'
import type { StepPlan } from '../plan/plan-steps.ts'
import { productionViews } from '../plan/production-views.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { WarehouseReader } from '../warehouse/warehouse.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { checkFiles, refuseBreaks } from './check-files.ts'
import { checkProduction } from './foreign-objects.ts'
import { checkForeignReaders } from './foreign-readers.ts'
import type { RunRequest } from './run.ts'
import { selectNames } from './select-names.ts'

export interface PreparedRun {
  readonly state: StateSnapshot
  readonly analysis: ProjectAnalysis
  readonly identities: Identities
  readonly plan: Plan
  /** The steps of the plan, and the state that they were made from. */
  readonly forecast: { readonly state: StateSnapshot; readonly planned: StepPlan }
  /** The run's assets, parents first. */
  readonly names: readonly string[]
  /** Whether all assets are selected; live assets that are not among them are then removed. */
  readonly full: boolean
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
  const analysis = await workspace.analysis()
  const names = selected === undefined ? project.order : inOrder(project, selected)
  const breaks = checkFiles(workspace, analysis, {
    names: selected,
    breaks: () => brokenReaders(project, analysis, state, names),
  })
  if (!request.dryRun) refuseBreaks(workspace, brokenIn(breaks, names))
  const full = selected === undefined
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
    noIngest: request.noIngest,
    allTests: request.allTests,
    promotes: request.kind === 'run',
    hash: sha256,
  })
  if (session !== undefined) await checkForeignReaders(session, state, plan)
  const forecast = { state, planned }
  return { state, analysis, identities, plan, forecast, names, full, missing, standing: new Map() }
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
