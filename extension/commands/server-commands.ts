/** Commands about the language server itself. */
import { commandIds } from '../contributions.ts'
import type { Command } from './command.ts'

export const restartServer: Command = {
  id: commandIds.restartServer,
  run: ({ server }) => server.restart(),
}

export const showOutput: Command = {
  id: commandIds.showOutput,
  async run({ log }) {
    log.show()
  },
}
