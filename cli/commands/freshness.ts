/** `svc freshness`: prints OK, WARN or ERROR by the age of each asset (interface.md 3.2). */
import { freshnessJson, renderFreshness } from '../render/status.ts'
import { type Command, environmentOption, jsonOption, reportOf } from './command.ts'
import { noticeFreshness } from './notices.ts'

export const freshnessCommand: Command = {
  name: 'freshness',
  brief: 'ages against warn_after and error_after',
  summary: 'Compare the age of each asset with its warn_after and error_after.',
  arguments: [],
  options: [environmentOption, jsonOption],
  examples: [
    { line: 'svc freshness --env prod', says: 'a table with OK, WARN, ERROR' },
    { line: 'svc freshness --json', says: 'ages in seconds' },
  ],
  exitCodes: {
    0: 'no asset has ERROR',
    1: 'an asset has ERROR',
    2: 'wrong usage or no project',
    3: 'warehouse failed',
  },
  async run(context) {
    const workspace = await context.openWorkspace({ readSources: false })
    const { freshnessReport } = await import('../engine/quality/freshness-report.ts')
    const report = { environment: workspace.environment.name, rows: await freshnessReport(workspace) }
    await noticeFreshness(context, workspace, report.rows)
    const stale = report.rows.some(row => row.status === 'ERROR')
    return reportOf(report, renderFreshness, freshnessJson, stale ? 1 : 0)
  },
}
