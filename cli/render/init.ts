/** Renders what `svc init` created, and what to do next. */

import type { JsonOf } from '@svc/server/contract'
import { svcIn } from '@svc/server/language'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'

/** `created` are the names of files and folders; `adopted` is the former name of the project whose state was taken over. */
export type InitReport = JsonOf<'init'>

export function renderInit(report: InitReport, style: Style): string[] {
  const svc = svcIn(report.environment)
  const files = report.created.map(name => `  ${style.green('+')} ${name}`)
  const next =
    report.assets === 0
      ? `Next: svc create asset <name>, then ${svc('validate')} and ${svc('run')}`
      : `Next: ${svc('validate')}, then ${svc('plan')} and ${svc('run')} (${countOf(report.assets, 'asset')})`
  const restored = report.restored.map(
    name => `  ${style.green('+')} ${name}, which was gone; what it held is lost`,
  )
  return [
    `Project in ${report.root}`,
    ...files,
    `  ${style.green('✓')} state tables svc_state_history and svc_catalog in ${report.warehouse}`,
    ...restored,
    ...(report.migrated === undefined ? [] : migratedLines(report.migrated, style)),
    ...(report.adopted === undefined
      ? []
      : [`  ${style.green('✓')} the state of "${report.adopted}" belongs to this project now`]),
    '',
    next,
  ]
}

function migratedLines({ from, to }: NonNullable<InitReport['migrated']>, style: Style): string[] {
  return [
    `  ${style.yellow('!')} their version was ${from} and is ${to}: an older svc refuses them from now on, in CI too`,
  ]
}
