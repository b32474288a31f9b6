/** Brings an attempt to publish into the files that dashboards read; what cannot be written is told and changes nothing. */
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { renderError } from '../render/error.ts'
import type { CommandContext } from './command.ts'

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
