/** Writes the files for other programs, at the end of every command that may change production. */
import { SvcError } from '../engine/errors.ts'
import type { RunReport } from '../engine/run/events.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'

/**
 * Returns the error if a file cannot be written. The deployment stays, so its report is printed all the same.
 */
export async function afterRun(workspace: OpenedWorkspace, report: RunReport): Promise<SvcError | undefined> {
  const { writeArtifacts } = await import('../engine/artifacts/write-artifacts.ts')
  try {
    await writeArtifacts(workspace, { tests: report.tests, state: report.state })
    return undefined
  } catch (error) {
    if (error instanceof SvcError) return error
    throw error
  }
}
