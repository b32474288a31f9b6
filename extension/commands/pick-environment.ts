/** Picks the environment of all later commands. */
import { window } from 'vscode'
import { commandIds } from '../contributions.ts'
import { projectTarget } from '../targets/target.ts'
import type { Command } from './command.ts'

export const pickEnvironment: Command = {
  id: commandIds.pickEnvironment,
  async run({ projects, environments }, argument) {
    const project = await projectTarget(projects, argument)
    if (project === undefined) return
    const now = environments.of(project.root)
    const items = [...new Set([...project.environments, now])].map(name => ({
      label: name,
      ...(name === now && { description: 'now' }),
    }))
    const picked = await window.showQuickPick(items, {
      placeHolder: `Environment for commands of ${project.name}`,
    })
    if (picked !== undefined) await environments.pick(project.root, picked.label)
  },
}
