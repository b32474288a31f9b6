/** Finds the names of one kind in a file, by what the schema says of its keys. */
import type { Key, ObjectShape, Shape } from '../schema/shape.ts'
import type { MapNode, Node, NodePath } from '../syntax/node.ts'
import type { Range } from '../text/range.ts'
import type { NameKind } from './name-kinds.ts'

export interface WrittenName {
  readonly name: string
  readonly range: Range
  readonly path: NodePath
}

/** Returns the names of a kind in the order of the file. */
export function writtenNames(
  shape: ObjectShape,
  tree: Node | undefined,
  kind: NameKind,
): readonly WrittenName[] {
  return tree?.kind === 'map' ? inKeys(shape.keys, tree, kind, []) : []
}

function inKeys(
  keys: readonly Key[],
  { entries }: MapNode,
  kind: NameKind,
  at: NodePath,
): readonly WrittenName[] {
  return entries.flatMap(({ key: { value: name }, value }) => {
    const key = keys.find(each => each.name === name)
    return key === undefined || value === undefined
      ? []
      : inValue(key, key.shape, value, kind, [...at, key.name])
  })
}

function inValue(key: Key, shape: Shape, node: Node, kind: NameKind, at: NodePath): readonly WrittenName[] {
  switch (shape.kind) {
    case 'text':
      return key.names === kind && node.kind === 'scalar'
        ? [{ name: String(node.value ?? ''), range: node.bodyRange, path: at }]
        : []
    case 'list':
      return node.kind === 'sequence'
        ? node.items.flatMap((item, index) => inValue(key, shape.of, item, kind, [...at, index]))
        : inValue(key, shape.of, node, kind, at)
    case 'record':
      return node.kind === 'map' ? inRecord(key, shape.of, node, kind, at) : []
    case 'object':
      return node.kind === 'map' ? inKeys(shape.keys, node, kind, at) : []
    case 'variants':
      return node.kind === 'map' ? inVariants(shape, node, kind, at) : []
    case 'shorthand':
      return inShorthand(shape, node, kind, at)
    default:
      return []
  }
}

function inRecord(
  key: Key,
  of: Shape,
  { entries }: MapNode,
  kind: NameKind,
  at: NodePath,
): readonly WrittenName[] {
  return entries.flatMap(entry => {
    const name = String(entry.key.value ?? '')
    const path = [...at, name]
    const own = key.keysName === kind ? [{ name, range: entry.key.bodyRange, path }] : []
    return entry.value === undefined ? own : [...own, ...inValue(key, of, entry.value, kind, path)]
  })
}

/** A short form is the value of its first key. */
function inShorthand(
  { of, keys }: Extract<Shape, { kind: 'shorthand' }>,
  node: Node,
  kind: NameKind,
  at: NodePath,
): readonly WrittenName[] {
  if (node.kind === 'map')
    return of.kind === 'object' ? inKeys(of.keys, node, kind, at) : inVariants(of, node, kind, at)
  const short = of.kind === 'object' ? of.keys.find(({ name }) => name === keys[0]) : undefined
  return short === undefined ? [] : inValue(short, short.shape, node, kind, at)
}

function inVariants(
  shape: Extract<Shape, { kind: 'variants' }>,
  node: MapNode,
  kind: NameKind,
  at: NodePath,
): readonly WrittenName[] {
  const type = node.entries.find(entry => entry.key.value === 'type')?.value
  const variant = shape.variants.find(each => type?.kind === 'scalar' && each.value === type.value)
  return variant === undefined ? [] : inKeys(variant.keys, node, kind, at)
}
