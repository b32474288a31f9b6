/** Renders the source line of a problem, with its range marked and the hint beside the mark. */
import { lineIndex, type Range } from '@svc/server/language'
import type { Style } from './style.ts'
import { displayWidth, wrap } from './width.ts'

export interface FrameInput {
  readonly text: string
  readonly range: Range
  readonly hint: string | undefined
  /** Colours the carets. */
  readonly dress: (text: string) => string
}

const gutterWidth = 8
const separator = ' │ '

/** Returns the line before, the line itself, and a line of carets followed by the hint. */
export function renderFrame(input: FrameInput, style: Style): string[] {
  const lines = lineIndex(input.text)
  const start = lines.position(input.range.start)
  const end = lines.position(Math.max(input.range.start, input.range.end))
  const source = lines.lineText(start.line)
  const endColumn = end.line === start.line ? end.column : source.length + 1
  const room = Math.max(20, style.width - gutterWidth - separator.length)
  const view = viewOf(source, start.column - 1, Math.max(endColumn - 1, start.column), room)

  const frame: string[] = []
  // If only the middle of a long line is shown, the beginning of the line before would not help.
  const before = start.line > 1 && view.offset === 0 ? lines.lineText(start.line - 1) : ''
  if (before.trim() !== '')
    frame.push(gutter(String(start.line - 1), style) + crop(before, view.offset, room))
  frame.push(gutter(String(start.line), style) + view.text)
  frame.push(...marked(view, input, room, style))
  return frame
}

interface View {
  readonly text: string
  /** The number of columns that are cut off on the left. */
  readonly offset: number
  readonly caretAt: number
  readonly caretWidth: number
}

/**
 * Returns the part of a line that shows `from`..`to`; tabs become one space, so that columns stay the same.
 */
function viewOf(source: string, from: number, to: number, room: number): View {
  const flat = visible(source)
  const offset = displayWidth(flat.slice(0, to)) <= room ? 0 : Math.max(0, from - Math.floor(room / 3))
  const text = crop(source, offset, room)
  const caretAt =
    offset === 0 ? displayWidth(flat.slice(0, from)) : 1 + displayWidth(flat.slice(offset + 1, from))
  const caretWidth = Math.max(1, Math.min(displayWidth(flat.slice(from, to)), room - caretAt))
  return { text, offset, caretAt, caretWidth }
}

/** What is cut off, on the left from `offset` on, is replaced by an ellipsis. */
function crop(source: string, offset: number, room: number): string {
  const flat = visible(source)
  let text = offset === 0 ? flat : `…${flat.slice(offset + 1)}`
  if (displayWidth(text) <= room) return text.trimEnd()
  while (displayWidth(text) > room - 1)
    text = text.slice(0, -Math.max(1, Math.ceil((displayWidth(text) - room + 1) / 2)))
  return `${text.trimEnd()}…`
}

/** Replaces control characters and keeps the length in UTF-16 units. */
function visible(source: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace.
  return source.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
}

function marked(view: View, input: FrameInput, room: number, style: Style): string[] {
  const carets = input.dress('^'.repeat(view.caretWidth))
  const lead = ' '.repeat(view.caretAt)
  const empty = gutter('', style)
  if (input.hint === undefined) return [`${empty}${lead}${carets}`]
  const hintAt = view.caretAt + view.caretWidth + 1
  // The hint is beside the carets if there is enough space, otherwise below them.
  if (room - hintAt >= 24) {
    const [first = '', ...rest] = wrap(input.hint, room - hintAt)
    return [`${empty}${lead}${carets} ${first}`, ...rest.map(line => `${empty}${' '.repeat(hintAt)}${line}`)]
  }
  return [`${empty}${lead}${carets}`, ...wrap(input.hint, room).map(line => empty + line)]
}

function gutter(text: string, style: Style): string {
  return style.dim(text.padStart(gutterWidth) + separator)
}
