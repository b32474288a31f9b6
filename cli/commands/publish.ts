/** `svc publish <asset_name> --to <destination>`: sends production to another system (interface.md 4.4). */
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { publishJson, renderPublish } from '../render/publish.ts'
import { logLines } from '../render/run-report.ts'
import { afterPublish } from './after-run.ts'
import { type Command, type CommandContext, environmentOption, tellingOptions } from './command.ts'
import { withLineageEvents } from './lineage-events.ts'
import { tellsEvents, withProgress, withTelling } from './progress.ts'

export const publishCommand: Command = {
  name: 'publish',
  brief: 'send an asset of production to another system',
  summary: 'Send to another system what production has of an asset and that system has not acknowledged.',
  arguments: [{ name: 'asset_name', summary: 'name of the asset', required: true }],
  options: [
    {
      name: 'to',
      value: 'destination',
      summary: 'a target of the asset, or a destination of svc.yaml (required)',
    },
    environmentOption,
    { name: 'dry-run', summary: 'show counts and samples, send nothing' },
    { name: 'full-refresh', summary: 'send every row, also those that were acknowledged' },
    { name: 'allow-mass-change', summary: 'change or delete more than max_change allows' },
    { name: 'strict', summary: 'new warnings stop it before anything is sent' },
    ...tellingOptions,
  ],
  examples: [
    { line: 'svc publish customers --to crm --dry-run', says: 'what would be inserted, updated, deleted' },
    { line: 'svc publish customers --to crm --env prod', says: 'what is live in prod, from a scheduler' },
  ],
  exitCodes: {
    0: 'all is acknowledged, or nothing to do',
    1: 'rows were refused, or a policy, max_change or --strict stopped it',
    2: 'wrong usage, no project, unknown asset or destination',
    3: 'the destination, the warehouse or the network failed',
  },
  async run(context) {
    const workspace = await context.openWorkspace()
    const request = requestOf(context, workspace)
    const { publishAsset } = await import('../engine/publish/publish-asset.ts')
    const report = request.isDryRun
      ? await withTelling(context, emit => publishAsset(workspace, request, emit))
      : await withProgress(context, progress =>
          withLineageEvents(context, workspace, progress.emit, emit =>
            publishAsset(workspace, request, emit),
          ),
        ).finally(() => afterPublish(workspace, context))
    const asEvents = tellsEvents(context) && !request.isDryRun
    const { log, runId } = context.trace
    const { refused, invalid } = report.done
    return {
      exitCode: refused + invalid > 0 ? 1 : 0,
      text: style =>
        asEvents
          ? []
          : [
              ...renderPublish(report, style),
              ...(log !== undefined && refused + invalid > 0 ? logLines(runId ?? '', log, style) : []),
            ],
      json: publishJson(report),
    }
  },
}

function requestOf({ arguments: words, options }: CommandContext, workspace: OpenedWorkspace) {
  const to = options.text('to')
  if (to === undefined) {
    throw new SvcError('wrong-usage', 'svc publish needs --to', {
      hint: svc => {
        const asset = workspace.asset(words[0] ?? '')
        const targets = Object.keys(asset.definition.publish)
        return targets.length === 0
          ? `"${asset.name}" has no destination: its key publish names them.`
          : `Name the destination: ${targets.map(name => svc(`publish ${asset.name} --to ${name}`)).join(' or ')}.`
      },
    })
  }
  return {
    asset: words[0] ?? '',
    to,
    isDryRun: options.flag('dry-run'),
    isFull: options.flag('full-refresh'),
    allowsMassChange: options.flag('allow-mass-change'),
    ...(options.flag('strict') && { isStrict: true }),
  }
}
