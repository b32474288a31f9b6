/** `svc gc`: deletes what is no longer needed (decisions 3). */
import { gcJson, renderGc } from '../render/gc.ts'
import { type Command, environmentOption, tellingOptions } from './command.ts'
import { tellsEvents, withProgress } from './progress.ts'

export const gcCommand: Command = {
  name: 'gc',
  brief: 'delete what is no longer needed',
  summary:
    'Delete builds, schemas, fetched pages and records that are no longer needed; runs do it at their end too.',
  arguments: [],
  options: [
    environmentOption,
    { name: 'dry-run', summary: 'show what would be deleted, with sizes; delete nothing' },
    ...tellingOptions,
  ],
  examples: [
    { line: 'svc gc --dry-run', says: 'what would be deleted, and how much space it takes' },
    { line: 'svc gc --env prod', says: 'as at the end of a run, in all environments of the warehouse' },
  ],
  exitCodes: {
    0: 'done, or nothing to do',
    2: 'wrong usage or no project',
    3: 'warehouse or file failed, or another command is at work',
  },
  async run(context) {
    const workspace = await context.openWorkspace({ readSources: false })
    const { gc } = await import('../engine/run/gc.ts')
    const dryRun = context.options.flag('dry-run')
    const report = await withProgress(context, progress => gc(workspace, dryRun, progress.emit))
    return {
      exitCode: 0,
      text: style => (tellsEvents(context) ? [] : renderGc(report, style)),
      json: gcJson(report, workspace.environment.name),
    }
  },
}
