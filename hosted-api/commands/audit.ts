/** `svc-hosted audit verify`: verifies that nobody has changed the audit log. */
import type { Command } from 'commander'
import { checkAudit } from '../operation/index.ts'
import { addDatabaseOptions, type DatabaseOptions } from './database-options.ts'
import { withStorage } from './token.ts'
import { CheckFailed, type World } from './world.ts'

export function addAudit(program: Command, world: World): void {
  const group = program.command('audit').description('the log of what happened')
  addDatabaseOptions(group.command('verify'))
    .description('work out its chain of hashes again; 1 when an entry was changed or taken out')
    .action((options: DatabaseOptions) =>
      withStorage(options, world, async storage => {
        const report = await storage.snapshot(checkAudit)
        if (report.problems.length > 0) throw new CheckFailed(report.problems)
        world.say(`${report.entries} entries in ${report.chains} chains are as they were written`)
      }),
    )
}
