/** Renders `svc rollback --dry-run`: the assets that would change, and their versions. */
import type { JsonOf } from '@svc/server/contract'
import type { RollbackChange } from '../engine/run/preview-rollback.ts'
import { countOf, formatAge } from './numbers.ts'
import { shortHashLength } from './status.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

export interface RollbackPreviewReport {
  readonly environment: string
  readonly changes: readonly RollbackChange[]
  readonly now: Date
}

export function renderRollbackPreview(report: RollbackPreviewReport, style: Style): string[] {
  const { changes, environment, now } = report
  if (changes.length === 0) return [`A rollback of ${environment} would change nothing.`]
  const columns = [{ title: 'Asset', maxWidth: 40 }, { title: 'Now' }, { title: 'Then' }, { title: 'Built' }]
  const cells = changes.map(({ name, from, to, builtAt }) => [
    name,
    short(from) ?? 'not live',
    short(to) ?? 'not live',
    builtAt === undefined ? '-' : formatAge((now.getTime() - Date.parse(builtAt)) / 1000),
  ])
  const what = `A rollback of ${environment} would change ${countOf(changes.length, 'asset')}. Nothing was done.`
  return [...renderTable(columns, cells, style), '', what]
}

export function rollbackPreviewJson({ changes }: RollbackPreviewReport): JsonOf<'rollback-preview'> {
  return {
    assets: changes.map(({ name, from, to, builtAt }) => ({
      name,
      from: short(from) ?? null,
      to: short(to) ?? null,
      deployed_at: builtAt ?? null,
    })),
  }
}

function short(hash: string | undefined): string | undefined {
  return hash?.slice(0, shortHashLength)
}
