/** `svc status`: shows the active version of each asset (interface.md 4.4). */
import { definitionHash, svcIn } from '@svc/server/language'
import type { AssetStatus } from '../engine/run/versions.ts'
import { type OpenedWorkspace, sha256 } from '../engine/workspace/open-workspace.ts'
import { waitingLogLines } from '../render/backup.ts'
import { renderStatus, type StatusReport, type StatusRow, statusJson } from '../render/status.ts'
import { type Command, environmentOption, jsonOption, reportOf, usualExitCodes } from './command.ts'
import { sayWaiting } from './say-waiting.ts'

export const statusCommand: Command = {
  name: 'status',
  brief: 'the active version of every asset',
  summary: 'Show the active version of every asset, and what has changed since.',
  arguments: [],
  options: [
    environmentOption,
    {
      name: 'format',
      value: 'format',
      summary: 'how it is printed',
      choices: ['table', 'json'],
      default: 'table',
    },
    { ...jsonOption, summary: 'the same as --format json' },
  ],
  examples: [
    { line: 'svc status --env prod', says: 'what is live in prod' },
    { line: 'svc status --format json', says: '{"assets": [{"name": …, "active_hash": …}]}' },
  ],
  exitCodes: usualExitCodes,
  async run(context) {
    const workspace = await context.openWorkspace({ readSources: false })
    const { statusOf } = await import('../engine/run/versions.ts')
    const { err } = context.output
    const found = await statusOf(workspace, sayWaiting(context), log =>
      err.lines(waitingLogLines(log, svcIn(workspace.environment.name), err.style)),
    )
    const { name: environment, schema, branch } = workspace.environment
    const rows = found.map(status => ({ ...status, since: sinceThen(status, workspace) }))
    const report: StatusReport = { environment, schema, branch, rows, now: context.world.now() }
    return reportOf(report, renderStatus, statusJson)
  },
}

function sinceThen({ name, activeHash }: AssetStatus, workspace: OpenedWorkspace): StatusRow['since'] {
  const { project, environment } = workspace
  const asset = project.byName.get(name)
  if (asset === undefined) return 'file removed'
  if (activeHash === undefined) return 'not deployed'
  const hash = definitionHash(asset, project.engine, environment.vars, sha256)
  return hash === activeHash ? '' : 'modified'
}
