/**
 * Answers where in the outline of a YAML text a cursor stands: on a key, on a value, in a list. An empty place counts as
 * one where a word is about to be typed.
 */
import type { NodePath } from '../../syntax/node.ts'
import type { Range } from '../../text/range.ts'
import { lineStart } from '../line-start.ts'
import {
  type OutlineEntry,
  type OutlineList,
  type OutlineMap,
  type OutlineNode,
  type OutlineScalar,
  readOutline,
} from './outline.ts'

export interface OutlineSpot {
  readonly text: string
  /** The text with a word at the cursor: what the ranges of the tree are in. */
  readonly probed: string
  /** The tree of the text as it is with a word at the cursor. */
  readonly root: OutlineNode
  /** To what the cursor is in: the mapping of a key, or the value itself. */
  readonly path: NodePath
  /**
   * `key`: a key of `map`. `value`: a value behind a colon or in a list. `open`: a word alone below a key or a dash,
   * which may become either.
   */
  readonly role: 'key' | 'value' | 'open'
  /** What is typed there, to be replaced; in a block scalar empty. In the text. */
  readonly word: Range
  /** Of `key` and `open`. */
  readonly map: OutlineMap | undefined
  /** Of `key` and `open`: the entry that the cursor is on. */
  readonly entry: OutlineEntry | undefined
  /** Of `value`, as it is written. */
  readonly scalar: OutlineScalar | undefined
  /** Inside brackets. */
  readonly flow: boolean
}

/** Stands where nothing is typed yet. */
const probe = '\ue100'

/** Undefined: in a comment, or behind what is finished. */
export function outlineSpot(text: string, offset: number): OutlineSpot | undefined {
  if (isInComment(text, offset)) return undefined
  const isTyped = /[\w."'{}[\]-]/.test(text[offset - 1] ?? ' ') && !isBracket(text, offset)
  const probed = isTyped
    ? text
    : `${text.slice(0, offset)}${gap(text, offset)}${probe}${space(text, offset)}${text.slice(offset)}`
  const at = isTyped ? offset - 1 : offset + gap(text, offset).length
  const root = readOutline(probed)
  const found = root === undefined ? undefined : find(root, at, [])
  if (root === undefined || found === undefined) return undefined
  const length = probed.length - text.length
  const word = unprobed(found.word, offset, length)
  // Behind a closing quote nothing is typed any more.
  if (offset < word.start || offset > word.end) return undefined
  return { text, probed, root, ...found, word }
}

/** A word right behind an opening bracket or a colon is not typed yet; one behind a closing bracket is none. */
function isBracket(text: string, offset: number): boolean {
  return (
    /[{}[\]]/.test(text[offset - 1] ?? '') ||
    (text[offset - 1] === '-' && /\s|^$/.test(text[offset - 2] ?? ''))
  )
}

function gap(text: string, offset: number): string {
  // A second colon in a line makes no key: `credentials: env:` is a value that goes on.
  if (/:[ \t]+\w+:$/.test(text.slice(lineStart(text, offset), offset))) return ''
  return /[:-]/.test(text[offset - 1] ?? '') ? ' ' : ''
}

/** So that the word does not grow together with what follows. */
function space(text: string, offset: number): string {
  return /[\w"'{[]/.test(text[offset] ?? '') ? ' ' : ''
}

function isInComment(text: string, offset: number): boolean {
  return /^\s*#/.test(text.slice(lineStart(text, offset), offset))
}

function unprobed(range: Range, offset: number, length: number): Range {
  const start = Math.min(range.start, offset)
  if (length === 0) return range
  const end = range.end <= offset ? range.end : Math.max(offset, range.end - length)
  return { start, end: Math.max(start, end) }
}

type Found = Pick<OutlineSpot, 'path' | 'role' | 'word' | 'map' | 'entry' | 'scalar' | 'flow'>

function find(node: OutlineNode | undefined, at: number, path: NodePath): Found | undefined {
  switch (node?.kind) {
    case 'map':
      return findInMap(node, at, path)
    case 'list':
      return findInList(node, at, path)
    case 'scalar':
      return contains(node.range, at) ? scalarSpot(node, path, false) : undefined
    default:
      return undefined
  }
}

function findInMap(map: OutlineMap, at: number, path: NodePath): Found | undefined {
  for (const entry of map.entries) {
    if (contains(entry.keyRange, at)) {
      const isOpen = entry.colon === undefined && map.entries.length === 1 && (!map.flow || path.length > 0)
      return {
        path,
        role: isOpen && !map.flow ? 'open' : 'key',
        word: entry.keyRange,
        map,
        entry,
        scalar: undefined,
        flow: map.flow,
      }
    }
    const inner = [...path, entry.key]
    const found =
      entry.value?.kind === 'scalar' && contains(entry.value.range, at)
        ? scalarSpot(entry.value, inner, map.flow)
        : find(entry.value, at, inner)
    if (found !== undefined) return found
  }
  return undefined
}

function findInList(list: OutlineList, at: number, path: NodePath): Found | undefined {
  for (const [index, item] of list.items.entries()) {
    const inner = [...path, index]
    const found =
      item?.kind === 'scalar' && contains(item.range, at)
        ? scalarSpot(item, inner, list.flow)
        : find(item, at, inner)
    if (found !== undefined) return found
  }
  return undefined
}

function scalarSpot(scalar: OutlineScalar, path: NodePath, flow: boolean): Found {
  return { path, role: 'value', word: scalar.body, map: undefined, entry: undefined, scalar, flow }
}

function contains(range: Range, at: number): boolean {
  return range.start <= at && at < Math.max(range.end, range.start + 1)
}

/** The node at a path; undefined where there is none. */
export function outlineAt(root: OutlineNode, path: NodePath): OutlineNode | undefined {
  let node: OutlineNode | undefined = root
  for (const step of path) {
    if (node?.kind === 'map') node = node.entries.find(entry => entry.key === String(step))?.value
    else node = node?.kind === 'list' ? node.items[Number(step)] : undefined
  }
  return node
}

/** The text of a scalar; `text` is the one that the tree was read from. */
export function scalarText(text: string, node: OutlineNode | undefined): string | undefined {
  return node?.kind === 'scalar' ? text.slice(node.body.start, node.body.end) : undefined
}
