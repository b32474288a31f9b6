/** Leads from the status bar to the terminal of what is running. */
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
