/**
 * Reads the outline of a YAML text by its indentation, line by line: its keys, lists and values. A broken
 * line does not affect other lines, so this works where a parser fails; it reports no errors.
 */
import type { Range } from '../../text/range.ts'
import { readFlow } from './outline-flow.ts'
import { readQuoted } from './outline-quoted.ts'

export type OutlineNode = OutlineMap | OutlineList | OutlineScalar

export interface OutlineMap {
  readonly kind: 'map'
  readonly flow: boolean
  /** The column of its keys; for a flow map, that of its parent. */
  readonly indent: number
  readonly entries: OutlineEntry[]
  range: Range
}

export interface OutlineEntry {
  readonly key: string
  readonly keyRange: Range
  /** The offset of the colon; undefined if it is not written (yet), in which case the key may be a value. */
  readonly colon: number | undefined
  value: OutlineNode | undefined
}

export interface OutlineList {
  readonly kind: 'list'
  readonly flow: boolean
  readonly indent: number
  /** Undefined for a dash with nothing after it. */
  readonly items: (OutlineNode | undefined)[]
  range: Range
}

export interface OutlineScalar {
  readonly kind: 'scalar'
  readonly style: 'plain' | 'single' | 'double' | 'block'
  /** The range with quotes, or with the header of a block scalar. */
  readonly range: Range
  /** The range without quotes, or the lines of a block scalar below its header. */
  readonly body: Range
}

interface Line {
  readonly start: number
  readonly end: number
  /** The offset of the first character that is no space; `end` if there is none. */
  readonly first: number
  readonly isEmpty: boolean
}

interface OutlineText {
  readonly text: string
  readonly lines: readonly Line[]
}

type Open = OutlineMap | OutlineList

/** Returns undefined for an empty text. */
export function readOutline(text: string): OutlineNode | undefined {
  const source: OutlineText = { text, lines: linesOf(text) }
  const open: Open[] = []
  let root: OutlineNode | undefined
  const attach = (node: OutlineNode): void => {
    const parent = open.at(-1)
    if (parent === undefined) root ??= node
    else if (parent.kind === 'list') {
      if (parent.items.length === 0) parent.items.push(node)
      else parent.items[parent.items.length - 1] ??= node
    } else {
      const entry = parent.entries.at(-1)
      if (entry !== undefined) entry.value ??= node
    }
  }
  for (let index = 0; index < source.lines.length; ) {
    const line = source.lines[index]
    if (line === undefined || line.isEmpty) index++
    else index = readLine({ source, open, attach }, index, line.first)
  }
  return root
}

interface Builder {
  readonly source: OutlineText
  readonly open: Open[]
  readonly attach: (node: OutlineNode) => void
}

/** Reads what starts at `at`; returns the index of the next line to read. */
function readLine(builder: Builder, index: number, at: number): number {
  const { source, open } = builder
  const line = source.lines[index] as Line
  const column = at - line.start
  const { text } = source
  if (isDash(text, at, line.end)) {
    openAt(builder, 'list', column, at)
    const list = open.at(-1)
    if (list?.kind === 'list') list.items.push(undefined)
    const next = skipSpaces(text, at + 1, line.end)
    return next >= line.end || text[next] === '#' ? index + 1 : readLine(builder, index, next)
  }
  const key = keyAt(text, at, line.end)
  if (key === undefined) return readLoose(builder, index, at, column)
  openAt(builder, 'map', column, at)
  const map = open.at(-1)
  if (map?.kind !== 'map') return index + 1
  const entry: OutlineEntry = { key: key.name, keyRange: key.range, colon: key.colon, value: undefined }
  map.entries.push(entry)
  const value = skipSpaces(text, key.colon + 1, line.end)
  if (value >= line.end || isComment(text, value)) return index + 1
  const read = readValue(source, index, value, column)
  entry.value = read.node
  return read.next
}

/** Reads a line that is neither a key nor an item: a value, or a key that is being typed. */
function readLoose(builder: Builder, index: number, at: number, column: number): number {
  const { source, open } = builder
  const top = topFor(open, column)
  const isList = top?.kind === 'list'
  const emptyItem = isList && top.items.at(-1) === undefined
  const lastEntry = top?.kind === 'map' ? top.entries.at(-1) : undefined
  const continues =
    top !== undefined &&
    column > top.indent &&
    !emptyItem &&
    (isList || (lastEntry?.value !== undefined && lastEntry.colon !== undefined))
  if (continues) return index + 1
  const read = readValue(source, index, at, Math.max(column - 1, -1))
  const { node } = read
  if (node.kind === 'scalar' && node.style === 'plain') {
    const key = source.text.slice(node.range.start, node.range.end)
    openAt(builder, 'map', column, at)
    const map = open.at(-1)
    if (map?.kind === 'map') {
      map.entries.push({ key, keyRange: node.range, colon: undefined, value: undefined })
      return read.next
    }
  }
  closeTo(open, column)
  builder.attach(node)
  return read.next
}

