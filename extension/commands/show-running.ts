/** Shows the terminal of the running command, from the status bar. */
import { commands } from 'vscode'
import { commandIds, viewIds } from '../contributions.ts'
import { showTerminalOf } from '../terminals/terminals.ts'
import type { Command } from './command.ts'

export const showRunning: Command = {
  id: commandIds.showRunning,
  async run({ terminals }) {
    const [first] = terminals.running
    if (first !== undefined) showTerminalOf(first)
    else await commands.executeCommand(`${viewIds.runs}.focus`)
  },
}
