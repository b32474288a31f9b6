/** All commands of the extension. */
import { askModelCommands } from './ask-model.ts'
import { assetVerbs } from './asset-verbs.ts'
import type { Command } from './command.ts'
import { createAsset } from './create-asset.ts'
import { init } from './init.ts'
import { newFromSource } from './new-from-source.ts'
import { openLineage } from './open-lineage.ts'
import { openWalkthrough } from './open-walkthrough.ts'
import { pickEnvironment } from './pick-environment.ts'
import { projectVerbs } from './project-verbs.ts'
import { promote } from './promote.ts'
import { rollbackAll, rollbackAsset } from './rollback.ts'
import { openFailure, openLog, rollbackTo, runAgain, showLog, showRuns } from './run-history.ts'
import { previewRows, sampleAsset } from './sample.ts'
import { restartServer, showOutput } from './server-commands.ts'
import { showCompiledSql } from './show-compiled-sql.ts'
import { showRunning } from './show-running.ts'
import { testAsset } from './test-asset.ts'

export const allCommands: readonly Command[] = [
  ...assetVerbs,
  ...projectVerbs,
  testAsset,
  rollbackAsset,
  rollbackAll,
  promote,
  init,
  createAsset,
  newFromSource,
  sampleAsset,
  previewRows,
  showCompiledSql,
  openLineage,
  showRuns,
  runAgain,
  rollbackTo,
  openLog,
  showLog,
  openFailure,
  showRunning,
  pickEnvironment,
  openWalkthrough,
  restartServer,
  showOutput,
  ...askModelCommands,
]
