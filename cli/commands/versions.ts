/** `svc versions <asset_name>`: lists Hash, Deployed At, Status (interface.md 4.4). */
import { renderVersions, versionsJson } from '../render/status.ts'
import { type Command, environmentOption, jsonOption, reportOf, usualExitCodes } from './command.ts'
import { withNearestName } from './nearest-asset.ts'

export const versionsCommand: Command = {
  name: 'versions',
  brief: 'the versions of an asset',
  summary: 'List the versions of an asset, newest first.',
  arguments: [{ name: 'asset_name', summary: 'name of the asset', required: true }],
  options: [environmentOption, jsonOption],
  examples: [
    { line: 'svc versions daily_sales', says: 'in dev' },
    { line: 'svc versions daily_sales --env prod --json', says: 'in prod, as JSON' },
  ],
  exitCodes: usualExitCodes,
  async run(context) {
    const workspace = await context.openWorkspace({ readSources: false })
    const { versions } = await import('../engine/run/versions.ts')
    const asset = context.arguments[0] ?? ''
    const report = {
      asset,
      environment: workspace.environment.name,
      versions: await withNearestName(workspace, asset, () => versions(workspace, asset)),
    }
    return reportOf(report, renderVersions, versionsJson)
  },
}
