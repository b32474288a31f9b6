/** Renders rows of an asset as a table that fits the terminal, as CSV or as JSON. */
import type { JsonOf } from '@svc/server/contract'
import type { Sample } from '../engine/run/sample-asset.ts'
import { csvText } from './csv.ts'
import { countOf } from './numbers.ts'
import { cellText } from './run-lines.ts'
import type { Style } from './style.ts'
import { fitColumns, renderTable } from './table.ts'
import { displayWidth, truncate, wrap } from './width.ts'

export interface SampleReport extends Sample {
  readonly environment: string
}

const widestCell = 32

export function renderSample(report: SampleReport, style: Style): string[] {
  const cells = report.rows.map(row => report.columns.map(column => cellText(row[column.name])))
  const widths = report.columns.map((column, index) =>
    Math.min(
      widestCell,
      Math.max(displayWidth(column.name), ...cells.map(row => displayWidth(row[index] ?? ''))),
    ),
  )
  const shown = style.isCut ? fitColumns(widths, style.width) : report.columns.length
  const table = renderTable(
    report.columns.slice(0, shown).map(column => ({
      title: style.isCut ? truncate(column.name, widestCell) : column.name,
      maxWidth: widestCell,
      align: isNumeric(column.type) ? ('right' as const) : ('left' as const),
      dress: (cell: string, padded: string) => (cell === 'NULL' ? style.dim(padded) : padded),
    })),
    cells,
    style,
  )
  return [...table, '', ...footer(report, shown, style)]
}

function footer(report: SampleReport, shown: number, style: Style): string[] {
  const hidden = report.columns.length - shown
  const more = hidden > 0 ? `, ${countOf(hidden, 'more column')} (--csv and --json show all)` : ''
  const lines = [style.dim(`${countOf(report.rows.length, 'row')} of ${origin(report)}${more}`)]
  if (report.masked.length > 0) {
    const names = report.masked.join(', ')
    lines.push(...wrap(`Personal data is masked (--unmasked shows it): ${names}`, style.width).map(style.dim))
  }
  if (report.sampleTable !== undefined) lines.push(`Sample table: ${report.sampleTable}`)
  return lines
}

function origin({ asset, relation, cte }: SampleReport): string {
  if (relation !== undefined) return relation
  return cte === undefined ? `the SQL of ${asset}` : `the CTE ${cte} of ${asset}`
}

function isNumeric(type: string | undefined): boolean {
  return (
    type !== undefined && /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|REAL|DECIMAL.*)$/i.test(type)
  )
}

export function sampleCsv({ columns, rows }: SampleReport): string {
  const names = columns.map(({ name }) => name)
  return csvText(
    names,
    rows.map(row => names.map(name => row[name])),
  )
}

export function sampleJson(report: SampleReport): JsonOf<'sample'> {
  return {
    asset: report.asset,
    environment: report.environment,
    source: report.source,
    relation: report.relation ?? null,
    cte: report.cte ?? null,
    sample_table: report.sampleTable ?? null,
    columns: report.columns.map(column => ({ name: column.name, type: column.type ?? null })),
    rows: report.rows,
    masked: report.masked,
  }
}
