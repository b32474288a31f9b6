/** Runs `svc publish` for an asset, to the target that it has or to one of several. */
import { window } from 'vscode'
import { commandIds } from '../contributions.ts'
import { assetTargets } from '../targets/target.ts'
import type { Command } from './command.ts'
import { confirmed, runVerb } from './run-verb.ts'

export const publishAsset: Command = {
  id: commandIds.publishAsset,
  async run(services, argument) {
    const [target] = (await assetTargets(services.projects, argument, undefined)) ?? []
    const [name] = target?.assets ?? []
    if (target === undefined || name === undefined) return
    const { project } = target
    const publishes = project.assets.find(asset => asset.name === name)?.publishes ?? []
    const to = await chosenOf(publishes, name)
    if (to === undefined) return
    const question = `Publish ${name} to ${to} from ${services.environments.of(project.root)}?`
    if (await confirmed(question, `Project ${project.name}. Another system receives the rows.`, 'Publish'))
      await runVerb(services, { project, words: ['publish', name, '--to', to] })
  },
}

async function chosenOf(publishes: readonly string[], asset: string): Promise<string | undefined> {
  const [only, ...others] = publishes
  if (only === undefined) {
    void window.showInformationMessage(
      `SVC: ${asset} is published to nothing. Write the destination under "publish" in its file.`,
    )
    return undefined
  }
  if (others.length === 0) return only
  return window.showQuickPick([...publishes], { title: `Where is ${asset} published to?` })
}
