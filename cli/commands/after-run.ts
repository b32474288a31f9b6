/** What every command that may change production does at its end: the files that other programs read. */
import type { RunReport } from '../engine/run/events.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'

export async function afterRun(workspace: OpenedWorkspace, report: RunReport): Promise<void> {
  const { writeArtifacts } = await import('../engine/artifacts/write-artifacts.ts')
  await writeArtifacts(workspace, { tests: report.tests })
}
