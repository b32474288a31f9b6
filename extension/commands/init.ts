/** `svc init` in a folder of the workspace: the one command that needs no project. */
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
    return (await window.showWorkspaceFolderPick({ placeHolder: 'Where is the project to be?' }))?.uri
  if (folders[0] === undefined) {
    void window.showWarningMessage('SVC: open the folder that the project is to be in first.')
  }
  return folders[0]?.uri
}
