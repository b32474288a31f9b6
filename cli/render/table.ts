/** Renders plain aligned tables: a header line, two spaces between columns, numbers aligned right. */
import type { Style } from './style.ts'
import { displayWidth, padEnd, padStart, truncate } from './width.ts'

export interface TableColumn {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** On a terminal cells are cut to this width. */
  readonly maxWidth?: number
  /** Colours the padded cell, by its text. */
  readonly dress?: (cell: string, padded: string) => string
}

const gap = '  '

export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: Style,
): string[] {
  const cells = rows.map(row =>
    columns.map((column, index) => {
      const cell = row[index] ?? ''
      return style.isCut ? truncate(cell, column.maxWidth ?? 60) : cell
    }),
  )
  const widths = fitted(
    columns.map((column, index) =>
      Math.max(displayWidth(column.title), ...cells.map(row => displayWidth(row[index] ?? ''))),
    ),
    style.width,
  )
  if (widths === undefined) return records(columns, cells, style)
  const line = (row: readonly string[], dress: (cell: string, padded: string, index: number) => string) =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0
        return dress(cell, pad(truncate(cell, width), width, columns[index]), index)
      })
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

const narrowTerminal = 80
/** No column becomes narrower than this, because the rest would be unreadable. */
const leastWidth = 14

/**
 * On a narrow terminal the widest columns are cut, because wrapped rows are hard to read. Returns undefined
 * if that is not enough. In files and pipes nothing is cut.
 */
function fitted(widths: readonly number[], room: number): number[] | undefined {
  const fitting = [...widths]
  if (room >= narrowTerminal) return fitting
  let excess = fitting.reduce((sum, width) => sum + width + gap.length, -gap.length) - room
  for (; excess > 0; excess--) {
    const widest = fitting.indexOf(Math.max(...fitting))
    if ((fitting[widest] ?? 0) <= leastWidth) return undefined
    fitting[widest] = (fitting[widest] ?? 0) - 1
  }
  return fitting
}

/** Renders each row as several lines: its first cell, and below it the others with their titles. */
function records(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: Style,
): string[] {
  const titleWidth = Math.max(...columns.slice(1).map(({ title }) => displayWidth(title)))
  return rows.flatMap(([first = '', ...rest]) => [
    style.bold(truncate(first, style.width)),
    ...rest.flatMap((cell, index) => {
      const column = columns[index + 1]
      if (cell === '') return []
      const shown = truncate(cell, Math.max(8, style.width - titleWidth - 4))
      return [`  ${padEnd(column?.title ?? '', titleWidth)}  ${column?.dress?.(cell, shown) ?? shown}`]
    }),
  ])
}

function pad(cell: string, width: number, column: TableColumn | undefined): string {
  return column?.align === 'right' ? padStart(cell, width) : padEnd(cell, width)
}

/** Returns how many of the first columns fit into the width, because wrapped rows are hard to read. */
export function fitColumns(widths: readonly number[], width: number): number {
  let used = 0
  for (const [index, columnWidth] of widths.entries()) {
    used += columnWidth + (index === 0 ? 0 : gap.length)
    if (used > width) return Math.max(1, index)
  }
  return widths.length
}
