/** Plain aligned tables: a head line, two spaces between columns, numbers to the right. */
import type { Style } from './style.ts'
import { displayWidth, padEnd, padStart, truncate } from './width.ts'

export interface TableColumn {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** Cells are cut to this many columns. */
  readonly maxWidth?: number
  /** Dresses the padded cell, by its text. */
  readonly dress?: (cell: string, padded: string) => string
}

const gap = '  '

export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: Style,
): string[] {
  const cells = rows.map(row =>
    columns.map((column, index) => truncate(row[index] ?? '', column.maxWidth ?? 60)),
  )
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...cells.map(row => displayWidth(row[index] ?? ''))),
  )
  const line = (row: readonly string[], dress: (cell: string, padded: string, index: number) => string) =>
    row
      .map((cell, index) => dress(cell, pad(cell, widths[index] ?? 0, columns[index]), index))
      .join(gap)
      .trimEnd()
  const head = line(
    columns.map(column => column.title),
    (_, padded) => style.bold(padded),
  )
  const body = cells.map(row =>
    line(row, (cell, padded, index) => columns[index]?.dress?.(cell, padded) ?? padded),
  )
  return [head, ...body]
}

function pad(cell: string, width: number, column: TableColumn | undefined): string {
  return column?.align === 'right' ? padStart(cell, width) : padEnd(cell, width)
}

/**
 * How many of the first columns fit into the width: a row broken over lines cannot be read.
 */
export function fitColumns(widths: readonly number[], width: number): number {
  let used = 0
  for (const [index, columnWidth] of widths.entries()) {
    used += columnWidth + (index === 0 ? 0 : gap.length)
    if (used > width) return Math.max(1, index)
  }
  return widths.length
}
