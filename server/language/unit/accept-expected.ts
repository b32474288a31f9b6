/**
 * Makes edits that update a unit test to expect the actual rows. Only differing values are edited, so that
 * comments and layout stay; if that is impossible, it makes none.
 */
import type { Engine } from '../engines/engine.ts'
import type { TypeFamily } from '../engines/sql-type.ts'
import { groupBy } from '../lists.ts'
import { lineStart } from '../text/lines.ts'
import type { Range } from '../text/range.ts'
import type { ActualRows } from './compare-rows.ts'
import type { UnitDiff } from './unit-result.ts'
import type { UnitCell, UnitRow, UnitTable } from './unit-rows.ts'
import { yamlRow, yamlValue } from './yaml-value.ts'

export interface Acceptance {
  /** The text of the file. */
  readonly text: string
  readonly table: UnitTable
  readonly actual: ActualRows
  readonly diff: UnitDiff
  /** For each expected row, the actual row that it is paired with. */
  readonly actualOf: readonly (number | undefined)[]
  /** The positions of the expected columns. */
  readonly shown: readonly number[]
  readonly ordered: boolean
  readonly contains: boolean
  readonly engine: Engine
}

export interface Edit {
  readonly range: Range
  readonly newText: string
}

/** Returns undefined if the test must be edited by hand. */
export function acceptEdits(acceptance: Acceptance): readonly Edit[] | undefined {
  const { diff, table, text } = acceptance
  if (diff.more > 0) return undefined
  const layout = layoutOf(text, table)
  const cells = changedCells(acceptance, layout)
  if (layout === undefined || cells === undefined) return undefined
  const kept = table.rows.map((_, row) => acceptance.actualOf[row] !== undefined)
  const added = acceptance.contains ? [] : addedRows(acceptance, layout)
  if (added.some(({ text: row }) => layout.kind === 'csv' && /[\r\n]/.test(row))) return undefined
  if (!kept.includes(true)) return wholeList(table, layout, added)
  return [...cells, ...removedRows(table, kept, layout), ...insertions(table, kept, added, layout)].sort(
    (a, b) => a.range.start - b.range.start,
  )
}

// ---------------------------------------------------------------- how the list is written

interface Layout {
  readonly kind: 'flow' | 'block' | 'csv'
  readonly text: string
  /** The white space before a dash, or before a line of CSV. */
  readonly indent: string
}

function layoutOf(text: string, { form, range, rows, columns }: UnitTable): Layout | undefined {
  if (form === 'csv') {
    const line = lineStart(text, columns[0]?.range.start ?? range.start)
    return text[range.start] === '|' ? { kind: 'csv', text, indent: blanksAt(text, line) } : undefined
  }
  if (text[range.start] === '[') return { kind: 'flow', text, indent: '' }
  const starts = rows.map(row => lineStart(text, row.range.start))
  const isUsual = rows.every((row, index) => /^\s*-\s+$/.test(text.slice(starts[index], row.range.start)))
  return isUsual ? { kind: 'block', text, indent: blanksAt(text, starts[0] ?? 0) } : undefined
}

/** Returns the offset after the line break. */
function lineEnd(text: string, offset: number): number {
  const end = endOfText(text, offset)
  return text.startsWith('\r\n', end) ? end + 2 : Math.min(text.length, end + 1)
}

function endOfText(text: string, offset: number): number {
  const length = text.slice(offset).search(/[\r\n]/)
  return length < 0 ? text.length : offset + length
}

function blanksAt(text: string, start: number): string {
  return /^[ \t]*/.exec(text.slice(start, start + 200))?.[0] ?? ''
}

function breakOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

// ---------------------------------------------------------------- edits

function changedCells(
  { diff, table, actual, engine }: Acceptance,
  layout: Layout | undefined,
): Edit[] | undefined {
  const edits: Edit[] = []
  for (const { kind, row, cells } of diff.rows) {
    if (kind !== 'changed' || row === undefined) continue
    for (const [index, cell] of cells.entries()) {
      if (cell.same || cell.actual === undefined) continue
      const name = diff.columns[index] ?? ''
      const place = table.rows[row]?.cells.find(each => engine.sameName(each.column, name))
      const type = actual.columns.find(each => each.name === name)?.type ?? ''
      const edit = place && cellEdit(place, cell.actual, familyOf(type, engine), layout)
      if (edit === undefined) return undefined
      edits.push(edit)
    }
  }
  return edits
}

function cellEdit(
  { range, columnRange }: UnitCell,
  value: string | null,
  family: TypeFamily,
  layout: Layout | undefined,
): Edit | undefined {
  if (layout?.kind === 'csv') {
    const newText = csvValue(value)
    return /[\r\n]/.test(newText) ? undefined : { range, newText }
  }
  const newText = yamlValue(value, family)
  // A key without a value has no text to replace.
  if (range.start === columnRange.start) return undefined
  return { range, newText }
}

