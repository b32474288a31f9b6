/** Opens the lineage view at the clicked or edited asset, otherwise of the whole project. */
import { window } from 'vscode'
import { commandIds } from '../contributions.ts'
import { clickedAsset, projectTarget } from '../targets/target.ts'
import type { Command } from './command.ts'

export const openLineage: Command = {
  id: commandIds.openLineage,
  async run({ projects, lineage }, argument) {
    const about = await clickedAsset(projects, argument ?? window.activeTextEditor?.document.uri)
    if (about !== undefined) return lineage.show(about.project, about.asset.name)
    const project = await projectTarget(projects, argument)
    if (project !== undefined) lineage.show(project)
  },
}
