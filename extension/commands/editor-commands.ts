/** Commands that show a part of the editor, or start the language server again. */
import { commands } from 'vscode'
import { commandIds, viewIds } from '../contributions.ts'
import { showTerminalOf } from '../terminals/terminals.ts'
import type { Command } from './command.ts'

export const editorCommands: readonly Command[] = [
  {
    id: commandIds.openWalkthrough,
    run: async ({ context }) =>
      commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`),
  },
  { id: commandIds.showRuns, run: showRuns },
  {
    id: commandIds.showRunning,
    async run({ terminals }) {
      const [first] = terminals.running
      if (first === undefined) await showRuns()
      else showTerminalOf(first)
    },
  },
  { id: commandIds.restartServer, run: ({ server }) => server.restart() },
  { id: commandIds.showOutput, run: async ({ log }) => log.show() },
]

/** The whole history; lenses link to it too. */
async function showRuns(): Promise<void> {
  await commands.executeCommand(`${viewIds.runs}.focus`)
}
