/**
 * Brings new values into a YAML tree and keeps the nodes that stay, because comments and layout belong to
 * nodes.
 */
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '@svc/server/language'
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'

type Values = Readonly<Record<string, unknown>>

/**
 * Returns the node that stands for `value`: the old one, changed, where it can be. `order` has the keys of
 * this mapping as they are usually written; keys that are in neither come last.
 */
export function reconcile(
  tree: Document,
  node: Node | null,
  value: unknown,
  order: readonly string[] = [],
): Node {
  if (node === null) return created(tree, value)
  if (isDeepStrictEqual(readValue(tree, node), value)) return node
  if (isMap(node) && isRecord(value)) return mapping(tree, node, value, order)
  if (isSeq(node) && Array.isArray(value)) return list(tree, node, value)
  return dressed(created(tree, value), node)
}

function readValue(tree: Document, node: unknown): unknown {
  return isNode(node) ? node.toJS(tree) : node
}

/** Writes several lines of text as a block, as people write SQL. */
function created(tree: Document, value: unknown): Node {
  const node = tree.createNode(value, { aliasDuplicateObjects: false })
  asBlocks(node)
  return node
}

function asBlocks(node: unknown): void {
  if (isScalar(node)) {
    if (typeof node.value === 'string' && node.value.includes('\n')) node.type = Scalar.BLOCK_LITERAL
  } else if (isCollection(node)) {
    for (const item of node.items)
      asBlocks('value' in (item as object) && !isScalar(item) ? (item as Pair).value : item)
  }
}

/** Gives a new node the comments of the one whose place it takes. */
function dressed(made: Node, old: Node): Node {
  if (isAlias(old)) return made
  made.commentBefore = old.commentBefore ?? null
  if (isScalar(made)) made.comment = old.comment ?? null
  if (old.spaceBefore === true) made.spaceBefore = true
  if (!isScalar(made) || !isScalar(old) || typeof made.value !== 'string') return made
  const isBlock = old.type === Scalar.BLOCK_LITERAL || old.type === Scalar.BLOCK_FOLDED
  if (old.type !== undefined && (isBlock || !made.value.includes('\n'))) made.type = old.type
  return made
}

// ---------------------------------------------------------------- mappings

function mapping(tree: Document, node: YAMLMap, value: Values, order: readonly string[]): Node {
  renameKeys(tree, node, value)
  const stays = (pair: Pair) => Object.hasOwn(value, keyOf(tree, pair))
  handDown(
    node,
    node.items.map(pair => ({ node: pair.key, stays: stays(pair) })),
  )
  node.items = node.items.filter(stays)
  for (const pair of node.items) {
    const old = isNode(pair.value) ? pair.value : null
    pair.value = reconcile(tree, old, value[keyOf(tree, pair)])
  }
  const known = new Set(node.items.map(pair => keyOf(tree, pair)))
  for (const [key, each] of Object.entries(value)) {
    if (known.has(key)) continue
    const pair = tree.createPair(key, null)
    pair.value = created(tree, each)
    node.items.splice(placeOf(tree, node, key, order), 0, pair)
  }
  return node
}

function keyOf(tree: Document, pair: Pair): string {
  return String(readValue(tree, pair.key))
}

/** A value that moved to another key of the same mapping keeps its place. */
function renameKeys(tree: Document, node: YAMLMap, value: Values): void {
  const known = new Set(node.items.map(pair => keyOf(tree, pair)))
  const fresh = Object.keys(value).filter(key => !known.has(key))
  for (const pair of node.items) {
    if (Object.hasOwn(value, keyOf(tree, pair)) || !isScalar(pair.key)) continue
    const old = readValue(tree, pair.value)
    const at = fresh.findIndex(key => isDeepStrictEqual(value[key], old))
    const [key] = at < 0 ? [] : fresh.splice(at, 1)
    if (key !== undefined) pair.key = dressed(created(tree, key), pair.key)
  }
}

/** After the last key that usually comes before this one. */
function placeOf(tree: Document, node: YAMLMap, key: string, order: readonly string[]): number {
  const rank = order.indexOf(key)
  if (rank < 0) return node.items.length
  const before = node.items.findLastIndex(pair => {
    const other = order.indexOf(keyOf(tree, pair))
    return other >= 0 && other < rank
  })
  return before + 1
}

// ---------------------------------------------------------------- lists

function list(tree: Document, node: YAMLSeq, value: readonly unknown[]): Node {
  const old = node.items.map(item => ({ node: item as Node, value: readValue(tree, item) }))
  const chosen = keptInOrder(
    old.map(each => each.value),
    value,
  )
  const used = new Set(chosen)
  // An item that moved is taken from where it was.
  for (const [at, each] of value.entries()) {
    if (chosen[at] !== undefined) continue
    const index = old.findIndex((item, place) => !used.has(place) && isDeepStrictEqual(item.value, each))
    if (index < 0) continue
    chosen[at] = index
    used.add(index)
  }
  const isSameLength = value.length === old.length
  handDown(
    node,
    old.map((each, at) => ({ node: each.node, stays: used.has(at) || isSameLength })),
  )
  node.items = value.map((each, at) => {
    const index = chosen[at]
    if (index !== undefined) return old[index]?.node as Node
    // What stands where it stood is the same item with another content.
    const isSame = isSameLength && !used.has(at)
    return reconcile(tree, isSame ? (old[at]?.node ?? null) : null, each)
  })
  return node
}

/** By new index: the old index of the item that stays there, at the head and at the tail of the lists. */
function keptInOrder(old: readonly unknown[], value: readonly unknown[]): (number | undefined)[] {
  const chosen = new Array<number | undefined>(value.length).fill(undefined)
  let head = 0
  while (head < Math.min(old.length, value.length) && isDeepStrictEqual(old[head], value[head])) {
    chosen[head] = head
    head += 1
  }
  let tail = 0
  const most = Math.min(old.length, value.length) - head
  while (tail < most && isDeepStrictEqual(old.at(-1 - tail), value.at(-1 - tail))) {
    chosen[value.length - 1 - tail] = old.length - 1 - tail
    tail += 1
  }
  return chosen
}

// ---------------------------------------------------------------- comments

/**
 * A comment right above an item goes with it. What an empty line parts from the item is about more than it,
 * and moves to the next one that stays.
 */
function handDown(
  parent: YAMLMap | YAMLSeq,
  items: readonly { readonly node: unknown; readonly stays: boolean }[],
): void {
  let waiting = ''
  for (const { node, stays } of items) {
    if (!isNode(node)) continue
    const comment = node.commentBefore ?? ''
    if (!stays) {
      const end = comment.lastIndexOf('\n\n')
      if (end >= 0) waiting += `${comment.slice(0, end)}\n\n`
    } else if (waiting !== '') {
      node.commentBefore = comment === '' ? waiting.trimEnd() : waiting + comment
      waiting = ''
    }
  }
  if (waiting !== '') parent.comment = (waiting + (parent.comment ?? '')).trimEnd()
}
