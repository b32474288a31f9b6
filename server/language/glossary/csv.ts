/** Reads CSV (RFC 4180) with the line that each row begins on. */

export interface CsvRow {
  /** From 1 on; a row with line breaks in quotes covers several lines. */
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvProblem {
  readonly line: number
  readonly message: string
}

/** Empty lines are no rows. A cell whose quotes are wrong is a problem, and its row is left out. */
export function parseCsv(text: string, separator = ',') {
  const rows: CsvRow[] = []
  const problems: CsvProblem[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  while (at < text.length) {
    const row = readRow(text, at, separator)
    const isEmpty = row.cells.length === 1 && row.cells[0] === ''
    if (row.problem !== undefined) problems.push({ line, message: row.problem })
    else if (!isEmpty) rows.push({ line, cells: row.cells })
    line += row.breaks
    at = row.end
  }
  return { rows, problems }
}

function readRow(text: string, start: number, separator: string) {
  const cells: string[] = []
  let problem: string | undefined
  let at = start
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator)
    cells.push(cell.value)
    at = cell.end
    problem ??= cell.problem
    const next = text[at]
    if (next === separator) {
      at++
      continue
    }
    if (next !== undefined && next !== '\r' && next !== '\n') {
      problem ??= 'there is text behind the closing quote'
      while (at < text.length && text[at] !== '\n') at++
    }
    const end = text.startsWith('\r\n', at) ? at + 2 : Math.min(at + 1, text.length)
    return {
      cells,
      end /** The number of line breaks up to its end. */,
      breaks: breaksIn(text.slice(start, end)),
      problem,
    }
  }
}

interface Cell {
  readonly value: string
  readonly end: number
  readonly problem?: string
}

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return { value: text.slice(start, end), end }
}

function quotedCell(text: string, start: number): Cell {
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) {
      const end = text.indexOf('\n', start)
      const next = end < 0 ? text.length : end
      return { value: '', end: next, problem: 'a quoted cell is never closed' }
    }
    if (text[quote + 1] !== '"') {
      return { value: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 }
    }
    at = quote + 2
  }
}

function breaksIn(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1
}
