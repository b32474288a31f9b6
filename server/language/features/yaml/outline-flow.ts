/** Parses flow collections `{…}` and `[…]` of YAML, closed or not. */
import type { OutlineEntry, OutlineList, OutlineMap, OutlineNode, OutlineScalar } from './outline.ts'
import { readQuoted } from './outline-quoted.ts'

/** Parses a collection. `limit` is its latest possible end. */
export function readFlow(text: string, at: number, limit: number, indent: number): OutlineMap | OutlineList {
  return readCollection({ text, limit, indent, at }, 0)
}

interface Reader {
  readonly text: string
  readonly limit: number
  readonly indent: number
  at: number
}

/** Deeper content is skipped; nobody nests that deep. */
const deepest = 50

function readCollection(reader: Reader, depth: number): OutlineMap | OutlineList {
  const { text, indent } = reader
  const start = reader.at
  const isMap = text[start] === '{'
  const close = isMap ? '}' : ']'
  const map: OutlineMap = { kind: 'map', flow: true, indent, entries: [], range: { start, end: start } }
  const list: OutlineList = { kind: 'list', flow: true, indent, items: [], range: { start, end: start } }
  reader.at++
  while (reader.at < reader.limit) {
    skipBlank(reader)
    const mark = text[reader.at]
    if (reader.at >= reader.limit) break
    if (mark === close) {
      reader.at++
      break
    }
    // A closing bracket of the other kind ends an unclosed collection.
    if (mark === '}' || mark === ']') break
    if (mark === ',') {
      reader.at++
      continue
    }
    const before = reader.at
    if (isMap) map.entries.push(readEntry(reader, depth))
    else list.items.push(readItem(reader, depth))
    if (reader.at === before) reader.at++
  }
  const node = isMap ? map : list
  node.range = { start, end: reader.at }
  return node
}

function skipBlank(reader: Reader): void {
  const { text, limit } = reader
  while (reader.at < limit) {
    const mark = text[reader.at] ?? ''
    if (mark === '#' && /\s/.test(text[reader.at - 1] ?? ' ')) {
      while (reader.at < limit && !/[\r\n]/.test(text[reader.at] ?? '')) reader.at++
    } else if (/\s/.test(mark)) reader.at++
    else return
  }
}

function readEntry(reader: Reader, depth: number): OutlineEntry {
  const key = readScalar(reader)
  const name = reader.text.slice(key.body.start, key.body.end)
  const { colon, value } = readBehindKey(reader, depth) ?? {}
  return { key: name, keyRange: key.range, colon, value }
}

/** Parses the colon behind a key, and its value; returns undefined if there is no colon. */
function readBehindKey(reader: Reader, depth: number): Pick<OutlineEntry, 'colon' | 'value'> | undefined {
  skipSpaces(reader)
  if (reader.text[reader.at] !== ':' || reader.at >= reader.limit) return undefined
  const colon = reader.at
  reader.at++
  skipBlank(reader)
  const isEmpty = reader.at >= reader.limit || /[,}\]]/.test(reader.text[reader.at] ?? '')
  return { colon, value: isEmpty ? undefined : readNode(reader, depth) }
}

/** Parses an item; `[a: 1]` is a list of maps with one key. */
function readItem(reader: Reader, depth: number): OutlineNode {
  const node = readNode(reader, depth)
  if (node.kind !== 'scalar') return node
  const behind = readBehindKey(reader, depth)
  if (behind === undefined) return node
  const key = reader.text.slice(node.body.start, node.body.end)
  const entry = { key, keyRange: node.range, ...behind }
  const range = { start: node.range.start, end: reader.at }
  return { kind: 'map', flow: true, indent: reader.indent, entries: [entry], range }
}

function readNode(reader: Reader, depth: number): OutlineNode {
  const mark = reader.text[reader.at]
  const isCollection = mark === '{' || mark === '['
  return isCollection && depth < deepest ? readCollection(reader, depth + 1) : readScalar(reader)
}

function skipSpaces(reader: Reader): void {
  while (reader.at < reader.limit && /[ \t]/.test(reader.text[reader.at] ?? '')) reader.at++
}

function readScalar(reader: Reader): OutlineScalar {
  const { text, limit } = reader
  const start = reader.at
  const mark = text[start] ?? ''
  if (mark === "'" || mark === '"') {
    const quoted = readQuoted(text, start, limit, mark)
    reader.at = quoted.range.end
    return quoted
  }
  while (reader.at < limit && !endsPlain(text, reader.at)) reader.at++
  const end = start + text.slice(start, reader.at).trimEnd().length
  const range = { start, end }
  return { kind: 'scalar', style: 'plain', range, body: range }
}

function endsPlain(text: string, at: number): boolean {
  const mark = text[at] ?? ''
  if (/[,[\]{}\r\n]/.test(mark)) return true
  if (mark === ':') return /[\s,[\]{}]|^$/.test(text[at + 1] ?? '')
  return mark === '#' && /\s/.test(text[at - 1] ?? '')
}
