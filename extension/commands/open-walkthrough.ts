/** Opens the walkthrough of the extension. */
import { commands } from 'vscode'
import { commandIds } from '../contributions.ts'
import type { Command } from './command.ts'

export const openWalkthrough: Command = {
  id: commandIds.openWalkthrough,
  run: ({ context }) =>
    Promise.resolve(
      commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`),
    ),
}
