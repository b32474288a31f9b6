/**
 * Finds the place of a cursor in the outline of a YAML text: on a key, on a value, in a list. At an empty
 * place a word is assumed to be typed.
 */
import type { NodePath } from '../../syntax/node.ts'
import { lineStart } from '../../text/lines.ts'
import type { Range } from '../../text/range.ts'
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
  /** The text with a probe word at the cursor; the ranges of the tree refer to it. */
  readonly probed: string
  /** The tree of the text with a probe word at the cursor. */
  readonly root: OutlineNode
  /** The path of the cursor: to the mapping for a key, or to the value. */
  readonly path: NodePath
  /**
   * `key`: a key of `map`. `value`: a value after a colon or in a list. `open`: a single word below a key or
   * a dash, which may become either.
   */
  readonly role: 'key' | 'value' | 'open'
  /** The range in the text of the word to replace; empty in a block scalar. */
  readonly word: Range
  /** The mapping for `key` and `open`. */
  readonly map: OutlineMap | undefined
  /** The entry at the cursor for `key` and `open`. */
  readonly entry: OutlineEntry | undefined
  /** The scalar for `value`, as it is written. */
  readonly scalar: OutlineScalar | undefined
  /** Whether the cursor is in a flow collection. */
  readonly flow: boolean
}

/** The probe word, inserted where nothing is typed yet. */
const probe = '\ue100'

/** Returns undefined in a comment, or after a complete value. */
export function outlineSpot(text: string, offset: number): OutlineSpot | undefined {
  if (isInComment(text, offset)) return undefined
  const isTyped = /[\w."'{}[\]-]/.test(text[offset - 1] ?? ' ') && !isBracket(text, offset)
  const probed = isTyped
    ? text
    : `${text.slice(0, offset)}${gap(text, offset)}${probe}${space(text, offset)}${text.slice(offset)}`
  const at = isTyped ? offset - 1 : offset + gap(text, offset).length
  const root = readOutline(probed)
  const spot = find(root, at, [], false)
  if (root === undefined || spot === undefined) return undefined
  const length = probed.length - text.length
  const word = unprobed(spot.word, offset, length)
  // Typing is impossible after a closing quote.
  if (offset < word.start || offset > word.end) return undefined
  return { text, probed, root, ...spot, word }
}

/** Returns whether a bracket or the dash of an item is directly before the offset. */
function isBracket(text: string, offset: number): boolean {
  return (
    /[{}[\]]/.test(text[offset - 1] ?? '') ||
    (text[offset - 1] === '-' && /\s|^$/.test(text[offset - 2] ?? ''))
  )
}

function gap(text: string, offset: number): string {
  // A second colon in a line makes no key: `credentials: env:` is an unfinished value.
  if (/:[ \t]+\w+:$/.test(text.slice(lineStart(text, offset), offset))) return ''
  return /[:-]/.test(text[offset - 1] ?? '') ? ' ' : ''
}

/** Returns a space if the probe word would otherwise merge with the text after it. */
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

type TreeSpot = Pick<OutlineSpot, 'path' | 'role' | 'word' | 'map' | 'entry' | 'scalar' | 'flow'>

/** `flow`: whether the node is in a flow collection. */
function find(
  node: OutlineNode | undefined,
  at: number,
  path: NodePath,
  flow: boolean,
): TreeSpot | undefined {
  switch (node?.kind) {
    case 'map':
      return findInMap(node, at, path)
    case 'list':
      return findInList(node, at, path)
    case 'scalar':
      return contains(node.range, at) ? scalarSpot(node, path, flow) : undefined
    default:
      return undefined
  }
}

function findInMap(map: OutlineMap, at: number, path: NodePath): TreeSpot | undefined {
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
    const spot = find(entry.value, at, [...path, entry.key], map.flow)
    if (spot !== undefined) return spot
  }
  return undefined
}

function findInList(list: OutlineList, at: number, path: NodePath): TreeSpot | undefined {
  for (const [index, item] of list.items.entries()) {
    const spot = find(item, at, [...path, index], list.flow)
    if (spot !== undefined) return spot
  }
  return undefined
}

function scalarSpot(scalar: OutlineScalar, path: NodePath, flow: boolean): TreeSpot {
  return { path, role: 'value', word: scalar.body, map: undefined, entry: undefined, scalar, flow }
}

function contains(range: Range, at: number): boolean {
  return range.start <= at && at < Math.max(range.end, range.start + 1)
}

/** Returns the node at a path; undefined if there is none. */
export function outlineAt(root: OutlineNode, path: NodePath): OutlineNode | undefined {
  let node: OutlineNode | undefined = root
  for (const step of path) {
    if (node?.kind === 'map') node = node.entries.find(entry => entry.key === String(step))?.value
    else node = node?.kind === 'list' ? node.items[Number(step)] : undefined
  }
  return node
}

/** Returns the value of a scalar. `text` is the text of the tree. */
export function scalarText(text: string, node: OutlineNode | undefined): string | undefined {
  return node?.kind === 'scalar' ? text.slice(node.body.start, node.body.end) : undefined
}
