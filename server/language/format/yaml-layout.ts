/**
 * Formats a YAML text with an indentation of two spaces, token by token, so that comments, anchors, quotes
 * and the order of keys stay. Only text outside of values changes; the body of a block scalar moves as a
 * whole. It returns undefined for a text that it cannot write.
 */
import { type CST, Parser } from 'yaml'
import { columnOf } from '../text/lines.ts'
import { afterFlow, reindented, writeFlow, yamlWidth } from './yaml-flow.ts'
import { isComment, isProp, UnusualYaml } from './yaml-tokens.ts'
import { type OpenBlock, type YamlWriter, yamlWriter } from './yaml-writer.ts'

/** Formats a text with valid syntax. Line breaks of the result are `\n`. */
export function layoutYaml(text: string): string | undefined {
  const layout: Layout = { text, writer: yamlWriter(), open: [] }
  try {
    let documents = 0
    for (const token of new Parser().parse(text)) {
      if (token.type === 'document' && ++documents > 1) return undefined
      writeTop(layout, token)
    }
  } catch (error) {
    if (error instanceof UnusualYaml) return undefined
    throw error
  }
  return layout.writer.result()
}

interface Layout {
  readonly text: string
  readonly writer: YamlWriter
  readonly open: OpenBlock[]
}

function writeTop(layout: Layout, token: CST.Token): void {
  switch (token.type) {
    case 'byte-order-mark':
    case 'space':
      return
    case 'newline':
    case 'comment':
      trivia(layout, [token])
      return
    case 'document':
      writeDocument(layout, token)
      return
    default:
      throw new UnusualYaml(`a ${token.type} beside the document`)
  }
}

function writeDocument(layout: Layout, document: CST.Document): void {
  const { writer } = layout
  const start = document.start.findIndex(token => token.type === 'doc-start')
  if (start >= 0) {
    trivia(layout, document.start.slice(0, start))
    writer.breakLine(0)
    writer.write('---')
    writer.breakLine(0)
  }
  const rest = document.start.slice(start + 1)
  if (rest.some(isProp)) throw new UnusualYaml('an anchor of the document')
  if (document.value !== undefined && isBlock(document.value)) {
    trivia(layout, rest)
    writer.breakLine(0)
    writeBlock(layout, document.value, 0)
  } else {
    trivia(layout, rest)
    writer.breakLine(0)
    if (document.value !== undefined) writeInline(layout, document.value, -2)
  }
  trivia(layout, document.end ?? [], true)
}

// ---------------------------------------------------------------- blocks

type Block = CST.BlockMap | CST.BlockSequence

function isBlock(token: CST.Token): token is Block {
  return token.type === 'block-map' || token.type === 'block-seq'
}

/** Writes a block. `goesOn` means that its first entry continues the current line. */
function writeBlock(layout: Layout, block: Block, indent: number, goesOn = false): void {
  layout.open.push({ sourceColumn: columnOf(layout.text, block.offset), indent })
  for (const [index, item] of block.items.entries()) {
    const isInLine = goesOn && index === 0
    if (block.type === 'block-map') writeEntry(layout, item as Entry, indent, isInLine)
    else writeItem(layout, item as Item, indent, isInLine)
  }
  layout.open.pop()
}

type Entry = CST.BlockMap['items'][number]
type Item = CST.BlockSequence['items'][number]

function writeEntry(layout: Layout, item: Entry, indent: number, goesOn: boolean): void {
  const { writer } = layout
  if (item.key === undefined && item.sep === undefined) {
    trivia(layout, item.start, true)
    return
  }
  if (item.key == null || item.start.some(token => token.type === 'explicit-key-ind'))
    throw new UnusualYaml('a key that is no word')
  trivia(layout, item.start)
  if (!goesOn || item.start.some(isComment)) writer.breakLine(indent)
  for (const prop of item.start.filter(isProp)) writer.write(`${prop.source} `)
  writer.write(keyOf(item.key))
  const colon = (item.sep ?? []).findIndex(token => token.type === 'map-value-ind')
  if (colon < 0 || (item.sep ?? []).slice(0, colon).some(token => token.type !== 'space'))
    throw new UnusualYaml('a key without a colon')
  writer.write(':')
  writeAfter(layout, (item.sep ?? []).slice(colon + 1), item.value, indent)
}

function keyOf(key: CST.Token): string {
  const isWord = key.type === 'scalar' || key.type.endsWith('quoted-scalar')
  if (!isWord || !('source' in key) || /[\r\n]/.test(key.source))
    throw new UnusualYaml('a key that is no word')
  return key.source
}

function writeItem(layout: Layout, item: Item, indent: number, goesOn: boolean): void {
  const { writer } = layout
  const dash = item.start.findIndex(token => token.type === 'seq-item-ind')
  if (dash < 0) {
    trivia(layout, item.start, true)
    return
  }
  trivia(layout, item.start.slice(0, dash))
  if (!goesOn || item.start.slice(0, dash).some(isComment)) writer.breakLine(indent)
  writer.write('-')
  const after = item.start.slice(dash + 1)
  const isCompact =
    item.value !== undefined && isBlock(item.value) && !after.some(token => isProp(token) || isComment(token))
  if (isCompact && item.value !== undefined && isBlock(item.value)) {
    writer.write(' ')
    writeBlock(layout, item.value, indent + 2, true)
  } else writeAfter(layout, after, item.value, indent)
}

