/**
 * Edits `glossary.yaml` and keeps everything else, including comments and layout. Text in, text out; the
 * caller must check whether a change is allowed (unique names, an asset that exists).
 */

import { nodeAt } from '../project/locate.ts'
import {
  addBlock,
  addEntry,
  addItem,
  applied,
  isFlow,
  lineStart,
  removeAt,
  removePart,
  yamlScalar,
  yamlText,
} from '../project/yaml-edits.ts'
import type { Node, NodePath, SequenceNode } from '../syntax/node.ts'
import { parseYaml } from '../syntax/yaml.ts'
import { type EntryFields, type EntryKind, type EntryValue, entryShapes } from './entries.ts'

/** Adds an entry with these keys, in the order of the schema. `text` is undefined if there is no file yet. */
export function withEntry(text: string | undefined, kind: EntryKind, fields: EntryFields): string {
  const { list } = entryShapes[kind]
  const file = yamlText(text ?? '')
  const { flow, lines } = writtenEntry(kind, fields)
  const item = addItem(file, [list], flow, lines)
  const block = [
    `${list}:`,
    ...lines.map((line, index) => (line === '' ? '' : `${index === 0 ? '  - ' : '    '}${line}`)),
  ]
  return applied(file.text, item ?? addBlock(file, block, listsAbove(kind)))
}

/** An entry in brackets, and in lines. */
function writtenEntry(kind: EntryKind, fields: EntryFields) {
  const { keys } = entryShapes[kind]
  const pairs = keys.flatMap(({ name }) => {
    const value = fields[name]
    return value === undefined || value.length === 0 ? [] : [{ name, value: itemsOf(fields, name, value) }]
  })
  const flow = `{${pairs.map(({ name, value }) => `${name}: ${flowValue(value)}`).join(', ')}}`
  // A link is written as a flow mapping, all else in lines, as people write them.
  const lines =
    kind === 'link' ? [flow] : pairs.flatMap(({ name, value }) => `${name}: ${blockValue(value)}`.split('\n'))
  return { flow, lines }
}

/** Adds many entries of a kind; the text is parsed twice, however many they are. */
export function withEntries(text: string | undefined, kind: EntryKind, all: readonly EntryFields[]): string {
  const [first, ...rest] = all
  if (first === undefined) return text ?? ''
  const begun = withEntry(text, kind, first)
  const file = yamlText(begun)
  const edits = rest.flatMap(fields => {
    const { flow, lines } = writtenEntry(kind, fields)
    return addItem(file, [entryShapes[kind].list], flow, lines) ?? []
  })
  const [edit] = edits
  // All go to the same place: behind what is the last now.
  return applied(begun, edit && { range: edit.range, newText: edits.map(({ newText }) => newText).join('') })
}

/** Sets keys of the entry at `index` of its list; undefined removes a key. */
export function withChanges(
  text: string,
  kind: EntryKind,
  index: number,
  changes: Readonly<Record<string, EntryValue | undefined>>,
): string {
  return Object.entries(changes).reduce((result, [key, value]) => {
    const path = [entryShapes[kind].list, index, key]
    if (value === undefined || value.length === 0) return withoutKey(result, path)
    const items = itemsOf({ ...changes, type: changes['type'] ?? typeOf(result, kind, index) }, key, value)
    return Array.isArray(items) ? withList(result, path, items) : withValue(result, path, items)
  }, text)
}

/** Removes the entry at `index`, and its list if nothing else is in it. */
export function withoutEntry(text: string, kind: EntryKind, index: number): string {
  return applied(text, removeAt(yamlText(text), [entryShapes[kind].list, index]))
}

/** Writes a text so that it is one scalar in a flow mapping too. */
export function flowScalar(text: string): string {
  const written = yamlScalar(text)
  return /[,[\]{}]/.test(text) && !written.startsWith('"') ? JSON.stringify(text) : written
}

/** A written scalar: a number or a boolean as it is, a text quoted where it has to be. */
interface Written {
  readonly plain: string
}
type Value = string | readonly (string | Written)[]

/** Values of a dimension that are numbers or booleans are written as such. */
function itemsOf(
  fields: Readonly<Record<string, EntryValue | undefined>>,
  key: string,
  value: EntryValue,
): Value {
  if (typeof value === 'string') return value
  const isPlain = { numerical: /^-?(0|[1-9]\d{0,14})(\.\d+)?$/, boolean: /^(true|false)$/ }[
    String(fields['type'])
  ]
  if (key !== 'values' || isPlain === undefined) return value
  return value.map(item => (isPlain.test(item) ? { plain: item } : item))
}

