/** All commands of the extension. */
import { askModelCommands } from './ask-model.ts'
import { assetVerbs } from './asset-verbs.ts'
import type { Command } from './command.ts'
import { createAsset } from './create-asset.ts'
import { editorCommands } from './editor-commands.ts'
import { newTerm, openGlossary } from './glossary.ts'
import { init } from './init.ts'
import { newFromSource } from './new-from-source.ts'
import { openLineage } from './open-lineage.ts'
import { pickEnvironment } from './pick-environment.ts'
import { projectVerbs } from './project-verbs.ts'
import { promote } from './promote.ts'
import { publishAsset } from './publish.ts'
import { rollbackAll, rollbackAsset } from './rollback.ts'
import { openFailure, openLog, rollbackTo, runAgain, showLog } from './run-history.ts'
import { previewRows, sampleAsset } from './sample.ts'
import { showCompiledSql } from './show-compiled-sql.ts'

export const allCommands: readonly Command[] = [
  ...assetVerbs,
  ...projectVerbs,
  rollbackAsset,
  rollbackAll,
  promote,
  publishAsset,
  newTerm,
  openGlossary,
  init,
  createAsset,
  newFromSource,
  sampleAsset,
  previewRows,
  showCompiledSql,
  openLineage,
  runAgain,
  rollbackTo,
  openLog,
  showLog,
  openFailure,
  pickEnvironment,
  ...editorCommands,
  ...askModelCommands,
]
