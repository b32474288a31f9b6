/**
 * Renders the difference between expected and actual rows of a unit test: one line per row, expected values
 * in red, actual ones in green. On a narrow terminal, columns that match are left out first.
 */
import type { UnitDiff, UnitDiffCell, UnitDiffRow } from '@svc/server/language'
import { countOf } from './numbers.ts'
import type { Style } from './style.ts'
import { displayWidth, oneLine, padEnd, truncate, wrap } from './width.ts'

const shownRows = 10
const longestValue = 24
const gap = '  '

const signs = { changed: '~', missing: '-', unexpected: '+' } as const
const words = { changed: '', missing: 'missing', unexpected: 'not expected' } as const

export function diffLines(diff: UnitDiff, indent: string, style: Style): string[] {
  const rows = diff.rows.slice(0, shownRows)
  const room = style.width - indent.length - 2 - longestWord(rows)
  const columns = fittingColumns(diff, rows, room)
  const line = (sign: string, cells: readonly string[], end: string) =>
    `${indent}${sign} ${cells.join(gap)}${end === '' ? '' : gap + end}`.trimEnd()
  const head = line(
    ' ',
    columns.map(({ title, width }) => style.dim(padEnd(truncate(title, width), width))),
    '',
  )
  const body = rows.map(row => {
    const cells = columns.map(({ index, width }) => dressedCell(row.cells[index], row.kind, width, style))
    return line(dressedSign(row.kind, style), cells, style.dim(words[row.kind]))
  })
  return [head, ...body, ...notes(diff, columns.length, indent, style)]
}

function longestWord(rows: readonly UnitDiffRow[]): number {
  const longest = Math.max(0, ...rows.map(({ kind }) => words[kind].length))
  return longest === 0 ? 0 : longest + gap.length
}

function notes(diff: UnitDiff, columns: number, indent: string, style: Style): string[] {
  const rows = diff.more + Math.max(0, diff.rows.length - shownRows)
  const facts = [
    ...(rows > 0 ? [countOf(rows, 'more row')] : []),
    ...(diff.columns.length > columns ? [countOf(diff.columns.length - columns, 'more column')] : []),
  ]
  if (facts.length === 0) return []
  const lines = wrap(`${facts.join(', ')} (--json shows all)`, style.width - indent.length - 2)
  return lines.map(line => style.dim(`${indent}  ${line}`))
}

// ---------------------------------------------------------------- columns

interface ShownColumn {
  readonly index: number
  readonly title: string
  readonly width: number
}

/** Columns with differences come first, then the first column, which usually identifies the row. */
function fittingColumns(diff: UnitDiff, rows: readonly UnitDiffRow[], room: number): ShownColumn[] {
  const all = diff.columns.map((title, index) => {
    const widths = rows.map(({ cells, kind }) => displayWidth(cellText(cells[index], kind)))
    return { index, title, width: Math.max(Math.min(longestValue, displayWidth(title)), ...widths) }
  })
  const isWrong = (index: number) =>
    rows.some(({ kind, cells }) => kind === 'changed' && cells[index]?.same === false)
  const urgent = [...all].sort((a, b) => rank(a.index, isWrong) - rank(b.index, isWrong) || a.index - b.index)
  const chosen: ShownColumn[] = []
  let used = 0
  for (const column of urgent) {
    const width = column.width + (chosen.length === 0 ? 0 : gap.length)
    if (chosen.length > 0 && used + width > room) continue
    chosen.push(
      chosen.length === 0 ? { ...column, width: Math.min(column.width, Math.max(8, room)) } : column,
    )
    used += width
  }
  return chosen.sort((a, b) => a.index - b.index)
}

function rank(index: number, isWrong: (index: number) => boolean): number {
  if (isWrong(index)) return 0
  return index === 0 ? 1 : 2
}

// ---------------------------------------------------------------- cells

function cellText(cell: UnitDiffCell | undefined, kind: UnitDiffRow['kind']): string {
  if (cell === undefined) return ''
  if (kind === 'missing') return valueText(cell.expected)
  if (kind === 'unexpected' || cell.same) return valueText(cell.actual)
  return `${valueText(cell.expected)} → ${valueText(cell.actual)}`
}

/** Returns an empty text for values that are not compared. */
function valueText(value: string | null | undefined): string {
  if (value === undefined) return ''
  if (value === null) return 'NULL'
  return value === '' ? "''" : truncate(oneLine(value), longestValue)
}

function dressedSign(kind: UnitDiffRow['kind'], style: Style): string {
  const dress = { changed: style.yellow, missing: style.red, unexpected: style.green }[kind]
  return dress(signs[kind])
}

function dressedCell(
  cell: UnitDiffCell | undefined,
  kind: UnitDiffRow['kind'],
  width: number,
  style: Style,
): string {
  const text = cellText(cell, kind)
  const padded = padEnd(truncate(text, width), width)
  if (cell === undefined || text === '') return padded
  if (kind === 'missing') return style.red(padded)
  if (kind === 'unexpected') return style.green(padded)
  if (cell.same) return style.dim(padded)
  const expected = valueText(cell.expected)
  if (displayWidth(text) > width) return style.red(padded)
  const rest = padded.slice(expected.length + arrow.length)
  return `${style.red(expected)}${style.dim(arrow)}${style.green(rest)}`
}

const arrow = ' → '
