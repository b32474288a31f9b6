/**
 * Renders what contracts rejected: one line per record or value with its reason, and the raw JSON below it.
 */
import type { JsonOf } from '@svc/server/contract'
import type { Reject, Rejects } from '../engine/run/read-rejects.ts'
import { csvText } from './csv.ts'
import { countOf, formatCount } from './numbers.ts'
import type { Style } from './style.ts'
import { oneLine, truncate, wrap } from './width.ts'

export interface RejectsReport extends Rejects {
  readonly environment: string
  /** The asset or run of the request. */
  readonly asset?: string | undefined
  readonly runId?: string | undefined
}

export function renderRejects(report: RejectsReport, style: Style): string[] {
  const { rejects, total, environment } = report
  if (total === 0) return wrap(nothingText(report), style.width)
  const shown =
    rejects.length < total ? `, the first ${formatCount(rejects.length)} shown (--limit shows more)` : ''
  const lines = rejects.flatMap((reject, index) => [
    ...(rejects[index - 1]?.asset === reject.asset ? [] : headOf(reject, index, style)),
    ...rejectLines(reject, style),
  ])
  return [...lines, '', style.dim(`${countOf(total, 'reject')} in ${environment}${shown}`)]
}

function nothingText({ environment, asset, runId }: RejectsReport): string {
  const what = asset === undefined ? 'No contract kept anything out' : `Nothing was kept out of ${asset}`
  if (runId !== undefined) return `${what} in run ${runId}.`
  if (asset !== undefined) return `Nothing is kept out of ${asset} in ${environment}.`
  return `No contract keeps anything out of ${environment}.`
}

function headOf({ asset, status }: Reject, index: number, style: Style): string[] {
  const refused = status === 'refused' ? '  refused: nothing of it was loaded' : ''
  return [...(index === 0 ? [] : ['']), `${style.bold(asset)}${refused}`]
}

function rejectLines(reject: Reject, style: Style): string[] {
  const replayed = reject.replayed_run_id === null ? '' : ` (in again since run ${reject.replayed_run_id})`
  const text = `record ${formatCount(reject.record_number)}  ${oneLine(reject.message)}${replayed}`
  const lines = wrap(text, style.width - 2).map(line => `  ${line}`)
  if (reject.raw === null) return lines
  return [...lines, `    ${style.dim(truncate(oneLine(reject.raw), Math.max(20, style.width - 4)))}`]
}

export function rejectsCsv(report: RejectsReport): string {
  const { rejects } = rejectsJson(report)
  const rows = rejects.map(reject => rejectColumns.map(name => reject[name]))
  return csvText(rejectColumns, rows)
}

const rejectColumns = [
  ...(['asset', 'run_id', 'status', 'kind', 'code', 'child', 'column', 'message', 'record', 'raw'] as const),
  ...(['rejected_at', 'replayed_run_id'] as const),
]

export function rejectsJson({
  environment,
  total,
  rejects,
}: RejectsReport): Exclude<JsonOf<'rejects'>, { readonly target: string }> {
  return {
    environment,
    total,
    rejects: rejects.map(reject => ({
      asset: reject.asset,
      run_id: reject.run_id,
      status: reject.status,
      kind: reject.kind,
      code: reject.code,
      child: reject.child,
      column: reject.column_name,
      message: reject.message,
      record: reject.record_number,
      raw: reject.raw,
      rejected_at: reject.rejected_at,
      replayed_run_id: reject.replayed_run_id,
    })),
  }
}