interface AddedRow {
  /** The expected row after which it is added; -1 for before all. */
  readonly after: number
  readonly text: string
}

function addedRows(acceptance: Acceptance, layout: Layout): AddedRow[] {
  const { actual, actualOf, ordered } = acceptance
  const expectedOf = new Map(
    actualOf.flatMap((came, row) => (came === undefined ? [] : [[came, row] as const])),
  )
  const lastKept = actualOf.findLastIndex(came => came !== undefined)
  let after = ordered ? -1 : lastKept
  return actual.rows.flatMap((row, position): AddedRow[] => {
    const expected = expectedOf.get(position)
    if (expected !== undefined && ordered) after = expected
    return expected === undefined ? [{ after, text: rowText(row, acceptance, layout) }] : []
  })
}

function rowText(
  row: readonly (string | null)[],
  { actual: { columns }, shown, table, engine }: Acceptance,
  layout: Layout,
): string {
  if (layout.kind === 'csv') {
    const values = table.columns.map(({ name }) =>
      csvValue(row[columns.findIndex(each => engine.sameName(each.name, name))] ?? null),
    )
    return values.join(',')
  }
  return yamlRow(
    shown.map(index => ({
      column: columns[index]?.name ?? '',
      value: row[index] ?? null,
      family: familyOf(columns[index]?.type ?? '', engine),
    })),
  )
}

function removedRows({ rows }: UnitTable, kept: readonly boolean[], { kind, text }: Layout): Edit[] {
  const lastKept = kept.lastIndexOf(true)
  return rows.flatMap((row, index): Edit[] => {
    if (kept[index]) return []
    if (kind !== 'flow') return [{ range: linesOf(text, row), newText: '' }]
    // A removed item takes its following comma along; after the last item that stays, the preceding one.
    const { start, end } = row.range
    const range =
      index < lastKept
        ? { start, end: rows[index + 1]?.range.start ?? end }
        : { start: rows[index - 1]?.range.end ?? start, end }
    return [{ range, newText: '' }]
  })
}

function linesOf(text: string, { range }: UnitRow): Range {
  return { start: lineStart(text, range.start), end: lineEnd(text, range.end) }
}

function insertions(
  { rows }: UnitTable,
  kept: readonly boolean[],
  added: readonly AddedRow[],
  layout: Layout,
): Edit[] {
  return Array.from(
    groupBy(added, row => row.after),
    ([after, group]) => {
      const texts = group.map(({ text }) => text)
      const row = rows[after]
      return row === undefined ? inFront(rows[kept.indexOf(true)], texts, layout) : behind(row, texts, layout)
    },
  )
}

function inFront(first: UnitRow | undefined, texts: readonly string[], layout: Layout): Edit {
  const { kind, text, indent } = layout
  if (kind === 'flow') return at(first?.range.start ?? 0, texts.map(row => `${row}, `).join(''))
  const start = lineStart(text, first?.range.start ?? 0)
  return at(start, texts.map(row => `${indent}${dashed(row, kind)}${breakOf(text)}`).join(''))
}

function behind({ range }: UnitRow, texts: readonly string[], { kind, text, indent }: Layout): Edit {
  if (kind === 'flow') return at(range.end, texts.map(row => `, ${row}`).join(''))
  return at(
    endOfText(text, range.end),
    texts.map(row => `${breakOf(text)}${indent}${dashed(row, kind)}`).join(''),
  )
}

function dashed(row: string, kind: Layout['kind']): string {
  return kind === 'block' ? `- ${row}` : row
}

function at(offset: number, newText: string): Edit {
  return { range: { start: offset, end: offset }, newText }
}

/** Replaces the whole list if none of its rows stays. */
function wholeList(
  { rows, range, columns }: UnitTable,
  layout: Layout,
  added: readonly AddedRow[],
): Edit[] | undefined {
  const { kind, text, indent } = layout
  const texts = added.map(row => row.text)
  const [first, last] = [rows[0], rows.at(-1)]
  if (kind === 'csv') {
    const header = columns.at(-1)
    if (header === undefined) return undefined
    const start = endOfText(text, header.range.end)
    const end = last === undefined ? start : endOfText(text, last.range.end)
    return [{ range: { start, end }, newText: texts.map(row => `${breakOf(text)}${indent}${row}`).join('') }]
  }
  if (kind === 'flow' || texts.length === 0 || first === undefined || last === undefined)
    return [{ range, newText: `[${texts.join(', ')}]` }]
  const start = lineStart(text, first.range.start)
  const newText = texts.map(row => `${indent}- ${row}`).join(breakOf(text))
  return [{ range: { start, end: last.range.end }, newText }]
}

function csvValue(value: string | null): string {
  if (value === null) return ''
  return value === '' || /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

function familyOf(type: string, { types }: Engine): TypeFamily {
  return types.family(types.parse(type))
}
