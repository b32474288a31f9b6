/**
 * Maps each character of a scalar's value to its place in the file: through block indentation, folding,
 * quotes and escapes. It follows the rules of YAML 1.2 for the style and reads only the scalar's body.
 */
import { lazyPositionMap, type PieceList, pieceList } from '../text/position-map.ts'
import type { PositionMap } from '../text/range.ts'
import type { ScalarNode } from './node.ts'

/** Returns a map from offsets in `String(node.value)` to offsets in `text`, computed on demand. */
export function scalarPositions(text: string, node: ScalarNode): PositionMap {
  return lazyPositionMap(() => decode(text, node).build())
}

interface Decoder {
  readonly text: string
  readonly pieces: PieceList
  /** The end of the body. */
  readonly end: number
  /** The length of the value that has been mapped. */
  made: number
}

function decode(text: string, node: ScalarNode): PieceList {
  const { start, end } = node.bodyRange
  const decoder: Decoder = { text, pieces: pieceList(), end, made: 0 }
  if (node.style === 'literal' || node.style === 'folded') decodeBlock(decoder, node)
  else decodeFlow(decoder, start, node.style)
  if (decoder.made === 0) decoder.pieces.add({ start: 0, end: 1 }, { start, end: start })
  return decoder.pieces
}

/** Maps `length` characters of the value to the range from `start` to `end` in the file. */
function take(decoder: Decoder, start: number, end: number, length = end - start): void {
  decoder.pieces.add({ start: decoder.made, end: decoder.made + length }, { start, end })
  decoder.made += length
}

// ---------------------------------------------------------------- plain and quoted

function decodeFlow(decoder: Decoder, start: number, style: 'plain' | 'single' | 'double' | string): void {
  const { text, end } = decoder
  let position = start
  while (position < end) {
    const code = text.charCodeAt(position)
    if (isBreak(code)) position = fold(decoder, position, position)
    else if (isSpace(code)) position = spaces(decoder, position)
    else if (style === 'single' && code === 39) {
      take(decoder, position, position + 2, 1)
      position += 2
    } else if (style === 'double' && code === 92) position = escapeSequence(decoder, position)
    else {
      const from = position
      while (position < end && isOrdinary(text.charCodeAt(position), style)) position++
      take(decoder, from, position)
    }
  }
}

function isOrdinary(code: number, style: string): boolean {
  if (isBreak(code) || isSpace(code)) return false
  return !((style === 'single' && code === 39) || (style === 'double' && code === 92))
}

/** Skips spaces before a line break, which are not part of the value. */
function spaces(decoder: Decoder, from: number): number {
  const { text, end } = decoder
  let position = from
  while (position < end && isSpace(text.charCodeAt(position))) position++
  if (position < end && isBreak(text.charCodeAt(position))) return fold(decoder, position, position)
  take(decoder, from, position)
  return position
}

/**
 * Maps a folded line break: one becomes a space, n become n - 1 line breaks; indentation is dropped. Returns
 * the offset after it.
 */
function fold(decoder: Decoder, from: number, firstBreak: number): number {
  const { text, end } = decoder
  const breaks: { start: number; end: number }[] = []
  let position = from
  while (position < end) {
    const code = text.charCodeAt(position)
    if (isBreak(code)) {
      const next = afterBreak(text, position)
      breaks.push({ start: position, end: next })
      position = next
    } else if (isSpace(code)) position++
    else break
  }
  if (breaks.length === 1) take(decoder, firstBreak, afterBreak(text, firstBreak), 1)
  for (const each of breaks.slice(1)) take(decoder, each.start, each.end, 1)
  return position
}

function escapeSequence(decoder: Decoder, from: number): number {
  const { text, end } = decoder
  const code = text.charCodeAt(from + 1)
  if (isBreak(code)) {
    // An escaped line break joins the lines; further empty lines count.
    const next = afterBreak(text, from + 1)
    return skipIndentation(text, next, end)
  }
  const digits = code === 120 ? 2 : code === 117 ? 4 : code === 85 ? 8 : 0
  const next = Math.min(end, from + 2 + digits)
  const isPair = digits === 8 && Number.parseInt(text.slice(from + 2, next), 16) > 0xffff
  take(decoder, from, next, isPair ? 2 : 1)
  return next
}

