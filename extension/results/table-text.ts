/** Formats rows as text for other programs, and sorts values. Independent of editor and page. */
import type { GridRows } from './protocol.ts'

export type Direction = 'ascending' | 'descending'

/** Formats a cell for people; NULL differs from the empty text. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Formats as RFC 4180; NULL is an empty field, an empty text is in quotes. */
export function toCsv({ columns, rows }: GridRows): string {
  const lines = [
    columns.map(({ name }) => csvField(name)).join(','),
    ...rows.map(row => columns.map(({ name }) => csvField(row[name])).join(',')),
  ]
  return `${lines.join('\r\n')}\r\n`
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = cellText(value)
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function toJson({ rows }: GridRows): string {
  return `${JSON.stringify(rows, undefined, 2)}\n`
}

export function toMarkdown({ columns, rows }: GridRows): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const escaped = (text: string) => text.replaceAll('|', '\\|').replace(/\r?\n/g, ' ')
  return [
    line(columns.map(({ name }) => escaped(name))),
    line(columns.map(({ type }) => (isNumeric(type) ? '---:' : '---'))),
    ...rows.map(row => line(columns.map(({ name }) => escaped(cellText(row[name]))))),
    '',
  ].join('\n')
}

export function isNumeric(type: string): boolean {
  return /^(?:u?(?:tiny|small|big|huge)?int(?:eger)?|decimal|numeric|double|float|real)\b/i.test(type)
}

/** Sorts rows by a column: numbers by value, NULL last; equal values keep their order. */
export function sorted(table: GridRows, column: string, direction: Direction): GridRows {
  const sign = direction === 'ascending' ? 1 : -1
  const numeric = isNumeric(table.columns.find(({ name }) => name === column)?.type ?? '')
  const rows = table.rows.toSorted((a, b) => compare(a[column], b[column], numeric, sign))
  return { ...table, rows }
}

function compare(a: unknown, b: unknown, numeric: boolean, sign: number): number {
  const [aIsNull, bIsNull] = [a === null || a === undefined, b === null || b === undefined]
  if (aIsNull || bIsNull) return Number(aIsNull) - Number(bIsNull)
  if (numeric) return sign * compareNumbers(a, b)
  const [left, right] = [cellText(a), cellText(b)]
  return left === right ? 0 : sign * (left < right ? -1 : 1)
}

/** Integers that JSON holds as text, because no float can represent them, are compared exactly. */
function compareNumbers(a: unknown, b: unknown): number {
  const [left, right] = [numberOf(a), numberOf(b)]
  return left === right ? 0 : left < right ? -1 : 1
}

function numberOf(value: unknown): number | bigint {
  const text = String(value)
  return /^-?\d{16,}$/.test(text) ? BigInt(text) : Number(value)
}

/** Returns the rows with the words in any cell, ignoring case. */
export function filtered(table: GridRows, words: string): GridRows {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  if (wanted.length === 0) return table
  const rows = table.rows.filter(row => {
    const text = table.columns
      .map(({ name }) => cellText(row[name]))
      .join('\u0000')
      .toLowerCase()
    return wanted.every(word => text.includes(word))
  })
  return { ...table, rows }
}
