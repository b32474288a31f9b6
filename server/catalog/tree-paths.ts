/** Ways to nodes of a SQL tree: how a place in a mended text is found again in the tree that made it. */
export type TreePath = readonly (string | number)[]

export interface PlacedNode {
  readonly path: TreePath
  readonly node: TreeNode
}

/** Any object of a tree, open to change. */
export type TreeNode = Record<string, unknown>

export function isTreeNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every object with a `type`, parents before children. */
export function placedNodes(root: unknown): PlacedNode[] {
  const found: PlacedNode[] = []
  collect(root, [], found)
  return found
}

function collect(value: unknown, path: TreePath, found: PlacedNode[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, [...path, index], found)
    return
  }
  if (!isTreeNode(value)) return
  if (typeof value['type'] === 'string') found.push({ path, node: value })
  for (const key of Object.keys(value)) {
    const child = value[key]
    if (typeof child === 'object' && child !== null) collect(child, [...path, key], found)
  }
}

export function nodeAt(root: unknown, path: TreePath): unknown {
  return path.reduce<unknown>((value, key) => (value as TreeNode | undefined)?.[key], root)
}

export function replaceAt(root: unknown, path: TreePath, replacement: unknown): void {
  const parent = nodeAt(root, path.slice(0, -1)) as TreeNode
  parent[path.at(-1) ?? ''] = replacement
}

export function removeAt(root: unknown, path: TreePath): void {
  const parent = nodeAt(root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1)
}
