/** Renders the rows that a target did not take: one line a row with its reason, and the row below it. */
import type { JsonOf } from '@svc/server/contract'
import type { FoundPublishRejects } from '../engine/state/state-store.ts'
import { csvText } from './csv.ts'
import { countOf, formatCount } from './numbers.ts'
import type { Style } from './style.ts'
import { oneLine, truncate, wrap } from './width.ts'

export interface PublishRejectsReport extends FoundPublishRejects {
  readonly environment: string
  readonly target: string
}

export function renderPublishRejects(report: PublishRejectsReport, style: Style): string[] {
  const { rejects, total, environment, target } = report
  if (total === 0)
    return wrap(`Everything that was published to ${target} in ${environment} was taken.`, style.width)
  const shown =
    rejects.length < total ? `, the first ${formatCount(rejects.length)} shown (--limit shows more)` : ''
  const lines = rejects.flatMap(({ asset, operation, row_key, reason, raw }, index) => [
    ...(rejects[index - 1]?.asset === asset
      ? []
      : [...(index === 0 ? [] : ['']), style.bold(`${asset} to ${target}`)]),
    ...wrap(`${operation} ${oneLine(row_key)}  ${oneLine(reason)}`, style.width - 2).map(line => `  ${line}`),
    `    ${style.dim(truncate(oneLine(raw), Math.max(20, style.width - 4)))}`,
  ])
  return [
    ...lines,
    '',
    style.dim(`${countOf(total, 'row')} not taken by ${target} in ${environment}${shown}`),
  ]
}

const columns = ['asset', 'target', 'run_id', 'operation', 'key', 'reason', 'raw', 'rejected_at'] as const

export function publishRejectsCsv(report: PublishRejectsReport): string {
  const { rejects } = publishRejectsJson(report)
  const rows = rejects.map(reject => columns.map(name => reject[name]))
  return csvText(columns, rows)
}

export function publishRejectsJson({
  environment,
  target,
  total,
  rejects,
}: PublishRejectsReport): Extract<JsonOf<'rejects'>, { readonly target: string }> {
  return {
    ...{ environment, target, total },
    rejects: rejects.map(({ row_key, ...reject }) => ({
      ...{ asset: reject.asset, target: reject.target, run_id: reject.run_id },
      ...{ operation: reject.operation, key: row_key, reason: reject.reason, raw: reject.raw },
      rejected_at: reject.rejected_at,
    })),
  }
}
