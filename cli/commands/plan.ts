/** `svc plan`: shows what a run would do, and what it would break. Executes nothing (interface.md 4.4). */
import type { PlannedRun } from '../engine/run/plan-run.ts'
import type { ContractCheck } from '../engine/workspace/contract-checks.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { breaksOf, type LastLoad, type PlanReport, planJson, renderPlan } from '../render/plan.ts'
import { renderPlanMarkdown } from '../render/plan-markdown.ts'
import {
  type Command,
  type CommandContext,
  debugOption,
  environmentOption,
  jsonOption,
  type Report,
} from './command.ts'
import { withTelling } from './progress.ts'
import { refreshOf, refreshOption } from './refresh.ts'
import { selectionOptions, selectorArgument, selectorOf } from './selection.ts'
import { varsOf, varsOption } from './vars.ts'

export const planCommand: Command = {
  name: 'plan',
  brief: 'what a run would do, and what it breaks',
  summary: 'Show what a run would do: new, modified, rebuilt, reused, removed, and what breaks downstream.',
  arguments: [selectorArgument],
  options: [
    ...selectionOptions,
    environmentOption,
    { name: 'offline', summary: 'do not check contracts against their sources' },
    { name: 'no-ingest', summary: 'plan a run that fetches nothing' },
    { name: 'all-tests', summary: 'plan a run of unchanged tests too' },
    refreshOption,
    varsOption,
    { name: 'diff', summary: 'show all changed lines of SQL; short diffs are shown anyway' },
    {
      name: 'format',
      value: 'format',
      summary: 'how it is printed; markdown is for a pull request',
      choices: ['text', 'json', 'markdown'],
      default: 'text',
    },
    debugOption,
    { ...jsonOption, summary: 'the same as --format json' },
  ],
  examples: [
    { line: 'svc plan --env prod', says: 'all assets against what is live in prod' },
    { line: 'svc plan daily_sales+ --offline', says: 'one asset and all that reads it' },
  ],
  exitCodes: {
    0: 'planned',
    1: 'a file has errors, a change breaks readers or loses gathered rows, or a source breaks its contract',
    2: 'wrong usage, no project or unknown asset',
    3: 'a source could not be reached, or the warehouse failed',
  },
  run: context =>
    planReport(context, {
      selector: selectorOf(context),
      promotes: true,
      offline: context.options.flag('offline'),
    }),
}

export interface PlanWishes {
  readonly selector: string | undefined
  readonly promotes: boolean
  readonly offline?: boolean
}

export async function planReport(context: CommandContext, wishes: PlanWishes): Promise<Report> {
  const { options, world } = context
  const vars = varsOf(options.texts('vars'))
  const workspace = await context.openWorkspace({ vars })
  const { planWithState } = await import('../engine/run/plan-run.ts')
  const request = {
    kind: wishes.promotes ? ('run' as const) : ('preview' as const),
    selector: wishes.selector,
    noIngest: options.flag('no-ingest'),
    allTests: options.flag('all-tests'),
    refresh: refreshOf(context),
  }
  const planned = await withTelling(context, emit => planWithState(workspace, request, emit))
  const { plan } = planned
  const contracts = wishes.offline === true ? [] : await contractsOf(workspace, planned)
  const lastLoads = await lastLoadsOf(workspace, planned)
  const diff = options.has('diff') && options.flag('diff') ? 'all' : 'small'
  const { fileWarnings, marks, refusals, repairs } = planned
  const now = world.now()
  const found = { contracts, lastLoads, fileWarnings, marks, refusals, repairs }
  const { isDetached } = workspace.environment
  const report: PlanReport = { plan, ...found, isDetached, now, diff }
  const textOf = (path: string) => workspace.textOf(path)
  const asMarkdown = options.has('format') && options.text('format') === 'markdown'
  return {
    exitCode: exitCodeOf(planned, contracts),
    text: style => (asMarkdown ? renderPlanMarkdown(report, textOf) : renderPlan(report, textOf, style)),
    get json() {
      return planJson(report, textOf)
    },
  }
}

async function contractsOf(
  workspace: OpenedWorkspace,
  { plan, state }: PlannedRun,
): Promise<ContractCheck[]> {
  const { checkContracts } = await import('../engine/workspace/contract-checks.ts')
  const { liveTables } = await import('../engine/plan/last-load.ts')
  const names = plan.assets.filter(asset => asset.change !== 'removed').map(asset => asset.name)
  return checkContracts(workspace, names, name => liveTables(state, name))
}

async function lastLoadsOf(workspace: OpenedWorkspace, { drifted }: PlannedRun): Promise<LastLoad[]> {
  if (drifted.length === 0) return []
  const { withReaders } = await import('../engine/workspace/contract-checks.ts')
  const loads: LastLoad[] = []
  for (const { load, changes } of drifted) {
    const drift = await withReaders(workspace, load.asset, changes)
    loads.push({ asset: load.asset, runId: load.run_id, drift })
  }
  return loads
}

function exitCodeOf({ plan, refusals }: PlannedRun, contracts: readonly ContractCheck[]): number {
  if (breaksOf(plan).length > 0 || refusals.length > 0 || contracts.some(check => check.status === 'broken'))
    return 1
  return contracts.some(check => check.status === 'undone') ? 3 : 0
}
