/**
 * Which place of the compiled SQL a place of the source is, and back. The server tells pieces of text that are the same
 * in both; between two pieces (a tag that became a table) the nearest edge counts.
 */
import type { CompiledSqlResult, LspRange } from '@svc/server/protocol'

type Piece = CompiledSqlResult['map'][number]

export interface Place {
  readonly line: number
  readonly character: number
}

/** Offset in the compiled SQL; undefined: the cursor is in no query. */
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
  return Math.min(piece.to, piece.from + distance(lines, piece.range.start, place))
}

/** Place in the source of an offset in the compiled SQL. */
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
 * Characters of SQL between two places. The source indents the lines of a block scalar, the SQL does not have that
 * indentation: a line of a piece begins where the text of the block does.
 */
function distance(lines: readonly string[], start: Place, end: Place): number {
  if (start.line === end.line) return end.character - start.character
  const indent = indentOf(lines, start, end.line)
  let length = lineLength(lines, start.line) - start.character + 1
  for (let line = start.line + 1; line < end.line; line++)
    length += Math.max(0, lineLength(lines, line) - indent) + 1
  return length + Math.max(0, end.character - indent)
}

function walk(lines: readonly string[], { start, end }: LspRange, length: number): Place {
  const indent = indentOf(lines, start, end.line)
  let { line, character } = start
  let left = length
  while (line < end.line) {
    const room = Math.max(0, lineLength(lines, line) - character)
    if (left <= room) return { line, character: character + left }
    left -= room + 1
    line++
    character = Math.min(indent, lineLength(lines, line))
  }
  return { line, character: character + left }
}

/** Of the lines behind the first one of a piece: the least that any of them has. */
function indentOf(lines: readonly string[], start: Place, lastLine: number): number {
  const indents = lines
    .slice(start.line + 1, lastLine + 1)
    .filter(text => text.trim() !== '')
    .map(text => text.length - text.trimStart().length)
  return indents.length === 0 ? 0 : Math.min(...indents)
}

function lineLength(lines: readonly string[], line: number): number {
  return lines[line]?.length ?? 0
}