function skipIndentation(text: string, from: number, end: number): number {
  let position = from
  while (position < end && (isSpace(text.charCodeAt(position)) || isBreak(text.charCodeAt(position))))
    position++
  return position
}

// ---------------------------------------------------------------- literal and folded blocks

interface BlockLine {
  /** The range of the line without its indentation. */
  readonly start: number
  readonly end: number
  /** The offset after the line break. */
  readonly next: number
  readonly isEmpty: boolean
  /** It starts with a space or a tab, so it is not folded. */
  readonly isMoreIndented: boolean
}

function decodeBlock(decoder: Decoder, node: ScalarNode): void {
  const value = String(node.value)
  const lines = blockLines(decoder.text, node, blockIndent(decoder.text, node, value))
  if (node.style === 'literal') decodeLiteral(decoder, lines, value.length)
  else decodeFolded(decoder, lines, value.length)
}

/**
 * Returns the indentation: that of the first line with text, without the spaces at the start of the value.
 */
function blockIndent(text: string, node: ScalarNode, value: string): number {
  const { start, end } = node.bodyRange
  const indented = /^[ ]*(?=[^\s])/m.exec(text.slice(start, end))
  if (indented === null) return Number.POSITIVE_INFINITY
  const kept = /^([ ]*)[^\s]/m.exec(value)
  return indented[0].length - (kept?.[1]?.length ?? 0)
}

function blockLines(text: string, node: ScalarNode, indent: number): BlockLine[] {
  const lines: BlockLine[] = []
  let position = node.bodyRange.start
  // Blank lines after the body belong to a value that keeps them (`|+`).
  const end = Math.max(node.bodyRange.end, skipIndentation(text, node.bodyRange.end, text.length))
  while (position < end) {
    let lineEnd = position
    while (lineEnd < text.length && !isBreak(text.charCodeAt(lineEnd))) lineEnd++
    let start = position
    while (start < lineEnd && start - position < indent && text.charCodeAt(start) === 32) start++
    const next = lineEnd < text.length ? afterBreak(text, lineEnd) : lineEnd
    const first = start < lineEnd ? text.charCodeAt(start) : 0
    lines.push({ start, end: lineEnd, next, isEmpty: start === lineEnd, isMoreIndented: isSpace(first) })
    position = next === position ? end : next
  }
  return lines
}

function decodeLiteral(decoder: Decoder, lines: readonly BlockLine[], length: number): void {
  for (const line of lines) {
    if (decoder.made >= length) return
    take(decoder, line.start, line.end)
    take(decoder, line.end, line.next, 1)
  }
}

/**
 * Maps folded lines: breaks between two lines of ordinary text fold; those around more-indented lines and
 * empty lines stay.
 */
function decodeFolded(decoder: Decoder, lines: readonly BlockLine[], length: number): void {
  let previous: BlockLine | undefined
  let empty: BlockLine[] = []
  for (const line of lines) {
    if (line.isEmpty) {
      empty.push(line)
      continue
    }
    const keepsBreak = line.isMoreIndented || previous?.isMoreIndented === true
    if (previous !== undefined && (keepsBreak || empty.length === 0))
      take(decoder, previous.end, previous.next, 1)
    for (const each of empty) take(decoder, each.end, each.next, 1)
    take(decoder, line.start, line.end)
    previous = line
    empty = []
  }
  if (previous !== undefined && decoder.made < length) take(decoder, previous.end, previous.next, 1)
  for (const each of empty) if (decoder.made < length) take(decoder, each.end, each.next, 1)
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9
}

function afterBreak(text: string, position: number): number {
  return text.charCodeAt(position) === 13 && text.charCodeAt(position + 1) === 10
    ? position + 2
    : position + 1
}
