/** Writes the files for other programs, at the end of every command that may change production. */
import { SvcError } from '../engine/errors.ts'
import type { RunReport } from '../engine/run/events.ts'
import type { AfterRun } from '../engine/run/run.ts'
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

/** A run together with its end, which goes on while the warehouse is closed. */
export async function runAndWrite(
  workspace: OpenedWorkspace,
  run: (after: AfterRun) => Promise<RunReport>,
): Promise<{ readonly report: RunReport; readonly problem: SvcError | undefined }> {
  let problem: SvcError | undefined
  const report = await run(async report => {
    problem = await afterRun(workspace, report)
  })
  return { report, problem }
}
