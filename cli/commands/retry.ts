/** `svc retry`: repeats the last failed run and reuses what it has built (decisions 3). */
import type { RetryPlan } from '../engine/run/retry.ts'
import { countOf, formatAge } from '../render/numbers.ts'
import { runReportJson } from '../render/run-report-json.ts'
import { wrap } from '../render/width.ts'
import {
  type Command,
  type CommandContext,
  environmentOption,
  type Report,
  tellingOptions,
} from './command.ts'
import { tellsEvents } from './progress.ts'
import { mayReplaceIn, replaceViewsOption } from './replace-views.ts'
import { runExitCodes, runResult } from './run-options.ts'
import { runToItsEnd } from './run-to-its-end.ts'

export const retryCommand: Command = {
  name: 'retry',
  brief: 'the last failed run once more',
  summary:
    'Repeat the last failed run with its original options: redo what failed or was held back, then promote everything.',
  arguments: [],
  options: [environmentOption, replaceViewsOption, ...tellingOptions],
  examples: [
    { line: 'svc retry', says: 'after fixing a file: what was built is not built again' },
    { line: 'svc retry --env prod', says: 'only sources that failed are fetched again' },
  ],
  exitCodes: { ...runExitCodes, 0: 'deployed, or nothing to retry' },
  async run(context) {
    const workspace = await context.openWorkspace()
    const { planRetry } = await import('../engine/run/retry.ts')
    const plan = await planRetry(workspace)
    if (!('run' in plan)) return nothing(plan.last, context)
    const again =
      plan.request.vars === undefined ? workspace : await context.openWorkspace({ vars: plan.request.vars })
    const { err } = context.output
    if (!tellsEvents(context)) err.lines(wrap(sentence(plan), err.style.width))
    const { report, problem } = await runToItsEnd(context, again, {
      ...plan.request,
      mayReplace: mayReplaceIn(context),
    })
    const result = runResult(report, problem, again, context)
    return {
      exitCode: result.exitCode,
      text: result.text,
      get json() {
        return { retried: plan.run.run_id, again: plan.again, report: runReportJson(report) }
      },
    }
  },
}

function nothing(
  last: { readonly run_id: string; readonly finished_at: string | null } | undefined,
  context: CommandContext,
): Report {
  const ageMs = context.world.now().getTime() - Date.parse(last?.finished_at ?? '')
  const why =
    last === undefined
      ? 'nothing has run here yet'
      : `the last run (${last.run_id}) succeeded ${formatAge(ageMs / 1000)}`
  return {
    exitCode: 0,
    text: style => (tellsEvents(context) ? [] : wrap(`Nothing to retry: ${why}.`, style.width)),
    json: { retried: null, again: [], report: null },
  }
}

function sentence({ run, again, taken }: RetryPlan): string {
  const what = `Retrying ${run.kind} ${run.run_id}${run.selector === null ? '' : ` of ${run.selector}`}`
  if (again.length === 0) return `${what}, which ended before it was done.`
  const others = taken === 0 ? '' : `; what it built of the other ${taken} is taken as it is`
  return `${what}: ${countOf(again.length, 'asset')} failed or ${again.length === 1 ? 'was' : 'were'} held back${others}.`
}
