/**
 * Estimates the nesting depth of a text without parsing it. The recovering parser recurses, and a stack
 * overflow can kill the process, so a text that may be too deep is never passed to it.
 */
import type { Range } from '../text/range.ts'

/**
 * The maximum depth of a valid file; the limit for broken ones is twice that, because it is only an estimate.
 */
export const maxDepth = 100

/** Returns the place where the text may become too deep; undefined if it does not. */
export function tooDeepAt(text: string): Range | undefined {
  const indents: number[] = []
  let brackets = 0
  let inSegment = 0
  let lineStart = 0
  let firstOfLine = leadingSpaces(text, 0)
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code === newLine || code === carriageReturn) {
      lineStart = offset + 1
      firstOfLine = lineStart + leadingSpaces(text, lineStart)
      inSegment = 0
      continue
    }
    if (offset === firstOfLine) indent(indents, offset - lineStart)
    if (code === openBracket || code === openBrace) brackets++
    else if (code === closeBracket || code === closeBrace) brackets = Math.max(0, brackets - 1)
    else if (code === comma) {
      indents.length = Math.max(0, indents.length - inSegment)
      inSegment = 0
    } else if ((code === colon || code === dash || code === question) && isEnd(text.charCodeAt(offset + 1))) {
      // The rest of the line is one level deeper, until a comma or a line with less indentation.
      indents.push(offset - lineStart + 1)
      inSegment++
    }
    if (indents.length + brackets > 2 * maxDepth) return { start: offset, end: offset + 1 }
  }
  return undefined
}

const newLine = 10
const carriageReturn = 13
const comma = 44
const dash = 45
const colon = 58
const question = 63
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

function leadingSpaces(text: string, lineStart: number): number {
  let count = 0
  while (text.charCodeAt(lineStart + count) === 32) count++
  return count
}

/**
 * Updates the open levels: a line with more indentation may open a level, one with less closes those that are
 * deeper.
 */
function indent(indents: number[], column: number): void {
  while (indents.length > 0 && (indents.at(-1) ?? 0) >= column) indents.pop()
  indents.push(column)
}

function isEnd(code: number): boolean {
  return Number.isNaN(code) || code <= 32
}
