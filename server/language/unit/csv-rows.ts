/** Parses unit test rows written as CSV: a header, commas, double quotes where needed. It never fails. */
import type { Range } from '../text/range.ts'

export interface CsvCell {
  /** Null if nothing is between the commas; an empty text is written `""`. */
  readonly text: string | null
  readonly isQuoted: boolean
  /** The range in the CSV text without white space around it. */
  readonly range: Range
}

export interface CsvName {
  readonly text: string
  readonly range: Range
}

/** `rows`: rows with one cell for each name of the header; lines with another number of cells are left out. */
export function parseCsvRows(text: string) {
  const [first = [], ...others] = linesOf(text)
  const header = first.map(({ text: name, range }) => ({ text: name ?? '', range }))
  const problems: { message: string; range: Range }[] = []
  const unnamed = header.find((name, index) => name.text === '' || isRepeated(header, index))
  if (unnamed !== undefined) {
    const message =
      unnamed.text === '' ? 'a column has no name' : `the column "${unnamed.text}" is there twice`
    problems.push({ message, range: unnamed.range })
  }
  const rows = others.filter(cells => {
    if (cells.length === header.length) return true
    const range = { start: cells[0]?.range.start ?? 0, end: cells.at(-1)?.range.end ?? 0 }
    problems.push({ message: `the line has ${cells.length} values for ${header.length} columns`, range })
    return false
  })
  return { header, rows, problems }
}

function isRepeated(header: readonly CsvName[], index: number): boolean {
  const name = header[index]?.text.toLowerCase()
  return header.findIndex(each => each.text.toLowerCase() === name) < index
}

/** Splits the text into lines without blank ones. */
function linesOf(text: string): CsvCell[][] {
  const lines: CsvCell[][] = []
  let position = 0
  while (position < text.length) {
    const { cells, end } = readLine(text, position)
    if (cells.length > 1 || cells[0]?.text !== null) lines.push(cells)
    position = end
  }
  return lines
}

function readLine(text: string, start: number): { cells: CsvCell[]; end: number } {
  const cells: CsvCell[] = []
  let position = start
  for (;;) {
    while (text[position] === ' ' || text[position] === '\t') position++
    const isQuoted = text[position] === '"'
    const cell = isQuoted ? quotedCell(text, position) : plainCell(text, position)
    cells.push({ text: cell.text, isQuoted, range: { start: position, end: cell.valueEnd } })
    position = cell.end
    if (text[position] !== ',') break
    position++
  }
  if (text[position] === '\r') position++
  return { cells, end: position + 1 }
}

interface ReadCell {
  readonly text: string | null
  readonly valueEnd: number
  /** The offset of the comma or line end after it. */
  readonly end: number
}

function plainCell(text: string, start: number): ReadCell {
  const end = endOfCell(text, start)
  const value = text.slice(start, end).trimEnd()
  return { text: value === '' ? null : value, valueEnd: start + value.length, end }
}

/**
 * Reads a quoted cell. Text after the closing quote is kept as part of the value, so that nothing is lost.
 */
function quotedCell(text: string, start: number): ReadCell {
  const match = /"((?:[^"]|"")*)("|$)/y
  match.lastIndex = start
  const [whole = '', inner = ''] = match.exec(text) ?? []
  const quoteEnd = start + whole.length
  const end = endOfCell(text, quoteEnd)
  const rest = text.slice(quoteEnd, end).trimEnd()
  return { text: inner.replaceAll('""', '"') + rest, valueEnd: quoteEnd + rest.length, end }
}

function endOfCell(text: string, start: number): number {
  const stop = /[,\r\n]/g
  stop.lastIndex = start
  return stop.exec(text)?.index ?? text.length
}
