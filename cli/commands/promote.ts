/** `svc promote <run>`: makes a preview live exactly as it was built and tested (decisions 3). */
import { type Command, environmentOption, tellingOptions } from './command.ts'
import { mayReplaceIn, replaceViewsOption } from './replace-views.ts'
import { moveProduction } from './run-options.ts'

export const promoteCommand: Command = {
  name: 'promote',
  brief: 'promote a kept preview',
  summary: 'Promote a kept preview in one step, without building again.',
  arguments: [{ name: 'run', summary: 'id of the preview, as svc preview printed it', required: true }],
  options: [environmentOption, replaceViewsOption, ...tellingOptions],
  examples: [
    { line: 'svc promote 5h1t8zkq2m', says: 'dev shows what that preview has built' },
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
    return await moveProduction(context, workspace, emit =>
      promoteRun(workspace, runId, emit, mayReplaceIn(context)),
    )
  },
}
