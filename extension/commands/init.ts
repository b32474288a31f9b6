/** Runs `svc init` in a folder of the workspace; the only command that needs no project. */
import { Uri, window, workspace } from 'vscode'
import { commandIds } from '../contributions.ts'
import type { Command } from './command.ts'

export const init: Command = {
  id: commandIds.init,
  async run({ terminals }, argument) {
    const folder = argument instanceof Uri ? argument : await pickFolder()
    if (folder === undefined) return
    const code = await terminals.run({ root: folder.toString(), words: ['init'] })
    if (code === 0) await window.showTextDocument(Uri.joinPath(folder, 'svc.yaml'))
  },
}

async function pickFolder(): Promise<Uri | undefined> {
  const folders = workspace.workspaceFolders ?? []
  if (folders.length > 1)
    return (await window.showWorkspaceFolderPick({ placeHolder: 'Choose the folder for the project' }))?.uri
  if (folders[0] === undefined) {
    void window.showWarningMessage('SVC: open the folder of the project first.')
  }
  return folders[0]?.uri
}
