/** `svc create asset`: asks for a name, writes the file and opens it. */
import type { JsonOf } from '@svc/server/contract'
import { Uri, window } from 'vscode'
import { commandIds } from '../contributions.ts'
import { nameProblem } from '../new-source.ts'
import { projectTarget } from '../targets/target.ts'
import type { Command } from './command.ts'

export const createAsset: Command = {
  id: commandIds.createAsset,
  async run({ projects, background, log }, argument) {
    const project = await projectTarget(projects, argument)
    if (project === undefined) return
    const name = await window.showInputBox({
      title: 'Name of the new asset',
      prompt: 'Small letters, digits and underscores: the name in refs and in the warehouse.',
      validateInput: text =>
        project.assets.some(asset => asset.name === text)
          ? `There is an asset "${text}" already.`
          : nameProblem(text),
    })
    if (name === undefined) return
    const answer = (await background.json(project.root, ['create', 'asset', name])) as JsonOf<'create-asset'>
    log.info(`created ${answer.path}`)
    await window.showTextDocument(Uri.joinPath(Uri.parse(project.root), answer.path))
  },
}
