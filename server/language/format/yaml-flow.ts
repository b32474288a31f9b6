/**
 * Writes flow collections: on one line if they were or if they fit, and else one item per line. A line break
 * after the opening bracket keeps one item per line.
 */
import type { CST } from 'yaml'
import { isComment, isProp, UnusualYaml } from './yaml-tokens.ts'
import type { YamlWriter } from './yaml-writer.ts'

/** The width from which flow collections are broken. */
export const yamlWidth = 100

/** Writes a collection. `indent` is that of the entry whose value this is. */
export function writeFlow(writer: YamlWriter, flow: CST.FlowCollection, indent: number): void {
  const flat = flatFlow(flow)
  const isOneLine = !hasLineBreak(flow)
  const fits = flat !== undefined && writer.column + flat.length <= yamlWidth && !opensWithBreak(flow)
  if (flat !== undefined && (isOneLine || fits)) writer.write(flat)
  else writeBroken(writer, flow, indent)
}

// ---------------------------------------------------------------- one line

/** Returns undefined if it has comments or multi-line texts. */
function flatFlow(flow: CST.FlowCollection): string | undefined {
  const items = itemsOf(flow)
  const parts: string[] = []
  for (const { item, comments } of items) {
    const text = comments.length > 0 ? undefined : flatItem(item)
    if (text === undefined) return undefined
    if (text !== '') parts.push(text)
  }
  if (closingOf(flow).some(isComment)) return undefined
  const [open, close] = bracketsOf(flow)
  return `${open}${parts.join(', ')}${close}`
}

function flatItem(item: CST.FlowCollection['items'][number]): string | undefined {
  if ([...item.start, ...(item.sep ?? [])].some(isComment)) return undefined
  const head = item.start.filter(isProp).map(token => token.source)
  const key = item.key == null ? undefined : flatValue(item.key)
  const value = item.value === undefined ? undefined : flatValue(item.value)
  if ((item.key != null && key === undefined) || (item.value !== undefined && value === undefined))
    return undefined
  const hasColon = item.sep?.some(token => token.type === 'map-value-ind') === true
  const between = (item.sep ?? []).filter(isProp).map(token => token.source)
  const words = [...head, ...(key === undefined ? [] : [key])].join(' ')
  const left = hasColon ? `${words}:` : words
  if (hasColon && key === undefined) throw new UnusualYaml('a key is missing')
  return [left, ...between, value ?? ''].filter(part => part !== '').join(' ')
}

function flatValue(token: CST.Token): string | undefined {
  switch (token.type) {
    case 'flow-collection':
      return flatFlow(token)
    case 'alias':
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar': {
      if ((token.end ?? []).some(isComment)) return undefined
      return /[\r\n]/.test(token.source) ? undefined : token.source
    }
    default:
      throw new UnusualYaml(`a ${token.type} in brackets`)
  }
}

// ---------------------------------------------------------------- an item a line

function writeBroken(writer: YamlWriter, flow: CST.FlowCollection, indent: number): void {
  const [open, close] = bracketsOf(flow)
  const inner = indent + 2
  writer.write(open)
  const items = itemsOf(flow).filter(({ item, comments }) => !isEmpty(item) || comments.length > 0)
  const lastIndex = items.findLastIndex(({ item }) => !isEmpty(item))
  for (const [index, { item, comments }] of items.entries()) {
    for (const { text, isBeside } of comments.filter(comment => !comment.isTrailing)) {
      writeComment(writer, text, isBeside, inner)
    }
    if (!isEmpty(item)) {
      writer.breakLine(inner)
      writeItem(writer, item, inner)
      if (index < lastIndex) writer.write(',')
    }
    for (const { text } of comments.filter(comment => comment.isTrailing))
      writeComment(writer, text, true, inner)
  }
  for (const token of closingOf(flow).filter(isComment)) writeComment(writer, token.source, false, inner)
  writer.breakLine(indent)
  writer.write(close)
}

function writeComment(writer: YamlWriter, text: string, isBeside: boolean, indent: number): void {
  if (!isBeside) writer.sawBreak()
  writer.comment(text, indent)
}

function writeItem(writer: YamlWriter, item: CST.FlowCollection['items'][number], indent: number): void {
  for (const token of item.start.filter(isProp)) writer.write(`${token.source} `)
  if (item.key != null) writeValue(writer, item.key, indent)
  if (item.sep?.some(token => token.type === 'map-value-ind') === true) {
    if (item.key == null) throw new UnusualYaml('a key is missing')
    writer.write(':')
  }
  for (const token of (item.sep ?? []).filter(isProp)) writer.write(` ${token.source}`)
  if (item.value === undefined) return
  if (item.key != null) writer.write(' ')
  writeValue(writer, item.value, indent)
}

