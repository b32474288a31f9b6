/** Renders what `svc backup` copied, and what waits beside a warehouse's file. */
import type { JsonOf } from '@svc/server/contract'
import type { CommandLine } from '@svc/server/language'
import type { Backup, WaitingLog } from '../engine/warehouse/warehouse.ts'
import { formatBytes, formatSeconds } from './numbers.ts'
import type { Style } from './style.ts'
import { wrap, wrapBehind } from './width.ts'

export interface BackupReport {
  readonly environment: string
  readonly warehouse: string
  /** As it was given. */
  readonly file: string
  readonly backup: Backup
  readonly seconds: number
}

export function renderBackup({ warehouse, file, backup, seconds }: BackupReport, style: Style): string[] {
  const { bytes, log } = backup
  const took = `${formatBytes(bytes)} in ${formatSeconds(seconds)}`
  return [
    ...wrap(`${style.green('Copied')} ${warehouse} to ${file}: ${took}.`, style.width),
    ...(log === undefined
      ? []
      : wrap(`In it are the ${formatBytes(log.bytes)} that waited in ${log.name}.`, style.width)),
  ]
}

export function backupJson({
  environment,
  warehouse,
  file,
  backup,
  seconds,
}: BackupReport): JsonOf<'backup'> {
  const { bytes, log } = backup
  return {
    environment,
    warehouse,
    file,
    bytes,
    log: log === undefined ? null : { file: log.name, bytes: log.bytes, folded: log.isFolded },
    seconds,
  }
}

/** Tells a reader of the warehouse what a copy of its file is without. Environments may have warehouses of their own. */
export function waitingLogText({ name, bytes, isFolded }: WaitingLog, svc: CommandLine): string {
  const size = formatBytes(bytes)
  return isFolded
    ? `A command that was killed had left ${size} in ${name}. They are in the warehouse's file now; a copy of the file from before is without them.`
    : `${size} that a command wrote wait in ${name}: a copy of the warehouse's file alone is without them. ${svc('backup <file>')} copies both.`
}

export function waitingLogLines(log: WaitingLog, svc: CommandLine, style: Style): string[] {
  return wrapBehind(`${style.yellow('!')} `, waitingLogText(log, svc), style.width)
}
