/** `svc promote <run>`: makes a preview live exactly as it was built and tested (decisions 3). */
import { afterRun } from './after-run.ts'
import { type Command, debugOption, environmentOption, jsonOption, logFormatOption } from './command.ts'
import { withLineageEvents } from './lineage-events.ts'
import { withProgress } from './progress.ts'
import { runResult } from './run-options.ts'

export const promoteCommand: Command = {
  name: 'promote',
  brief: 'promote a kept preview',
  summary: 'Promote a kept preview in one step, without building again.',
  arguments: [{ name: 'run', summary: 'id of the preview, as svc preview printed it', required: true }],
  options: [environmentOption, debugOption, logFormatOption, jsonOption],
  examples: [
    { line: 'svc promote 5h1t8zkq2m', says: 'what that preview built becomes production of dev' },
    { line: 'svc promote 5h1t8zkq2m --env prod', says: 'the same in prod' },
  ],
  exitCodes: {
    0: 'promoted',
    1: 'production has moved since the preview, or it failed its tests',
    2: 'wrong usage, no project or unknown run',
    3: 'warehouse or file failed',
  },
  async run(context) {
    const workspace = await context.openWorkspace()
    const { promoteRun } = await import('../engine/run/promote-run.ts')
    const runId = context.arguments[0] ?? ''
    const { report } = await withProgress(context, progress =>
      withLineageEvents(context, workspace, progress.emit, async emit => ({
        report: await promoteRun(workspace, runId, emit),
      })),
    )
    const problem = await afterRun(workspace, report)
    return runResult(report, problem, workspace, context)
  },
}
