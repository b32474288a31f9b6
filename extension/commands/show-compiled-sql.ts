/** Opens the compiled SQL beside the source. */
import { Uri, window } from 'vscode'
import { commandIds } from '../contributions.ts'
import { activeAsset, uriOf } from '../targets/target.ts'
import type { Command } from './command.ts'

export const showCompiledSql: Command = {
  id: commandIds.showCompiledSql,
  async run({ compiled }, argument) {
    const uri = uriOf(argument) ?? activeAsset()
    if (uri !== undefined) await compiled.show(Uri.parse(uri))
    else void window.showInformationMessage('SVC: open an asset first.')
  },
}
