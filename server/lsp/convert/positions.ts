/**
 * Converts offsets to LSP positions and back: 0-based lines and characters in UTF-16 units. A byte order mark
 * on disk is no character of the editor's text.
 */
import type { Range as LspRange, Position } from 'vscode-languageserver'
import { lineIndex, type Range } from '../../language/index.ts'

const byteOrderMark = '\ufeff'

export function positionAt(text: string, offset: number): Position {
  const { line, column } = lineIndex(text).position(offset)
  const hidden = line === 1 && text.startsWith(byteOrderMark) ? 1 : 0
  return { line: line - 1, character: Math.max(0, column - 1 - hidden) }
}

export function rangeAt(text: string, range: Range): LspRange {
  return { start: positionAt(text, range.start), end: positionAt(text, range.end) }
}

/** Returns the offset, clamped to the text as LSP requires. */
export function offsetAt(text: string, { line, character }: Position): number {
  const hidden = line === 0 && text.startsWith(byteOrderMark) ? 1 : 0
  return lineIndex(text).offset(line + 1, character + 1 + hidden)
}

export function offsetsOf(text: string, range: LspRange): Range {
  return { start: offsetAt(text, range.start), end: offsetAt(text, range.end) }
}
