/**
 * `svc rollback`: returns production to an earlier state in one transaction (interface.md 3.1, decisions 2).
 */
import { SvcError } from '../engine/errors.ts'
import type { RollbackRequest } from '../engine/run/previous-maps.ts'
import { renderRollbackPreview, rollbackPreviewJson } from '../render/rollback-preview.ts'
import {
  type Command,
  type CommandContext,
  environmentOption,
  type Report,
  reportOf,
  tellingOptions,
} from './command.ts'
import { tellsEvents, withTelling } from './progress.ts'
import { mayReplaceIn, replaceViewsOption } from './replace-views.ts'
import { moveProduction } from './run-options.ts'

export const rollbackCommand: Command = {
  name: 'rollback',
  brief: 'production as it was before',
  summary: 'Return production to the state before the last deployment; a second rollback undoes it.',
  arguments: [
    {
      name: 'asset_names',
      summary: 'only these assets, separated by commas',
      variadic: true,
    },
  ],
  options: [
    environmentOption,
    { name: 'all', summary: 'all assets, as without names' },
    { name: 'to', value: 'run', summary: 'all assets as this earlier run deployed them' },
    { name: 'dry-run', summary: 'show what would change, change nothing' },
    replaceViewsOption,
    ...tellingOptions,
  ],
  examples: [
    { line: 'svc rollback', says: 'the whole of dev, as before its last run' },
    {
      line: 'svc rollback daily_sales,best_customers --env prod',
      says: 'two assets of prod take their previous build',
    },
  ],
  exitCodes: {
    0: 'rolled back, or shown what would change',
    1: 'there is nothing to roll back to',
    2: 'wrong usage, no project, unknown asset or run',
    3: 'warehouse or file failed',
  },
  async run(context) {
    const names = namesOf(context)
    const to = context.options.text('to')
    const request = { ...(names !== undefined && { names }), ...(to !== undefined && { to }) }
    if (context.options.flag('dry-run')) return preview(context, request)
    const workspace = await context.openWorkspace()
    const { rollback } = await import('../engine/run/rollback.ts')
    return await moveProduction(context, workspace, emit =>
      rollback(workspace, request, emit, mayReplaceIn(context)),
    )
  },
}

async function preview(context: CommandContext, request: RollbackRequest): Promise<Report> {
  if (tellsEvents(context)) {
    throw new SvcError('wrong-usage', '--dry-run cannot be combined with --log-format json', {
      hint: 'A dry run has no events: use --json.',
    })
  }
  const workspace = await context.openWorkspace({ readSources: false })
  const { previewRollback } = await import('../engine/run/preview-rollback.ts')
  const found = await withTelling(context, emit => previewRollback(workspace, request, emit))
  const { environment, project } = workspace
  const report = { environment: environment.name, ...found, engine: project.engine, now: context.world.now() }
  return reportOf(report, renderRollbackPreview, rollbackPreviewJson)
}

/** Returns the names: `a,b c` are three; none, or `--all`, means all assets. */
function namesOf(context: CommandContext): string[] | undefined {
  const names = context.rest
    .flatMap(word => word.split(','))
    .map(name => name.trim())
    .filter(name => name !== '')
  const to = context.options.text('to')
  if (to !== undefined && (names.length > 0 || context.options.flag('all'))) {
    throw new SvcError('wrong-usage', '--to cannot be combined with asset names or --all', {
      hint: 'It brings back everything that the run deployed.',
    })
  }
  if (names.length > 0 && context.options.flag('all')) {
    throw new SvcError('wrong-usage', '--all cannot be combined with asset names', {
      hint: 'Leave out one of them.',
    })
  }
  // An empty variable of a script must not roll back everything.
  if (names.length === 0 && context.rest.length > 0) {
    throw new SvcError('wrong-usage', 'the asset names are empty', {
      hint: 'Leave them out, or write --all, to roll back everything.',
    })
  }
  return names.length === 0 ? undefined : [...new Set(names)]
}
