/**
 * Maps places in the source to places in the compiled SQL and back. The server returns the pieces of text
 * that are the same in both; between two pieces (a tag that became a table) the nearest edge counts.
 */
import type { CompiledSqlResult, LspRange } from '@svc/server/protocol'

type Piece = CompiledSqlResult['map'][number]

export interface Place {
  readonly line: number
  readonly character: number
}

/** Returns the offset in the compiled SQL; undefined if the cursor is not in the query. */
export function toCompiled(
  map: readonly Piece[],
  lines: readonly string[],
  place: Place,
): number | undefined {
  const last = map.at(-1)
  const first = map[0]
  if (first === undefined || last === undefined) return undefined
  if (isBefore(place, first.range.start) || isBefore(last.range.end, place)) return undefined
  const piece = map.find(({ range }) => !isBefore(range.end, place)) ?? last
  if (isBefore(place, piece.range.start)) return piece.from
  return Math.min(piece.to, piece.from + distance(lines, piece.range, place))
}

/** Returns the place in the source of an offset in the compiled SQL. */
export function toSource(map: readonly Piece[], lines: readonly string[], offset: number): Place | undefined {
  const piece = map.find(({ to }) => offset <= to) ?? map.at(-1)
  if (piece === undefined) return undefined
  if (offset <= piece.from) return piece.range.start
  return walk(lines, piece.range, offset - piece.from)
}

function isBefore(a: Place, b: Place): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character)
}

/**
 * Returns the number of SQL characters between two places. The lines of a block scalar are indented in the
 * source and not in the SQL, so that indentation is subtracted.
 */
function distance(lines: readonly string[], range: LspRange, end: Place): number {
  const { start } = range
  if (start.line === end.line) return end.character - start.character
  const indent = indentOf(lines, range)
  let length = lineLength(lines, start.line) - start.character + 1
  for (let line = start.line + 1; line < end.line; line++)
    length += Math.max(0, lineLength(lines, line) - indent) + 1
  return length + Math.max(0, end.character - indent)
}

function walk(lines: readonly string[], range: LspRange, length: number): Place {
  const indent = indentOf(lines, range)
  let { line, character } = range.start
  let left = length
  while (line < range.end.line) {
    const room = Math.max(0, lineLength(lines, line) - character)
    if (left <= room) return { line, character: character + left }
    left -= room + 1
    line++
    character = Math.min(indent, lineLength(lines, line))
  }
  return { line, character: character + left }
}

/** Returns the smallest indentation of any line; the first one counts only if the piece starts with it. */
function indentOf(lines: readonly string[], { start, end }: LspRange): number {
  const first = indentation(lines[start.line] ?? '') >= start.character ? start.line : start.line + 1
  const texts = lines.slice(first, end.line + 1).filter(text => text.trim() !== '')
  return texts.length === 0 ? 0 : Math.min(...texts.map(indentation))
}

function indentation(text: string): number {
  return text.length - text.trimStart().length
}

function lineLength(lines: readonly string[], line: number): number {
  return lines[line]?.length ?? 0
}
