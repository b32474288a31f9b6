/** Runs `svc rollback` after a question that names the assets, in every environment. */
import { commandIds } from '../contributions.ts'
import { assetTargets, projectTarget } from '../targets/target.ts'
import type { Command } from './command.ts'
import { confirmed, runVerb } from './run-verb.ts'

export const rollbackAsset: Command = {
  id: commandIds.rollbackAsset,
  async run(services, argument, selected) {
    for (const { project, assets } of (await assetTargets(services.projects, argument, selected)) ?? []) {
      const environment = services.environments.of(project.root)
      const question = `Roll back ${assets.join(', ')} in ${environment}?`
      if (!(await confirmed(question, detailOf(project.name, 'They take'), 'Roll Back'))) continue
      await runVerb(services, { project, words: ['rollback', assets.join(',')] })
    }
  },
}

export const rollbackAll: Command = {
  id: commandIds.rollbackAll,
  async run(services, argument) {
    const project = await projectTarget(services.projects, argument)
    if (project === undefined) return
    const environment = services.environments.of(project.root)
    const question = `Roll back all ${project.assets.length} assets in ${environment}?`
    if (!(await confirmed(question, detailOf(project.name, 'Production takes'), 'Roll Back'))) return
    await runVerb(services, { project, words: ['rollback', '--all'] })
  },
}

function detailOf(project: string, who: string): string {
  return `Project ${project}. ${who} the build before the last deployment, at once; a second rollback goes back again.`
}
