/** `svc-hosted prune`: deletes history by age. */
import { type Command, InvalidArgumentError } from 'commander'
import { prune } from '../operation/index.ts'
import { addDatabaseOptions, type DatabaseOptions } from './database-options.ts'
import { withStorage } from './token.ts'
import type { World } from './world.ts'

const day = 24 * 3600 * 1000

interface PruneOptions extends DatabaseOptions {
  readonly keep: number
  readonly dryRun: boolean
}

export function addPrune(program: Command, world: World): void {
  addDatabaseOptions(program.command('prune'))
    .description('delete old versions, uploads, test results and audit entries; a server may run meanwhile')
    .requiredOption('--keep <days>', 'keep what is younger, such as 365d', readDays)
    .option('--dry-run', 'count only', false)
    .action((options: PruneOptions) =>
      withStorage(options, world, async storage => {
        const cutoff = new Date(world.clock().getTime() - options.keep * day).toISOString()
        const deleted = await prune(storage, cutoff, options.dryRun)
        for (const [what, count] of Object.entries(deleted))
          world.say(`${options.dryRun ? 'would delete' : 'deleted'} ${count} ${what}`)
      }),
    )
}

function readDays(text: string): number {
  const days = /^([1-9]\d{0,4})d?$/.exec(text)?.[1]
  if (days === undefined) throw new InvalidArgumentError('it is a number of days, 1 or more, such as 365d.')
  return Number(days)
}
