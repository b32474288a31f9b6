/** `svc run` and `svc preview` (interface.md 3.1 and 4.4). */
import type { PromotionMode } from '@svc/server/language'
import type { Command, CommandContext, Report } from './command.ts'
import { planReport } from './plan.ts'
import { tellsEvents } from './progress.ts'
import { refreshOf } from './refresh.ts'
import { mayReplaceIn, replaceViewsOption } from './replace-views.ts'
import { runExitCodes, runOptions, runResult } from './run-options.ts'
import { runToItsEnd } from './run-to-its-end.ts'
import { selectorArgument, selectorOf } from './selection.ts'
import { varsOf } from './vars.ts'

export const runCommand: Command = {
  name: 'run',
  brief: 'fetch, build, test, then promote in one step',
  summary: 'Fetch, build and test beside production, then promote everything in one step.',
  arguments: [selectorArgument],
  options: [
    ...runOptions,
    {
      name: 'promote',
      value: 'how much',
      summary: 'on failure: nothing or what passed',
      choices: ['whole', 'passed'],
    },
    replaceViewsOption,
  ],
  examples: [
    { line: 'svc run', says: 'all assets in dev; unchanged ones are reused' },
    { line: 'svc run +daily_sales --env prod', says: 'one asset and all that it reads, in prod' },
  ],
  exitCodes: runExitCodes,
  run: context => execute('run', context),
}

export const previewCommand: Command = {
  name: 'preview',
  brief: 'the same without promoting',
  summary: 'Fetch, build and test beside production, and stop there: nothing is promoted.',
  arguments: [selectorArgument],
  options: runOptions,
  examples: [
    { line: 'svc preview', says: 'build and test everything that changed' },
    { line: 'svc preview daily_sales+', says: 'one asset and all that reads it; then svc promote <run>' },
  ],
  exitCodes: { ...runExitCodes, 0: 'the preview is ready' },
  run: context => execute('preview', context),
}

async function execute(kind: 'run' | 'preview', context: CommandContext): Promise<Report> {
  const selector = selectorOf(context)
  const { options } = context
  const threads = options.count('threads')
  if (options.flag('dry-run')) {
    const planned = await planReport(context, { selector, promotes: kind === 'run' })
    return tellsEvents(context) ? asEvent(planned, context) : planned
  }
  const vars = varsOf(options.texts('vars'))
  const workspace = await context.openWorkspace({ opensWarehouse: true, vars })
  const request = {
    kind,
    selector,
    noIngest: options.flag('no-ingest'),
    allTests: options.flag('all-tests'),
    threads,
    ...(options.flag('strict') && { strict: true }),
    promotion: kind === 'run' ? promotionOf(options.text('promote')) : undefined,
    refresh: refreshOf(context),
    ...(kind === 'run' && { mayReplace: mayReplaceIn(context) }),
    ...(Object.keys(vars).length === 0 ? {} : { vars }),
  }
  const { report, problem } = await runToItsEnd(context, workspace, request)
  return runResult(report, problem, workspace, context)
}

function promotionOf(given: string | undefined): PromotionMode | undefined {
  return given === 'whole' || given === 'passed' ? given : undefined
}

/** With `--dry-run --log-format json`, the plan is the only event. */
function asEvent(planned: Report, { world }: CommandContext): Report {
  const event = { at: world.now().toISOString(), run_id: null, type: 'plan', plan: planned.json }
  return { ...planned, text: () => [JSON.stringify(event)] }
}
