/** Renders what `svc init` created, and what to do next. */
import type { JsonOf } from '@svc/server/contract'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'

export interface InitReport {
  readonly root: string
  /** The names of the files and folders that were created. */
  readonly created: readonly string[]
  readonly warehouse: string
  readonly assets: number
  /** The former name of the project whose state was taken over. */
  readonly adopted: string | undefined
}

export function renderInit(report: InitReport, style: Style): string[] {
  const files = report.created.map(name => `  ${style.green('+')} ${name}`)
  const next =
    report.assets === 0
      ? 'Next: svc create asset <name>, then svc validate and svc run'
      : `Next: svc validate, then svc plan and svc run (${countOf(report.assets, 'asset')})`
  return [
    `Project in ${report.root}`,
    ...files,
    `  ${style.green('✓')} state tables svc_state_history and svc_catalog in ${report.warehouse}`,
    ...(report.adopted === undefined
      ? []
      : [`  ${style.green('✓')} the state of "${report.adopted}" belongs to this project now`]),
    '',
    next,
  ]
}

export function initJson(report: InitReport): JsonOf<'init'> {
  const { root, created, warehouse, assets, adopted } = report
  return { root, created, warehouse, assets, ...(adopted === undefined ? {} : { adopted }) }
}
