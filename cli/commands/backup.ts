/** `svc backup <file>`: copies the whole warehouse, whatever state its file is in. */
import { isAbsolute, resolve } from 'node:path'
import { backupJson, renderBackup } from '../render/backup.ts'
import { type Command, environmentOption, jsonOption, reportOf } from './command.ts'
import { sayWaiting } from './say-waiting.ts'

export const backupCommand: Command = {
  name: 'backup',
  brief: 'copy the whole warehouse to a file',
  summary: 'Copy the whole warehouse file, with what a run that was killed left beside it.',
  arguments: [
    { name: 'file', summary: 'file to write; one that is there is not overwritten', required: true },
  ],
  options: [environmentOption, jsonOption],
  examples: [
    { line: 'svc backup backup.db --env prod', says: 'opened as a warehouse, it is what prod is now' },
    { line: 'svc backup monday.db --json', says: 'with the size, for a script' },
  ],
  exitCodes: {
    0: 'the copy is whole',
    2: 'wrong usage, no project, the file is there, or the warehouse is a database of a server',
    3: 'warehouse or file failed, or somebody is writing',
  },
  async run(context) {
    const workspace = await context.openWorkspace({ readSources: false })
    const warehouse = await workspace.warehouse()
    const { world, signal } = context
    const given = context.arguments[0] ?? ''
    const target = isAbsolute(given) ? given : resolve(world.cwd, given)
    const startedAt = world.now()
    const say = sayWaiting(context)
    const copy = () =>
      warehouse.backup(target, {
        signal,
        onWait: holder => say({ type: 'waiting', reason: `the warehouse is held by ${holder}` }),
      })
    const backup = await (world.guard === undefined ? copy() : world.guard(copy))
    const report = {
      environment: workspace.environment.name,
      warehouse: warehouse.shortLabel,
      file: given,
      backup,
      seconds: (world.now().getTime() - startedAt.getTime()) / 1000,
    }
    return reportOf(report, renderBackup, backupJson)
  },
}