/** Writes what follows `key:` or `-`. */
function writeAfter(
  layout: Layout,
  before: readonly CST.SourceToken[],
  value: CST.Token | undefined,
  indent: number,
): void {
  const { writer } = layout
  for (const prop of before.filter(isProp)) writer.write(` ${prop.source}`)
  if (value !== undefined && isBlock(value)) {
    layout.open.push({ sourceColumn: columnOf(layout.text, value.offset), indent: indent + 2 })
    writer.beginBlock()
    trivia(layout, before)
    layout.open.pop()
    writer.breakLine(indent + 2)
    writeBlock(layout, value, indent + 2)
    return
  }
  if (value === undefined) {
    trivia(layout, before)
    return
  }
  if (before.some(isComment)) {
    layout.open.push({ sourceColumn: columnOf(layout.text, value.offset), indent: indent + 2 })
    trivia(layout, before)
    layout.open.pop()
    writer.breakLine(indent + 2)
    writeInline(layout, value, indent)
    return
  }
  const hasBreak = before.some(token => token.type === 'newline')
  if (hasBreak && !joins(writer, value)) writer.breakLine(indent + 2)
  else writer.write(' ')
  writer.beginBlock()
  writeInline(layout, value, indent)
}

/** Returns whether a value on the line below its key is moved up to it, if it fits. */
function joins(writer: YamlWriter, value: CST.Token): boolean {
  if (value.type === 'flow-collection' || !('source' in value)) return true
  return !/[\r\n]/.test(value.source) && writer.column + 1 + value.source.length <= yamlWidth
}

// ---------------------------------------------------------------- values

/** Writes a value. `indent` is that of the entry whose value this is. */
function writeInline(layout: Layout, value: CST.Token, indent: number): void {
  const { writer } = layout
  switch (value.type) {
    case 'alias':
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      writer.writeLines(reindented(value.source, indent + 2))
      trivia(layout, value.end ?? [])
      return
    case 'flow-collection':
      writeFlow(writer, value, Math.max(0, indent))
      trivia(layout, afterFlow(value))
      return
    case 'block-scalar':
      writeBlockScalar(layout, value, indent)
      return
    default:
      throw new UnusualYaml(`a ${value.type} as a value`)
  }
}

function writeBlockScalar(layout: Layout, scalar: CST.BlockScalar, indent: number): void {
  const { writer } = layout
  const props = scalar.props as readonly CST.SourceToken[]
  const header = props.find(token => token.type === 'block-scalar-header')?.source ?? ''
  const comment = props.find(isComment)
  const digit = /[1-9]/.exec(header)?.[0]
  const body = bodyLines(scalar, digit === undefined ? undefined : columnOfParent(layout) + Number(digit))
  const written = digit === undefined ? header : header.replace(digit, '2')
  if (props.some(isProp)) throw new UnusualYaml('an anchor before a block of text')
  let emptyLines = 0
  if (!header.includes('+')) for (; body.at(-1) === ''; body.pop()) emptyLines++
  const margin = ' '.repeat(indent + 2)
  const lines = body.map(line => (line === '' ? '' : margin + line))
  const head = comment === undefined ? written : `${written} ${comment.source.replace(/[ \t]+$/, '')}`
  // Trailing spaces of a line are part of the text, so the lines are written unchanged.
  writer.writeLines([head, ...lines])
  writer.breakLine(0)
  for (let count = 0; count <= emptyLines; count++) writer.sawBreak()
}

/** Returns the lines of the text without their indentation. */
function bodyLines(scalar: CST.BlockScalar, given: number | undefined): string[] {
  const lines = scalar.source.split(/\r\n?|\n/)
  if (lines.at(-1) === '') lines.pop()
  const first = lines.find(line => /[^ \t]/.test(line))
  const indent =
    given ?? (first === undefined ? Number.POSITIVE_INFINITY : first.length - first.replace(/^ +/, '').length)
  return lines.map(line => {
    const cut = Math.min(indent, line.length - line.replace(/^ +/, '').length)
    return line.slice(cut)
  })
}

function columnOfParent(layout: Layout): number {
  return layout.open.at(-1)?.sourceColumn ?? 0
}

// ---------------------------------------------------------------- comments and line breaks

/**
 * Writes comments and line breaks. `isEnd` means that the block ends, so a comment left of it belongs to the
 * outer one.
 */
function trivia(layout: Layout, tokens: readonly CST.SourceToken[], isEnd = false): void {
  for (const token of tokens) {
    if (token.type === 'newline') layout.writer.sawBreak()
    else if (isComment(token)) {
      layout.writer.comment(token.source, commentIndent(layout, columnOf(layout.text, token.offset), isEnd))
    } else if (token.type !== 'space' && !isProp(token)) {
      throw new UnusualYaml(`a ${token.type} between entries`)
    }
  }
}

/**
 * Returns the indentation of a comment: that of the innermost block that started at its column or left of it.
 */
function commentIndent(layout: Layout, column: number, isEnd: boolean): number {
  const around = layout.open.filter(block => block.sourceColumn <= column)
  const inner = around.at(-1)
  if (inner === undefined) return layout.open[0]?.indent ?? 0
  if (!isEnd) return inner.indent
  return around.find(block => block.sourceColumn === inner.sourceColumn)?.indent ?? inner.indent
}
