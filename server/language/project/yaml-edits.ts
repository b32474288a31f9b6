/**
 * Edits a YAML text and keeps everything else: comments, order, layout, flow or block style. Each function
 * returns the edit; nothing is written from scratch.
 */

import type { MapNode, Node, NodePath, SequenceNode } from '../syntax/node.ts'
import { parseYaml } from '../syntax/yaml.ts'
import type { Range } from '../text/range.ts'
import { nodeAt } from './locate.ts'

export interface YamlText {
  readonly text: string
  readonly tree: Node | undefined
}

export interface YamlEdit {
  readonly range: Range
  readonly newText: string
}

/** Returns the text after an edit; the same text without one. */
export function applied(text: string, edit: YamlEdit | undefined): string {
  return edit === undefined
    ? text
    : text.slice(0, edit.range.start) + edit.newText + text.slice(edit.range.end)
}

export function yamlText(text: string): YamlText {
  return { text, tree: parseYaml(text).root }
}

// ---------------------------------------------------------------- taking away

/** Removes the value at `path` with its key or dash, and parents that would be left empty. */
export function removeAt(file: YamlText, path: NodePath): YamlEdit | undefined {
  const parent = nodeAt(file.tree, path.slice(0, -1))
  const step = path.at(-1)
  if (parent === undefined || step === undefined || parent.kind === 'scalar') return undefined
  const parts = partsOf(parent)
  const index =
    parent.kind === 'map' ? parent.entries.findIndex(entry => entry.key.value === step) : Number(step)
  if (parts.length === 1 && path.length > 1) return removeAt(file, path.slice(0, -1))
  return removePart(file, parent, index)
}

/** Removes one entry or item of a mapping or list; `index` distinguishes duplicate keys. */
export function removePart(
  file: YamlText,
  parent: MapNode | SequenceNode,
  index: number,
): YamlEdit | undefined {
  const parts = partsOf(parent)
  const part = parts[index]
  if (part === undefined) return undefined
  if (!isFlow(file, parent)) return { range: linesOf(file.text, part, parent), newText: '' }
  const [before, next] = [parts[index - 1], parts[index + 1]]
  if (next !== undefined) return { range: { start: part.start, end: next.start }, newText: '' }
  return { range: { start: before?.end ?? part.start, end: part.end }, newText: '' }
}

/** Returns the range from the start of its line to the start of the next part's line. */
function linesOf(text: string, part: Range, parent: MapNode | SequenceNode): Range {
  const dash = parent.kind === 'sequence' ? text.lastIndexOf('-', part.start) : part.start
  const start = lineStart(text, dash)
  const end = nextLine(text, part.end)
  // The first key of a list item follows the dash, which stays.
  const isBehindDash = /\S/.test(text.slice(start, dash))
  if (!isBehindDash) return { start, end }
  const next = partsOf(parent).find(each => each.start > part.start)
  return { start: part.start, end: next?.start ?? part.end }
}

function partsOf(node: MapNode | SequenceNode): readonly Range[] {
  if (node.kind === 'sequence') return node.items.map(item => item.range)
  return node.entries.map(({ key, value }) => ({
    start: key.range.start,
    end: Math.max(key.range.end, value?.range.end ?? 0),
  }))
}

// ---------------------------------------------------------------- adding

/**
 * Adds an item to the list at `path`; a single value there becomes a list. Returns undefined if there is no
 * such key. `lines` has the item in block style, with one key per line.
 */
