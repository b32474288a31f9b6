/**
 * The fastest YAML parser, for the plain way in which nearly every asset is written: block mappings and lists,
 * single-line scalars, flow collections on one line, literal blocks. It returns `undefined` for anything that may be
 * something else. A property test compares what it reads with the other parsers. Without it a first check of 1,000
 * files takes 0.1 s longer, and a change of 1,600 files at once a tenth.
 */
import { emptyScalar } from './empty-scalar.ts'
import type { MapEntry, MapNode, Node, ScalarNode, ScalarStyle, SequenceNode } from './node.ts'
import { resolvePlainScalar } from './plain-scalar.ts'

/** Parses a text. `root` is undefined for a text with comments alone. */
export function parseSimpleYaml(text: string): { readonly root: Node | undefined } | undefined {
  if (unusual.test(text)) return undefined
  const reader: Reader = { text, position: 0, lineStart: 0, column: 0, failed: false, depth: 0 }
  startLine(reader, 0)
  if (reader.failed) return undefined
  if (reader.column < 0) return { root: undefined }
  const root = readBlock(reader)
  return reader.failed || reader.column >= 0 ? undefined : { root }
}

/** Matches line breaks of other systems, surrogates, marks and controls, which have rules of their own. */
const unusual = /[^\n\t -~\u00a0-\u1fff\u2010-\u2027\u202a-\ud7ff]|^(?:---|\.\.\.|%)/m

interface Reader {
  readonly text: string
  /** The offset of the first character of what comes next. */
  position: number
  lineStart: number
  /** The column of what comes next; -1 at the end of the text. */
  column: number
  failed: boolean
  depth: number
}

const maxSimpleDepth = 40

const newLine = 10
const space = 32
const doubleQuote = 34
const hash = 35
const singleQuote = 39
const comma = 44
const dash = 45
const colon = 58
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const pipe = 124
const closeBrace = 125

function fail(reader: Reader): ScalarNode {
  reader.failed = true
  return emptyScalar
}

// ---------------------------------------------------------------- lines

