/** `svc-hosted backup` and `restore`. */
import type { Command } from 'commander'
import { restoreBackup, writeBackup } from '../operation/index.ts'
import { openStorage } from '../storage/index.ts'
import { addDatabaseOptions, type DatabaseOptions } from './database-options.ts'
import { withStorage } from './token.ts'
import type { World } from './world.ts'

export function addBackup(program: Command, world: World): void {
  addDatabaseOptions(program.command('backup'))
    .description('write one moment of the whole database to a file; a server may run meanwhile')
    .argument('<file>', 'is replaced where it is there')
    .action((file: string, options: DatabaseOptions) =>
      withStorage(options, world, async storage => {
        const rows = await writeBackup(storage, file)
        world.say(`wrote ${rows} rows of ${storage.place} to ${file}`)
      }),
    )
  addDatabaseOptions(program.command('restore'))
    .description('fill a database from a backup of any engine; no server may run on it')
    .argument('<file>', 'what "svc-hosted backup" wrote')
    .option('--force', 'replace what is there; a SQLite file is kept as <file>.before-restore', false)
    .action(async (file: string, options: DatabaseOptions & { readonly force: boolean }) => {
      const target = {
        address: options.db,
        driver: options.dbDriver,
        clock: world.clock,
        force: options.force,
      }
      const rows = await restoreBackup(target, file)
      // Migrates tables of an older version, and shows that the database opens.
      const storage = await openStorage(target)
      await storage.close()
      world.say(`restored ${rows} rows of ${file} to ${storage.place}`)
    })
}
