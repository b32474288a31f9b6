/** Before what runs have written is told to somebody: the files are brought to the state that the warehouse has now. */
import { renewalWord } from '../dashboard/file-renewal.ts'
import { SvcError } from '../engine/errors.ts'
import type { OpenedWorkspace } from '../engine/workspace/open-workspace.ts'
import { wrap } from '../render/width.ts'
import { type Command, type CommandContext, environmentOption } from './command.ts'

/** What `svc ui` runs beside itself; it is in no help. */
export const renewCommand: Command = {
  name: renewalWord,
  brief: 'bring the files of .svc to the state of the warehouse',
  summary: 'Write the files of .svc anew if the warehouse has changed without them.',
  arguments: [],
  options: [environmentOption],
  examples: [],
  exitCodes: { 0: 'done, or the warehouse cannot be read' },
  async run(context) {
    await renewFiles(context, await context.openWorkspace({ readSources: false }))
    return { exitCode: 0, text: () => [] }
  },
}

/**
 * A warehouse that cannot be read leaves the files as they are, and that is said. Returns whether anything was ever deployed in the
 * environment; undefined if that cannot be known.
 */
export async function renewFiles(
  { output: { err } }: Pick<CommandContext, 'output'>,
  workspace: OpenedWorkspace,
): Promise<boolean | undefined> {
  const { bringUpToDate } = await import('../engine/artifacts/write-artifacts.ts')
  try {
    return await bringUpToDate(workspace)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    const said = `Versions, times and test results are those of the last run here: ${error.message}.`
    err.lines(wrap(said, err.style.width))
    return undefined
  }
}
