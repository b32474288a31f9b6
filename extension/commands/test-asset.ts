/** Runs `svc test` for the clicked assets, or for the test of a lens. */
import type { LensArgument } from '@svc/server/protocol'
import { commandIds } from '../contributions.ts'
import { assetTargets } from '../targets/target.ts'
import type { Command } from './command.ts'
import { runVerb } from './run-verb.ts'

export const testAsset: Command = {
  id: commandIds.testAsset,
  async run(services, argument, selected) {
    const test = testOf(argument)
    for (const { project, assets } of (await assetTargets(services.projects, argument, selected)) ?? []) {
      const one = test === undefined ? [] : ['--test', test]
      await runVerb(services, { project, words: ['test', ...assets, ...one, '--all-tests'] })
    }
  },
}

function testOf(argument: unknown): string | undefined {
  if (typeof argument !== 'object' || argument === null || !('test' in argument)) return undefined
  const { test } = argument as Partial<LensArgument>
  return typeof test === 'string' ? test : undefined
}