function writeValue(writer: YamlWriter, token: CST.Token, indent: number): void {
  if (token.type === 'flow-collection') {
    writeFlow(writer, token, indent)
    return
  }
  const flat = flatValue(token)
  if (flat !== undefined) {
    writer.write(flat)
    return
  }
  if (!('source' in token)) throw new UnusualYaml(`a ${token.type} in brackets`)
  writer.writeLines(reindented(token.source, indent + 2))
}

/** Splits a plain or quoted text into lines; the indentation of further lines is not part of it. */
export function reindented(source: string, indent: number): string[] {
  const [first = '', ...rest] = source.split(/\r\n?|\n/)
  const [last] = rest.splice(-1)
  const inner = rest.map(line =>
    blank.test(line) ? '' : ' '.repeat(indent) + withoutEnd(withoutIndent(line)),
  )
  return last === undefined
    ? [first]
    : [withoutEnd(first), ...inner, ' '.repeat(indent) + withoutIndent(last)]
}

// YAML treats only these two as white space; other characters belong to the text.
const blank = /^[ \t]*$/

function withoutIndent(line: string): string {
  return line.replace(/^[ \t]+/, '')
}

/** Removes spaces before a line break, which are no part of the text unless the first of them is escaped. */
function withoutEnd(line: string): string {
  return /\\[ \t]*$/.test(line) ? line : line.replace(/[ \t]+$/, '')
}

// ---------------------------------------------------------------- parts

interface FlowComment {
  readonly text: string
  readonly isBeside: boolean
  /** The comment is on the item's line. */
  readonly isTrailing: boolean
}

interface FlowItem {
  readonly item: CST.FlowCollection['items'][number]
  readonly comments: readonly FlowComment[]
}

/**
 * Returns the items with their comments: those after the comma on the same line belong to the item before it.
 */
function itemsOf(flow: CST.FlowCollection): FlowItem[] {
  const items: { item: FlowItem['item']; comments: FlowComment[] }[] = []
  for (const item of flow.items) {
    const comments: FlowComment[] = []
    let isBeside = items.length > 0
    for (const token of item.start) {
      if (token.type === 'newline') isBeside = false
      if (!isComment(token)) continue
      const before = items.at(-1)
      if (isBeside && before !== undefined)
        before.comments.push({ text: token.source, isBeside, isTrailing: true })
      else comments.push({ text: token.source, isBeside: false, isTrailing: false })
    }
    for (const text of innerComments(item)) comments.push({ text, isBeside: true, isTrailing: true })
    items.push({ item, comments })
  }
  return items
}

/** Returns comments between key, colon and value, and those after the value. */
function innerComments(item: FlowItem['item']): string[] {
  const tokens = [...(item.sep ?? []), ...endOf(item.key), ...endOf(item.value)]
  return tokens.filter(isComment).map(token => token.source)
}

function endOf(token: CST.Token | null | undefined): readonly CST.SourceToken[] {
  if (token == null || !('end' in token) || token.end === undefined) return []
  return token.type === 'flow-collection' ? token.end.slice(1) : token.end
}

function isEmpty(item: FlowItem['item']): boolean {
  return item.key == null && item.value === undefined && item.sep === undefined
}

function bracketsOf(flow: CST.FlowCollection): readonly [string, string] {
  return flow.start.type === 'flow-map-start' ? ['{', '}'] : ['[', ']']
}

/** Returns the tokens before the closing bracket. */
function closingOf(flow: CST.FlowCollection): readonly CST.SourceToken[] {
  const close = flow.end.findIndex(token => token.type === 'flow-map-end' || token.type === 'flow-seq-end')
  if (close < 0) throw new UnusualYaml('a bracket is not closed')
  return flow.end.slice(0, close)
}

export function afterFlow(flow: CST.FlowCollection): readonly CST.SourceToken[] {
  return flow.end.slice(closingOf(flow).length + 1)
}

function opensWithBreak(flow: CST.FlowCollection): boolean {
  const first = flow.items[0]?.start ?? closingOf(flow)
  return first.find(token => token.type !== 'space')?.type === 'newline'
}

function hasLineBreak(flow: CST.FlowCollection): boolean {
  return /[\r\n]/.test(sourceOf(flow))
}

function sourceOf(flow: CST.FlowCollection): string {
  const parts: string[] = []
  const visit = (token: CST.Token | CST.SourceToken | null | undefined): void => {
    if (token == null) return
    if (token.type !== 'flow-collection') {
      if ('source' in token) parts.push(token.source)
      return
    }
    for (const item of token.items) {
      for (const each of [...item.start, item.key, ...(item.sep ?? []), item.value]) visit(each)
    }
    for (const each of closingOf(token)) visit(each)
  }
  visit(flow)
  return parts.join('')
}