/** Makes the container at a column the innermost open one. */
function openAt(builder: Builder, kind: 'map' | 'list', column: number, at: number): void {
  const { open } = builder
  closeTo(open, column)
  const top = open.at(-1)
  if (top?.indent === column && top.kind === kind) return
  // A key's list may be in the key's own column; a key beside a list ends the list.
  if (top?.indent === column && top.kind === 'list') open.pop()
  const range = { start: at, end: at }
  const about = { flow: false, indent: column, range }
  const node: Open = kind === 'map' ? { kind, ...about, entries: [] } : { kind, ...about, items: [] }
  const parent = open.at(-1)
  if (parent?.indent === column && parent.kind === kind) return
  builder.attach(node)
  open.push(node)
}

function closeTo(open: Open[], column: number): void {
  while ((open.at(-1)?.indent ?? -1) > column) open.pop()
}

function topFor(open: readonly Open[], column: number): OutlineMap | OutlineList | undefined {
  return open.findLast(({ indent }) => indent <= column)
}

// ---------------------------------------------------------------- values

interface ReadValue {
  readonly node: OutlineNode
  /** The index of the line after it. */
  readonly next: number
}

/**
 * Reads a value. `indent` is the column of its parent; the value ends before the next line that is not
 * indented more.
 */
function readValue(source: OutlineText, index: number, at: number, indent: number): ReadValue {
  const { text, lines } = source
  const line = lines[index] as Line
  const mark = text[at]
  const limit = limitOf(source, index, indent)
  if (mark === '|' || mark === '>') {
    const bodyStart = lines[index + 1]?.start ?? text.length
    const last = lines.slice(index + 1, limit).findLastIndex(each => !each.isEmpty)
    const end = last < 0 ? bodyStart : (lines[index + 1 + last]?.end ?? bodyStart)
    const body = { start: bodyStart, end }
    const range = { start: at, end: Math.max(end, line.end) }
    return { node: { kind: 'scalar', style: 'block', range, body }, next: limit }
  }
  const limitOffset = lines[limit - 1]?.end ?? text.length
  if (mark === '{' || mark === '[') {
    const node = readFlow(text, at, limitOffset, indent)
    return { node, next: lineBehind(source, index, node.range.end) }
  }
  if (mark === "'" || mark === '"') {
    const node = readQuoted(text, at, limitOffset, mark)
    return { node, next: lineBehind(source, index, node.range.end) }
  }
  const range = { start: at, end: endOfPlain(text, at, line.end) }
  return { node: { kind: 'scalar', style: 'plain', range, body: range }, next: index + 1 }
}

/** Returns the index of the first following line that is not indented more than `indent`. */
function limitOf({ lines }: OutlineText, index: number, indent: number): number {
  let next = index + 1
  for (; next < lines.length; next++) {
    const line = lines[next] as Line
    if (!line.isEmpty && line.first - line.start <= indent) break
  }
  return next
}

function lineBehind({ lines }: OutlineText, index: number, offset: number): number {
  let next = index + 1
  while (next < lines.length && (lines[next]?.start ?? 0) < offset) next++
  return next
}

/** Returns the end without a comment and the spaces before it. */
function endOfPlain(text: string, at: number, limit: number): number {
  const rest = text.slice(at, limit)
  const comment = rest.search(/\s#/)
  return at + (comment < 0 ? rest : rest.slice(0, comment)).trimEnd().length
}

// ---------------------------------------------------------------- lines

const keyPattern =
  /(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#"'[\]{},|>&*!%@`-][^#\n]*?|-[^\s#][^#\n]*?))\s*:(?=\s|$)/y

function keyAt(
  text: string,
  at: number,
  end: number,
): { name: string; range: Range; colon: number } | undefined {
  const line = text.slice(at, end)
  keyPattern.lastIndex = 0
  const match = keyPattern.exec(line)
  if (match === null) return undefined
  const name = match[1] ?? match[2] ?? match[3] ?? ''
  const colon = at + match[0].length - 1
  const written = text.slice(at, colon).trimEnd().length
  return { name, range: { start: at, end: at + written }, colon }
}

function isDash(text: string, at: number, end: number): boolean {
  return text[at] === '-' && (at + 1 >= end || /\s/.test(text[at + 1] ?? ' '))
}

function isComment(text: string, at: number): boolean {
  return text[at] === '#'
}

function skipSpaces(text: string, at: number, end: number): number {
  let next = at
  while (next < end && (text[next] === ' ' || text[next] === '\t')) next++
  return next
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = []
  const ends = /\r\n?|\n|$/g
  for (let start = 0; start <= text.length; ) {
    ends.lastIndex = start
    const lineBreak = ends.exec(text)
    const end = lineBreak?.index ?? text.length
    const first = skipSpaces(text, start, end)
    lines.push({ start, end, first, isEmpty: first >= end || text[first] === '#' })
    if (lineBreak === null || lineBreak[0] === '') break
    start = end + lineBreak[0].length
  }
  return lines
}
