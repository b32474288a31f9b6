/**
 * Cuts a table into parts of whole rows, so that a large one is read in steps. Rows are refused here that have so many
 * cells that reading one of them would hold up all other requests.
 */
import { Problem } from '../../http/index.ts'

export interface TablePart {
  /** The first row of the table, with the end of its line. */
  readonly header: string
  readonly rows: string
  readonly delimiter: string
  /** The rows of earlier parts; lines without content are none. */
  readonly before: number
}

/** Characters of a part, which takes a few milliseconds to read. */
const partLength = 64 * 1024

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20

/** A record may not be longer, whatever the form it comes in. */
const mostRowLength = 1024 * 1024

/** How the cells and rows of one table end. */
interface Shape {
  readonly text: string
  readonly separator: number
  readonly lineEnd: number
  readonly mostCells: number
}

/** @throws Problem `malformed_json` for a row with more cells, or with a quote that does not end */
export function* tableParts(table: string, mostCells: number): Generator<TablePart> {
  const text = table.replace(/^\uFEFF?[\r\n]*/, '')
  const delimiter = /^[^\r\n]*?([,;\t|])/.exec(text)?.[1] ?? ','
  const lineEnd = /^[^\r\n]*(\r(?!\n)|)/.exec(text)?.[1] === '\r' ? carriageReturn : lineFeed
  const shape = { text, separator: delimiter.charCodeAt(0), lineEnd, mostCells }
  const header = text.slice(0, endOfRow(shape, 0, 1).end)
  let [start, end, before, rows] = [header.length, header.length, 0, 0]
  do {
    if (end < text.length) {
      const row = endOfRow(shape, end, before + rows + 2)
      end = row.end
      if (!row.isBlank) rows++
      if (end < text.length && end - start < partLength) continue
    }
    yield { header, rows: text.slice(start, end), delimiter, before }
    before += rows
    rows = 0
    start = end
  } while (end < text.length)
}

interface RowEnd {
  /** Behind the end of its line. */
  readonly end: number
  readonly isBlank: boolean
}

/** A quote begins a cell only where the cell begins, as in the reader of tables. */
function endOfRow({ text, separator, lineEnd, mostCells }: Shape, start: number, row: number): RowEnd {
  let [cells, isBlank, isCellStart] = [1, true, true]
  for (let offset = start; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code === lineEnd) return { end: offset + 1, isBlank }
    if (offset - start > mostRowLength) throw broken(row, `it is longer than ${mostRowLength} characters`)
    if (code === separator) {
      if (++cells > mostCells) throw broken(row, `it has more than ${mostCells} cells`)
      isCellStart = true
      continue
    }
    if (code === quote && isCellStart) {
      const end = endOfQuotes(text, offset, row)
      isBlank &&= end === offset + 1
      offset = end
    } else if (code > space) isBlank = false
    isCellStart = false
  }
  return { end: text.length, isBlank }
}

/** Returns the offset of the closing quote; two quotes stand for one. */
function endOfQuotes(text: string, start: number, row: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 2)) {
    if (text.charCodeAt(end + 1) !== quote) return end
  }
  throw broken(row, 'a quoted cell does not end')
}

function broken(row: number, reason: string): Problem {
  return new Problem('malformed_json', `Row ${row} of the table: ${reason}.`)
}
