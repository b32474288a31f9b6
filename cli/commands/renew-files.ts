/** Before what runs have written is told to somebody: the files are brought to the state that the warehouse has now. */
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { wrap } from '../render/width.ts'
import type { CommandContext } from './command.ts'

/** A warehouse that cannot be read leaves the files as they are, and that is said. */
export async function renewFiles(
  { output: { err } }: Pick<CommandContext, 'output'>,
  workspace: OpenedWorkspace,
): Promise<void> {
  const { bringUpToDate } = await import('../engine/artifacts/write-artifacts.ts')
  try {
    await bringUpToDate(workspace)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    const said = `Versions, times and test results are those of the last run here: ${error.message}.`
    err.lines(wrap(said, err.style.width))
  }
}
