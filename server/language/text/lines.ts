/**
 * Converts offsets to lines and columns and back. Lines end at `\n`, `\r\n` or a lone `\r`, as in editors.
 */

export interface Position {
  /** The 1-based line. */
  readonly line: number
  /** The 1-based column in UTF-16 units. */
  readonly column: number
}

export interface LineIndex {
  /** Returns the position; offsets outside the text are clamped. */
  position(offset: number): Position
  /** Returns the offset; lines and columns outside the text are clamped. */
  offset(line: number, column: number): number
  /** Returns the line without its line break; '' outside the text. */
  lineText(line: number): string
}

let last: { readonly text: string; readonly index: LineIndex } | undefined

/** Returns the index of a text. The last one is cached, because it is needed for each problem of a file. */
export function lineIndex(text: string): LineIndex {
  if (last?.text !== text) last = { text, index: indexLines(text) }
  return last.index
}

/** Returns `path:line:column` of an offset in a file, which terminals and editors turn into a link. */
export function placeAt(path: string, text: string, offset: number): string {
  const { line, column } = lineIndex(text).position(offset)
  return `${path}:${line}:${column}`
}

function indexLines(text: string): LineIndex {
  const starts = lineStarts(text)

  const endOfLine = (line: number): number => {
    const next = starts[line]
    if (next === undefined) return text.length
    return text[next - 1] === '\n' && text[next - 2] === '\r' ? next - 2 : next - 1
  }

  return {
    position(offset) {
      const place = clamp(offset, 0, text.length)
      const line = lastAtOrBefore(starts, place)
      return { line: line + 1, column: place - (starts[line] ?? 0) + 1 }
    },
    offset(line, column) {
      const row = clamp(line, 1, starts.length)
      return clamp((starts[row - 1] ?? 0) + column - 1, starts[row - 1] ?? 0, endOfLine(row))
    },
    lineText(line) {
      const start = starts[line - 1]
      return start === undefined ? '' : text.slice(start, endOfLine(line))
    },
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (const lineBreak of text.matchAll(/\r\n?|\n/g)) starts.push(lineBreak.index + lineBreak[0].length)
  return starts
}

/**
 * Returns the index of the last element of the ascending `values` that is not above `value`; 0 if there is
 * none.
 */
export function lastAtOrBefore(values: ArrayLike<number>, value: number): number {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((values[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}

/** Returns the start of the line that contains an offset. */
export function lineStart(text: string, offset: number): number {
  let start = offset
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--
  return start
}

/** Returns the number of characters before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}
