/** Formats the results of `svc test --json` for people. Independent of the editor. */
import type { JsonOf } from '@svc/server/contract'

export type TestAnswer = JsonOf<'test'>
export type TestOutcome = TestAnswer['tests'][number]
type UnitDiff = Pick<NonNullable<TestOutcome['diff']>, 'columns' | 'rows' | 'more'>

/** Returns the message and the failing rows, as text in columns. */
export function failureText({ message, failures, sample, severity }: TestOutcome): string {
  const head = message ?? plural(failures, 'failing row')
  const warning = severity === 'warn' ? ['A warning: it does not stop a promotion.'] : []
  const more = failures > sample.length && sample.length > 0 ? [`… ${failures - sample.length} more`] : []
  return [head, ...warning, ...textTable(sample), ...more].join('\n')
}

/**
 * Returns both sides of a unit test as two texts with corresponding lines. Equal values (`10` and `10.0`) are
 * written in the same way, so that only real differences are coloured.
 */
export function sidesOf(diff: UnitDiff): { readonly expected: string; readonly actual: string } {
  const rows = diff.rows.map(row => ({
    ...row,
    cells: row.cells.map(cell =>
      cell.same && cell.actual !== undefined ? { ...cell, expected: cell.actual } : cell,
    ),
  }))
  const alike = { ...diff, rows }
  return { expected: sideOf(alike, 'expected', 'unexpected'), actual: sideOf(alike, 'actual', 'missing') }
}

function sideOf(
  { columns, rows, more }: UnitDiff,
  name: 'expected' | 'actual',
  absent: UnitDiff['rows'][number]['kind'],
): string {
  // Both sides share one set of widths, so that only differences look different.
  const widths = columns.map((title, column) => {
    const texts = rows.flatMap(row => [row.cells[column]?.expected, row.cells[column]?.actual])
    return Math.max(title.length, ...texts.map(text => (text === null ? 'NULL' : (text ?? '')).length))
  })
  const lines = rows.map(row =>
    row.kind === absent
      ? '(no row)'
      : lineOf(
          row.cells.map(cell => cell[name] ?? 'NULL'),
          widths,
        ),
  )
  return [lineOf(columns, widths), ...lines, ...(more > 0 ? [`… ${more} more`] : [])].join('\n')
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((text, column) => text.padEnd(widths[column] ?? 0))
  return padded.join('  ').trimEnd()
}

const widestCell = 60

function textTable(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))]
  if (names.length === 0) return []
  const cells = [names, ...rows.map(row => names.map(name => cellOf(row[name])))]
  const widths = names.map((_, column) => Math.max(...cells.map(row => row[column]?.length ?? 0)))
  return cells.map(row => lineOf(row, widths))
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/\s+/g, ' ')
  return text.length > widestCell ? `${text.slice(0, widestCell - 1)}…` : text
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
