/** The parts that `run` and `preview` share: selector, options, and printing of the report. */
import type { SvcError } from '../engine/errors.ts'
import type { EmitEvent, RunReport } from '../engine/run/events.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import type { Workspace } from '../engine/workspace/workspace.ts'
import { renderError } from '../render/error.ts'
import type { OptionHelp } from '../render/help.ts'
import { logLines, renderRunReport } from '../render/run-report.ts'
import { runReportJson } from '../render/run-report-json.ts'
import type { Style } from '../render/style.ts'
import { afterRun } from './after-run.ts'
import { type CommandContext, environmentOption, type Report, tellingOptions } from './command.ts'
import { withLineageEvents } from './lineage-events.ts'
import { tellsEvents, withProgress } from './progress.ts'
import { refreshOption } from './refresh.ts'
import { selectionOptions } from './selection.ts'
import { varsOption } from './vars.ts'

export const runOptions: readonly OptionHelp[] = [
  ...selectionOptions,
  environmentOption,
  { name: 'all', summary: 'all assets, as without a selector' },
  { name: 'dry-run', summary: 'show the plan, move no data' },
  { name: 'no-ingest', summary: 'build on what was loaded last, fetch nothing' },
  { name: 'all-tests', summary: 'run unchanged tests too' },
  { name: 'strict', summary: 'new warnings fail the run before its promotion' },
  refreshOption,
  varsOption,
  { name: 'threads', value: 'number', summary: 'sources fetched and assets built at the same time' },
  ...tellingOptions,
]

export const runExitCodes = {
  0: 'deployed, or nothing to do',
  1: 'an asset or a test failed; production is as before',
  2: 'wrong usage, no project or unknown asset',
  3: 'warehouse, network or file failed',
}

/**
 * `problem` is an error after the run, when its outcome was already final: it is told, and the exit code says what happened
 * to production.
 */
export function runResult(
  report: RunReport,
  problem: SvcError | undefined,
  { textOf }: Pick<Workspace, 'textOf'>,
  context: CommandContext,
): Report {
  const { err } = context.output
  if (problem !== undefined) err.lines(renderError(afterTheRun(problem, report), err.style))
  const lines = (style: Style) => [
    ...renderRunReport(report, textOf, style),
    ...logOf(report, context, style),
  ]
  if (tellsEvents(context) && report.failure !== undefined) err.lines(lines(err.style))
  return {
    exitCode: report.failure?.exitCode ?? 0,
    // With events, stdout contains nothing else.
    text: style => (tellsEvents(context) ? [] : lines(style)),
    // Computed on demand: it contains the place of every test, and finding these means parsing every file.
    get json() {
      return runReportJson(report)
    },
  }
}

/** Runs what makes builds live that are there already. */
export async function moveProduction(
  context: CommandContext,
  workspace: OpenedWorkspace,
  move: (emit: EmitEvent) => Promise<RunReport>,
): Promise<Report> {
  const { report } = await withProgress(context, ({ emit }) =>
    withLineageEvents(context, workspace, emit, async emit => ({ report: await move(emit) })),
  )
  return runResult(report, await afterRun(workspace, report), workspace, context)
}

/** The warehouse is complete; only files beside it are not those of this run. */
function afterTheRun({ code, message, place, hint }: SvcError, { runId, failure }: RunReport) {
  const what = failure === undefined ? `Run ${runId} is complete all the same` : 'The run itself has failed'
  const stale = 'the dashboard and other programs see the run before, until the next one writes these files.'
  return { code, message, place, hint: `${what}; ${stale}${hint === undefined ? '' : ` ${hint}`}` }
}

function logOf({ failure, runId }: RunReport, { trace }: CommandContext, style: Style): string[] {
  return failure === undefined || trace.log === undefined ? [] : logLines(runId, trace.log, style)
}
