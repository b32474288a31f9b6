/** A run as every command has it that runs assets: told as it goes, written into files, sent to notifiers and OpenLineage. */
import type { RunRequest } from '../engine/run/run.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { runAndWrite } from './after-run.ts'
import type { CommandContext } from './command.ts'
import { withLineageEvents } from './lineage-events.ts'
import { withNotices } from './notices.ts'
import { withProgress } from './progress.ts'

export async function runToItsEnd(context: CommandContext, workspace: OpenedWorkspace, request: RunRequest) {
  const { runProject } = await import('../engine/run/run-project.ts')
  return withProgress(context, ({ emit }) =>
    withLineageEvents(context, workspace, emit, emit => {
      const work = (heard: typeof emit) =>
        runAndWrite(workspace, after => runProject(workspace, request, heard, after))
      // A preview changes nothing that somebody reads, so nobody is told of it.
      return request.kind === 'run' ? withNotices(context, workspace, emit, work) : work(emit)
    }),
  )
}
