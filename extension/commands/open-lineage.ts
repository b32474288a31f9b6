/** The lineage of an asset, as the call hierarchy that the language server gives: who reads it, and what it reads. */
import { commands, Selection, Uri, window } from 'vscode'
import { commandIds } from '../contributions.ts'
import { assetTargets } from '../targets/target.ts'
import type { Command } from './command.ts'

export const openLineage: Command = {
  id: commandIds.openLineage,
  async run({ projects }, argument) {
    const [target] = (await assetTargets(projects, argument, undefined)) ?? []
    const asset = target?.project.assets.find(({ name }) => name === target.assets[0])
    if (asset === undefined) return
    const editor = await window.showTextDocument(Uri.parse(asset.uri))
    // The hierarchy is that of what the cursor is on: at the beginning of the file that is the asset.
    editor.selection = new Selection(0, 0, 0, 0)
    await commands.executeCommand('references-view.showCallHierarchy')
    // A source reads nothing of ours, most others are read by few: each begins with the side that says more.
    const side = asset.kind === 'source' ? 'showIncomingCalls' : 'showOutgoingCalls'
    await commands.executeCommand(`references-view.${side}`)
  },
}