/** Moves to the first line from `lineStart` on that has more than a comment. */
function startLine(reader: Reader, lineStart: number): void {
  const { text } = reader
  let start = lineStart
  while (start < text.length) {
    let position = start
    while (text.charCodeAt(position) === space) position++
    const code = text.charCodeAt(position)
    if (code === hash) position = endOfLine(text, position)
    else if (code === 9) fail(reader)
    else if (code !== newLine && position < text.length) {
      reader.lineStart = start
      reader.position = position
      reader.column = position - start
      return
    }
    start = position + 1
  }
  reader.column = -1
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Ends a line: only a comment may follow a value. */
function finishLine(reader: Reader, from: number): void {
  const { text } = reader
  let position = from
  while (text.charCodeAt(position) === space) position++
  const code = text.charCodeAt(position)
  const isComment = code === hash && position > from
  if (!isComment && code !== newLine && position < text.length) fail(reader)
  else startLine(reader, endOfLine(text, position) + 1)
}

/** Returns whether the line ends at `position`, not counting a comment. */
function isLineEnd(text: string, position: number): boolean {
  const code = text.charCodeAt(position)
  return (
    code === newLine || position >= text.length || (code === hash && text.charCodeAt(position - 1) === space)
  )
}

// ---------------------------------------------------------------- blocks

function readBlock(reader: Reader): Node {
  reader.depth++
  if (reader.depth > maxSimpleDepth) return fail(reader)
  const node = isItem(reader) ? readSequence(reader) : readMap(reader)
  reader.depth--
  return node
}

function isItem({ text, position }: Reader): boolean {
  const next = text.charCodeAt(position + 1)
  return (
    text.charCodeAt(position) === dash && (next === space || next === newLine || position + 1 === text.length)
  )
}

const keyPattern = /[A-Za-z_][\w-]*(?=:(?: |\n|$))/y

function endOfKey(reader: Reader): number {
  keyPattern.lastIndex = reader.position
  return keyPattern.test(reader.text) ? keyPattern.lastIndex : -1
}

function readMap(reader: Reader): MapNode {
  const indent = reader.column
  const start = reader.position
  const entries: MapEntry[] = []
  let end = start
  while (!reader.failed && reader.column === indent && !isItem(reader)) {
    const keyEnd = endOfKey(reader)
    if (keyEnd < 0) {
      fail(reader)
      break
    }
    const key = plainNode(reader.text, reader.position, keyEnd, true)
    const value = readValue(reader, keyEnd + 1, indent, indent)
    entries.push({ key, value })
    end = value?.range.end ?? keyEnd
  }
  if (reader.column > indent) fail(reader)
  return { kind: 'map', range: { start, end }, entries }
}

function readSequence(reader: Reader): SequenceNode {
  const indent = reader.column
  const start = reader.position
  const items: Node[] = []
  while (!reader.failed && reader.column === indent && isItem(reader)) {
    items.push(readItem(reader, indent))
  }
  if (reader.column > indent) fail(reader)
  return { kind: 'sequence', range: { start, end: items.at(-1)?.range.end ?? start }, items }
}

function readItem(reader: Reader, indent: number): Node {
  const { text } = reader
  let position = reader.position + 1
  while (text.charCodeAt(position) === space) position++
  reader.position = position
  reader.column = position - reader.lineStart
  const isMap = endOfKey(reader) >= 0
  if (isMap) return readBlock(reader)
  if (isItem(reader)) return fail(reader)
  // A list may not stand in the column of the list that it is an item of.
  return readValue(reader, position, indent, indent + 1) ?? fail(reader)
}

/**
 * Reads the value after a key or a dash, on its line or below it; returns undefined if there is none. Lines of the value
 * are indented more than `indent`; a list may start at `listIndent`.
 */
function readValue(reader: Reader, from: number, indent: number, listIndent: number): Node | undefined {
  const { text } = reader
  let position = from
  while (text.charCodeAt(position) === space) position++
  if (isLineEnd(text, position)) {
    startLine(reader, endOfLine(text, position) + 1)
    const isBelow = reader.column > indent || (reader.column >= listIndent && isItem(reader))
    return isBelow ? readBlock(reader) : undefined
  }
  reader.position = position
  switch (text.charCodeAt(position)) {
    case pipe:
      return readLiteral(reader, indent)
    case openBracket:
    case openBrace: {
      const node = readFlow(reader)
      finishLine(reader, reader.position)
      return node
    }
    case singleQuote:
    case doubleQuote: {
      const node = readQuoted(reader)
      finishLine(reader, reader.position)
      return node
    }
    default:
      return readPlain(reader)
  }
}

// ---------------------------------------------------------------- scalars

function plainNode(text: string, start: number, end: number, isKey: boolean): ScalarNode {
  const range = { start, end }
  const written = text.slice(start, end)
  return {
    kind: 'scalar',
    range,
    bodyRange: range,
    style: 'plain',
    value: isKey ? written : resolvePlainScalar(written),
  }
}

/** Characters that may start something other than a plain scalar. */
const indicators = /[-?:,[\]{}#&*!|>'"%@`]/
const plainEnd = / #|:(?= |\n|$)|\n|\t/g

/** Reads to the end of the line. The next line of a longer text is indented too deep, which the caller notices. */
function readPlain(reader: Reader): ScalarNode {
  const { text, position } = reader
  const isNumber = text.charCodeAt(position) === dash && /[\d.]/.test(text.charAt(position + 1))
  if (indicators.test(text.charAt(position)) && !isNumber) return fail(reader)
  plainEnd.lastIndex = position
  const found = plainEnd.exec(text)
  if (found?.[0] === ':' || found?.[0] === '\t') return fail(reader)
  let end = found?.index ?? text.length
  while (text.charCodeAt(end - 1) === space) end--
  startLine(reader, endOfLine(text, end) + 1)
  return plainNode(text, position, end, false)
}

/** Reads a quoted text on one line, without escapes in double quotes. */
function readQuoted(reader: Reader): ScalarNode {
  const { text, position: start } = reader
  const quote = text.charAt(start)
  let end = text.indexOf(quote, start + 1)
  while (end > 0 && quote === "'" && text.charAt(end + 1) === quote) end = text.indexOf(quote, end + 2)
  if (end < 0) return fail(reader)
  const body = text.slice(start + 1, end)
  if (body.includes('\n') || (quote === '"' && body.includes('\\'))) return fail(reader)
  reader.position = end + 1
  const style: ScalarStyle = quote === '"' ? 'double' : 'single'
  const value = quote === "'" ? body.replaceAll("''", "'") : body
  return {
    kind: 'scalar',
    range: { start, end: end + 1 },
    bodyRange: { start: start + 1, end },
    style,
    value,
  }
}

/**
 * Reads `|` or `|-` with its lines. Lines of spaces that are longer than the indentation are left to the other parsers.
 */
function readLiteral(reader: Reader, indent: number): ScalarNode {
  const { text, position: start } = reader
  const isStripped = text.charCodeAt(start + 1) === dash
  const headerEnd = start + (isStripped ? 2 : 1)
  if (text.charCodeAt(headerEnd) !== newLine) return fail(reader)
  const bodyStart = headerEnd + 1
  let blockIndent = -1
  let value = ''
  let emptyLines = 0
  let end = bodyStart
  let lineStart = bodyStart
  while (lineStart < text.length) {
    let position = lineStart
    while (text.charCodeAt(position) === space) position++
    const column = position - lineStart
    const code = text.charCodeAt(position)
    if (code === newLine || position >= text.length) {
      if (column > 0 && (blockIndent < 0 || column > blockIndent)) return fail(reader)
      emptyLines++
      lineStart = position + 1
      continue
    }
    if (blockIndent < 0) {
      if (column <= indent) return fail(reader)
      blockIndent = column
    }
    if (column < blockIndent) {
      if (column > indent || code === 9) return fail(reader)
      break
    }
    end = endOfLine(text, position)
    if (end === text.length) return fail(reader)
    value += `${'\n'.repeat(value === '' ? emptyLines : emptyLines + 1)}${text.slice(lineStart + blockIndent, end)}`
    emptyLines = 0
    lineStart = end + 1
  }
  if (blockIndent < 0) return fail(reader)
  startLine(reader, lineStart)
  const bodyRange = { start: bodyStart, end }
  return {
    kind: 'scalar',
    range: { start, end },
    bodyRange,
    style: 'literal',
    value: isStripped ? value : `${value}\n`,
  }
}

// ---------------------------------------------------------------- flow collections on one line

function readFlow(reader: Reader): Node {
  reader.depth++
  if (reader.depth > maxSimpleDepth) return fail(reader)
  const node =
    reader.text.charCodeAt(reader.position) === openBrace ? readFlowMap(reader) : readFlowSequence(reader)
  reader.depth--
  return node
}

function skipSpaces(reader: Reader): number {
  while (reader.text.charCodeAt(reader.position) === space) reader.position++
  return reader.text.charCodeAt(reader.position)
}

/** Returns whether another item follows; passes the comma or the closing bracket. */
function isMore(reader: Reader, close: number): boolean {
  const code = skipSpaces(reader)
  reader.position++
  if (code === comma) {
    const next = skipSpaces(reader)
    if (next !== close && next !== comma) return true
  } else if (code === close) return false
  fail(reader)
  return false
}

function readFlowSequence(reader: Reader): SequenceNode {
  const start = reader.position++
  const items: Node[] = []
  if (skipSpaces(reader) === closeBracket) reader.position++
  else {
    do items.push(readFlowValue(reader))
    while (!reader.failed && isMore(reader, closeBracket))
  }
  return { kind: 'sequence', range: { start, end: reader.position }, items }
}

function readFlowMap(reader: Reader): MapNode {
  const start = reader.position++
  const entries: MapEntry[] = []
  if (skipSpaces(reader) === closeBrace) reader.position++
  else {
    do {
      const keyEnd = endOfKey(reader)
      if (keyEnd < 0 || reader.text.charCodeAt(keyEnd + 1) !== space) {
        fail(reader)
        break
      }
      const key = plainNode(reader.text, reader.position, keyEnd, true)
      reader.position = keyEnd + 1
      skipSpaces(reader)
      entries.push({ key, value: readFlowValue(reader) })
    } while (!reader.failed && isMore(reader, closeBrace))
  }
  return { kind: 'map', range: { start, end: reader.position }, entries }
}

/** Matches only what cannot be anything but a plain scalar in a flow collection. */
const flowPlain = /(?:[A-Za-z0-9_./~]|-(?=[\d.]))[^\n\t,[\]{}:#&*!|>'"%@`?]*/y

function readFlowValue(reader: Reader): Node {
  const { text, position } = reader
  const code = text.charCodeAt(position)
  if (code === openBracket || code === openBrace) return readFlow(reader)
  if (code === singleQuote || code === doubleQuote) return readQuoted(reader)
  flowPlain.lastIndex = position
  if (!flowPlain.test(text)) return fail(reader)
  let end = flowPlain.lastIndex
  reader.position = end
  if (text.charCodeAt(end) === colon || text.charCodeAt(end) === hash) return fail(reader)
  while (text.charCodeAt(end - 1) === space) end--
  return plainNode(text, position, end, false)
}
