/** Opens the compiled SQL beside the source. */
import { Uri, window } from 'vscode'
import { commandIds, languageId } from '../contributions.ts'
import type { Command } from './command.ts'

export const showCompiledSql: Command = {
  id: commandIds.showCompiledSql,
  async run({ compiled }, argument) {
    const uri = uriOf(argument) ?? activeUri()
    if (uri !== undefined) await compiled.show(uri)
    else void window.showInformationMessage('SVC: open an asset first.')
  },
}

/** Explorer and editor title pass a Uri, trees pass a node with its address. */
function uriOf(argument: unknown): Uri | undefined {
  if (argument instanceof Uri) return argument
  if (typeof argument !== 'object' || argument === null || !('uri' in argument)) return undefined
  return typeof argument.uri === 'string' ? Uri.parse(argument.uri) : undefined
}

function activeUri(): Uri | undefined {
  const document = window.activeTextEditor?.document
  return document?.languageId === languageId ? document.uri : undefined
}
