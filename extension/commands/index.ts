/** All commands of the extension. */
import { assetVerbs } from './asset-verbs.ts'
import type { Command } from './command.ts'
import { pickEnvironment } from './pick-environment.ts'
import { projectVerbs } from './project-verbs.ts'
import { rollbackAll, rollbackAsset } from './rollback.ts'
import { restartServer, showOutput } from './server-commands.ts'

export const allCommands: readonly Command[] = [
  ...assetVerbs,
  ...projectVerbs,
  rollbackAsset,
  rollbackAll,
  pickEnvironment,
  restartServer,
  showOutput,
]
