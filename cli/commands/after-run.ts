/** Writes the files for other programs, at the end of every command that may change production. */
import { SvcError } from '../engine/errors.ts'
import type { RunReport } from '../engine/run/events.ts'
import type { AfterRun } from '../engine/run/run.ts'
import { reportVerdict } from '../engine/run/run-verdict.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { renderError } from '../render/error.ts'
import type { CommandContext } from './command.ts'

/**
 * Returns the error if a file cannot be written. The deployment stays, so its report is printed all the same.
 */
export async function afterRun(workspace: OpenedWorkspace, report: RunReport): Promise<SvcError | undefined> {
  const { writeArtifacts } = await import('../engine/artifacts/write-artifacts.ts')
  try {
    const { runId, tests, state, times } = report
    await writeArtifacts(workspace, { tests, state, times, ended: { runId, verdict: reportVerdict(report) } })
    return undefined
  } catch (error) {
    if (error instanceof SvcError) return error
    throw error
  }
}

/** A run together with its end, which goes on while the warehouse is closed. */
export async function runAndWrite(workspace: OpenedWorkspace, run: (after: AfterRun) => Promise<RunReport>) {
  let problem: SvcError | undefined
  const report = await run(async report => {
    problem = await afterRun(workspace, report)
  }).catch(async error => {
    await afterBreakOff(workspace, error)
    throw error
  })
  return { report, problem }
}

/**
 * A run that was refused or broke off is in the history too. What keeps others out of the warehouse keeps this out as well, and
 * the error that ended the run is the one to report.
 */
export async function afterBreakOff(workspace: OpenedWorkspace, error: unknown): Promise<void> {
  if (error instanceof SvcError && shutOut.has(error.code)) return
  const { writeRunHistory } = await import('../engine/artifacts/write-artifacts.ts')
  await writeRunHistory(workspace).catch(() => undefined)
}

const shutOut: ReadonlySet<string> = new Set(['lease-held', 'lease-lost', 'warehouse-locked', 'interrupted'])

/** Brings an attempt to publish into the files that dashboards read; what cannot be written is told and changes nothing. */
export async function afterPublish(workspace: OpenedWorkspace, { output }: CommandContext): Promise<void> {
  const { writePublishes } = await import('../engine/artifacts/write-publishes.ts')
  try {
    await writePublishes(workspace)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    // The error of the publish itself, if there is one, is the one that matters.
    output.err.lines(renderError(error, output.err.style))
  }
}