function typeOf(text: string, kind: EntryKind, index: number): string {
  const node = nodeAt(parseYaml(text).root, [entryShapes[kind].list, index, 'type'])
  return node?.kind === 'scalar' ? String(node.value) : ''
}

function listsAbove(kind: EntryKind): readonly string[] {
  const lists = Object.values(entryShapes).map(({ list }) => list)
  return lists.slice(0, lists.indexOf(entryShapes[kind].list))
}

// ---------------------------------------------------------------- values as text

function flowValue(value: Value): string {
  return typeof value === 'string' ? flowScalar(value) : `[${value.map(itemText).join(', ')}]`
}

function itemText(item: string | Written): string {
  return typeof item === 'string' ? flowScalar(item) : item.plain
}

/** Text of several lines becomes a block scalar if it can be one without a change. */
function blockValue(value: Value): string {
  if (typeof value !== 'string') return flowValue(value)
  const body = value.endsWith('\n') ? value.slice(0, -1) : value
  const isBlock = /^\S[^\r]*\n/.test(value) && !/\n$/.test(body) && !hasControls(value)
  if (!isBlock) return yamlScalar(value)
  const lines = body.split('\n').map(line => (line === '' ? '' : `  ${line}`))
  return [body === value ? '|-' : '|', ...lines].join('\n')
}

/** A line of white space alone would lose it, and control characters have to be escaped. */
function hasControls(text: string): boolean {
  return /[^\P{Cc}\n\t]|\p{Cs}|\u2028|\u2029|\uFEFF/u.test(text) || /^[ \t]+$/m.test(text)
}

// ---------------------------------------------------------------- one key

function withoutKey(text: string, path: NodePath): string {
  const file = yamlText(text)
  const parent = nodeAt(file.tree, path.slice(0, -1))
  if (parent?.kind !== 'map') return text
  const index = parent.entries.findIndex(({ key }) => key.value === path.at(-1))
  return applied(text, removePart(file, parent, index))
}

function withValue(text: string, path: NodePath, value: Value): string {
  const file = yamlText(text)
  const parent = nodeAt(file.tree, path.slice(0, -1))
  if (parent?.kind !== 'map') return text
  const entry = parent.entries.find(({ key }) => key.value === path.at(-1))
  const first = parent.entries[0]?.key.range.start ?? 0
  const indent = ' '.repeat(first - lineStart(text, first))
  const node = entry?.value
  const end = node?.range.end ?? entry?.key.range.end ?? 0
  // A block scalar would swallow a comment that follows on the line.
  const isAlone = entry === undefined || /^:?[ \t]*\r?(\n|$)/.test(text.slice(end))
  const isBlock = !isFlow(file, parent) && isAlone && typeof value === 'string'
  const lines = (isBlock ? blockValue(value) : flowValue(value)).split('\n')
  const written = lines
    .map((line, index) => (index === 0 || line === '' ? line : indent + line))
    .join(text.includes('\r\n') ? '\r\n' : '\n')
  if (entry === undefined)
    return applied(text, addEntry(file, path.slice(0, -1), String(path.at(-1)), written))
  return applied(text, { range: valueRange(text, entry.key.range.end, node), newText: ` ${written}` })
}

/** From behind the colon to the end of the value. */
function valueRange(text: string, keyEnd: number, node: Node | undefined) {
  const start = text.indexOf(':', keyEnd) + 1
  return { start, end: Math.max(start, node?.range.end ?? start) }
}

/** A list in lines keeps those of the items that stay, with their comments. */
function withList(text: string, path: NodePath, items: readonly (string | Written)[]): string {
  const file = yamlText(text)
  const node = nodeAt(file.tree, path)
  const wanted = items.map(item => (typeof item === 'string' ? item : item.plain))
  if (node?.kind !== 'sequence' || isFlow(file, node)) return withValue(text, path, items)
  const kept = textsOf(node).filter(each => wanted.includes(each))
  const isExtended = kept.length > 0 && kept.every((each, index) => each === wanted[index])
  if (!isExtended) return withValue(text, path, items)
  const shorter = textsOf(node).reduceRight(
    (result, each, index) =>
      wanted.includes(each) ? result : applied(result, removeAt(yamlText(result), [...path, index])),
    text,
  )
  return items
    .slice(kept.length)
    .reduce<string>(
      (result, item) => applied(result, addItem(yamlText(result), path, itemText(item))),
      shorter,
    )
}

function textsOf(node: SequenceNode): readonly string[] {
  return node.items.map(item => (item.kind === 'scalar' ? String(item.value) : ''))
}