export function addItem(
  file: YamlText,
  path: NodePath,
  item: string,
  lines: readonly string[] = [item],
): YamlEdit | undefined {
  const node = nodeAt(file.tree, path)
  const parent = nodeAt(file.tree, path.slice(0, -1))
  const entry =
    parent?.kind === 'map' ? parent.entries.find(each => each.key.value === path.at(-1)) : undefined
  if (entry === undefined || parent === undefined || node?.kind === 'map') return undefined
  if (node === undefined || (node.kind === 'scalar' && node.value === null)) {
    if (isFlow(file, parent)) return undefined
    const own = entry.key.range.start - lineStart(file.text, entry.key.range.start)
    return addLines(file.text, node?.range.end ?? entry.key.range.end, itemLines(own + 2, lines))
  }
  if (node.kind === 'scalar') {
    const written = file.text.slice(node.range.start, node.range.end)
    return { range: node.range, newText: `[${written}, ${item}]` }
  }
  const last = node.items.at(-1)
  if (last === undefined) return { range: node.range, newText: `[${item}]` }
  if (isFlow(file, node))
    return { range: { start: last.range.end, end: last.range.end }, newText: `, ${item}` }
  const first = node.items[0]?.range.start ?? node.range.start
  const dash = file.text.lastIndexOf('-', first)
  return addLines(file.text, last.range.end, itemLines(dash - lineStart(file.text, dash), lines))
}

function itemLines(indent: number, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) =>
    line === '' ? '' : `${' '.repeat(indent)}${index === 0 ? '- ' : '  '}${line}`,
  )
}

/** Adds a key after the others of the mapping at `path`. `value` is the text after the colon. */
export function addEntry(file: YamlText, path: NodePath, key: string, value: string): YamlEdit | undefined {
  const node = nodeAt(file.tree, path)
  if (node?.kind !== 'map') return undefined
  const last = partsOf(node).at(-1)
  if (last === undefined) return { range: node.range, newText: `{${key}: ${value}}` }
  if (isFlow(file, node)) return { range: { start: last.end, end: last.end }, newText: `, ${key}: ${value}` }
  const first = node.entries[0]?.key.range.start ?? 0
  const indent = ' '.repeat(first - lineStart(file.text, first))
  return addLines(file.text, last.end, [`${indent}${key}: ${value}`])
}

/**
 * Adds a block to the top-level mapping: after the last key that is in `before`, else at the end; at the top
 * if `before` is empty.
 */
export function addBlock(file: YamlText, lines: readonly string[], before: readonly string[]): YamlEdit {
  const entries = file.tree?.kind === 'map' ? file.tree.entries : []
  const anchor =
    entries.findLast(entry => before.includes(String(entry.key.value))) ??
    (before.length === 0 ? undefined : entries.at(-1))
  if (anchor === undefined) {
    // Adds it after the comment at the top of the file.
    const at = lineStart(file.text, entries[0]?.key.range.start ?? file.text.length)
    const lead = at === file.text.length && at > 0 && file.text[at - 1] !== '\n' ? '\n' : ''
    return { range: { start: at, end: at }, newText: `${lead}${inLines(file.text, lines)}` }
  }
  return addLines(file.text, Math.max(anchor.key.range.end, anchor.value?.range.end ?? 0), lines)
}

/** Adds whole lines after the line of a place. */
function addLines(text: string, end: number, lines: readonly string[]): YamlEdit {
  const at = nextLine(text, end)
  const lead = at > 0 && text[at - 1] !== '\n' ? '\n' : ''
  return { range: { start: at, end: at }, newText: `${lead}${inLines(text, lines)}` }
}

/** Joins lines with the file's line breaks. */
function inLines(text: string, lines: readonly string[]): string {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  return lines.map(line => line + lineBreak).join('')
}

// ---------------------------------------------------------------- lines

export function isFlow({ text }: YamlText, node: Node): boolean {
  return node.kind !== 'scalar' && (text[node.range.start] === '{' || text[node.range.start] === '[')
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/**
 * Returns the start of the line after a node's last line; `end` is the end of the node. A block scalar ends
 * with its last line.
 */
function nextLine(text: string, end: number): number {
  if (end > 0 && text[end - 1] === '\n') return end
  const lineBreak = text.indexOf('\n', end)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/** Returns a text as a one-line YAML scalar. */
export function yamlScalar(text: string): string {
  const isPlain =
    /^[\p{L}_][\p{L}\p{M}\p{N}_ ./%+-]*$/u.test(text) &&
    text === text.trim() &&
    !/^(null|true|false|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}
