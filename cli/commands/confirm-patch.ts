/** The yes to a change of files: in the editor, which shows it, or on the terminal, which has shown it. */
import { decideInEditor } from '../engine/ai/editor-link.ts'
import type { PatchVerdict } from '../engine/ai/patch/check-patch.ts'
import type { CommandContext } from './command.ts'

/** Whatever was agreed to beforehand, an editor is asked: its person has seen nothing yet. */
export async function confirmPatch(
  context: CommandContext,
  { verdict, summary }: { readonly verdict: PatchVerdict; readonly summary: string },
  onTerminal: () => Promise<boolean>,
): Promise<boolean> {
  const { world, signal } = context
  const { editor } = world
  if (editor === undefined) return onTerminal()
  const files = verdict.files.map(({ path, before, after }) => ({
    path,
    before: before ?? null,
    after: after ?? before ?? '',
  }))
  const weakened = verdict.weakened.map(({ path, message }) =>
    path === undefined ? message : `${path}: ${message}`,
  )
  const asked = () => decideInEditor(editor, { summary, files, weakened }, signal)
  return world.guard === undefined ? asked() : world.guard(asked)
}
