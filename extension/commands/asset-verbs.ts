/** Commands that run `svc` for the clicked assets, with one selector per asset. */
import { commandIds } from '../contributions.ts'
import { type Reach, selectorsOf } from '../selectors.ts'
import { assetTargets } from '../targets/target.ts'
import type { Command } from './command.ts'
import { runVerb } from './run-verb.ts'

interface AssetVerb {
  readonly id: Command['id']
  readonly words: readonly string[]
  readonly reach?: Reach
  readonly changes?: boolean
  /** What follows the assets. */
  readonly options?: readonly string[]
  /** Whether the command takes exactly one asset. */
  readonly single?: boolean
}

const verbs: readonly AssetVerb[] = [
  { id: commandIds.runAsset, words: ['run'], changes: true },
  { id: commandIds.runWithUpstreams, words: ['run'], reach: 'upstream', changes: true },
  { id: commandIds.runWithDownstreams, words: ['run'], reach: 'downstream', changes: true },
  { id: commandIds.previewAsset, words: ['preview'] },
  { id: commandIds.planAsset, words: ['plan'] },
  { id: commandIds.testAsset, words: ['test'], options: ['--all-tests'] },
  { id: commandIds.versions, words: ['versions'], single: true },
  { id: commandIds.rejects, words: ['rejects'], single: true },
]

export const assetVerbs: readonly Command[] = verbs.map(
  ({ id, words, reach = 'only', changes = false, options = [], single }) => ({
    id,
    async run(services, argument, selected) {
      const targets = await assetTargets(services.projects, argument, single ? undefined : selected)
      for (const { project, assets } of targets ?? []) {
        const all = [...words, ...selectorsOf(assets, reach), ...options]
        await runVerb(services, { project, words: all, changes })
      }
    },
  }),
)
