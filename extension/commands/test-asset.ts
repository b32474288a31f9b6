/** Runs `svc test` for the clicked assets. */
import { commandIds } from '../contributions.ts'
import { assetTargets } from '../targets/target.ts'
import type { Command } from './command.ts'
import { runVerb } from './run-verb.ts'

export const testAsset: Command = {
  id: commandIds.testAsset,
  async run(services, argument, selected) {
    for (const { project, assets } of (await assetTargets(services.projects, argument, selected)) ?? [])
      await runVerb(services, { project, words: ['test', ...assets, '--all-tests'] })
  },
}
