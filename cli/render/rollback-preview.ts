/** Renders `svc rollback --dry-run`: the assets that would change, and their versions. */
import type { JsonOf } from '@svc/server/contract'
import type { Engine } from '@svc/server/language'
import type { RollbackChange, RollbackPreview } from '../engine/run/preview-rollback.ts'
import { diffText, keyChanges, sqlDiff } from './definition-diff.ts'
import { countOf, formatAge, formatCount } from './numbers.ts'
import { repairLines, repairsJson } from './plan-repairs.ts'
import { shortHashLength } from './status.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'

export interface RollbackPreviewReport extends RollbackPreview {
  readonly environment: string
  readonly engine: Engine
  readonly now: Date
}

export function renderRollbackPreview(report: RollbackPreviewReport, style: Style): string[] {
  const { changes, environment, now } = report
  const repairs = repairLines(report.repairs, 'rollback', style)
  if (changes.length === 0) return [...repairs, `A rollback of ${environment} would change nothing.`]
  const columns = [
    { title: 'Asset', maxWidth: 40 },
    { title: 'Now' },
    { title: 'Then' },
    { title: 'Built' },
    { title: 'Rows' },
  ]
  const cells = changes.map(({ name, from, to, builtAt, rows }) => [
    name,
    short(from) ?? 'not live',
    // The same definition that was built from other data.
    to !== undefined && from === to ? 'same' : (short(to) ?? 'not live'),
    builtAt === undefined ? '-' : formatAge((now.getTime() - Date.parse(builtAt)) / 1000),
    rowsText(rows),
  ])
  const what = `A rollback of ${environment} would change ${countOf(changes.length, 'asset')}. Nothing was done.`
  const details = changes.flatMap(change => differences(change, report.engine, style))
  return [
    ...renderTable(columns, cells, style),
    ...details,
    ...(repairs.length === 0 ? [] : ['', ...repairs]),
    '',
    what,
  ]
}

/** Returns `1,200 -> 1,180`, or one number if it stays. */
function rowsText({ from, to }: RollbackChange['rows']): string {
  const text = (rows: number | undefined) => (rows === undefined ? '-' : formatCount(rows))
  return from === to ? text(from) : `${text(from)} -> ${text(to)}`
}

/** Returns what differs in the definition and in the columns of an asset; nothing if it is only other data. */
function differences(change: RollbackChange, engine: Engine, style: Style): string[] {
  const { added, removed } = change.columns
  const lines = [
    ...keyChanges(change),
    ...(added.length === 0 ? [] : [`columns that come back: ${added.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`columns that go: ${removed.join(', ')}`]),
    ...sqlDiff(change, engine).map(diffText),
  ]
  if (lines.length === 0) return []
  return ['', style.bold(change.name), ...lines.map(line => `  ${line}`)]
}

export function rollbackPreviewJson({
  changes,
  repairs,
  engine,
}: RollbackPreviewReport): JsonOf<'rollback-preview'> {
  return {
    ...repairsJson(repairs),
    assets: changes.map(change => ({
      name: change.name,
      from: short(change.from) ?? null,
      to: short(change.to) ?? null,
      deployed_at: change.builtAt ?? null,
      rows: { from: change.rows.from ?? null, to: change.rows.to ?? null },
      columns: change.columns,
      changes: keyChanges(change),
      sql_diff: sqlDiff(change, engine).map(diffText),
    })),
  }
}

function short(hash: string | undefined): string | undefined {
  return hash?.slice(0, shortHashLength)
}
