/** Returns the path from the root of a YAML tree to the node at an offset. */
import type { Node, NodePath } from '../syntax/node.ts'

/** Returns the deepest path; `[]` outside of all nodes. */
export function pathAt(node: Node | undefined, offset: number): NodePath {
  if (node === undefined) return []
  if (node.kind === 'map') {
    for (const { key, value } of node.entries) {
      const name = String(key.value)
      if (key.range.start <= offset && offset <= key.range.end) return [name]
      if (value !== undefined && value.range.start <= offset && offset <= value.range.end)
        return [name, ...pathAt(value, offset)]
    }
    return []
  }
  if (node.kind !== 'sequence') return []
  const index = node.items.findIndex(item => item.range.start <= offset && offset <= item.range.end)
  const item = node.items[index]
  return item === undefined ? [] : [index, ...pathAt(item, offset)]
}
