/** A view with a tree whose nodes are kept (`KeptNodes`). */
import {
  type Disposable,
  EventEmitter,
  type TreeItem,
  type TreeView,
  type TreeViewOptions,
  window,
} from 'vscode'
import { eachMinute } from './each-minute.ts'
import { KeptNodes, type TreeSource } from './kept-nodes.ts'

export interface KeptTree<Node> {
  readonly view: TreeView<Node>
  readonly refresh: () => void
  readonly disposables: readonly Disposable[]
}

export function keptTree<Node extends object>(
  id: string,
  source: TreeSource<Node>,
  getTreeItem: (node: Node) => TreeItem,
  options: Omit<TreeViewOptions<Node>, 'treeDataProvider'> = {},
): KeptTree<Node> {
  const changes = new EventEmitter<Node[] | undefined>()
  const nodes = new KeptNodes(source, rows => changes.fire(rows))
  const refresh = () => void nodes.changed()
  const getChildren = (node?: Node) => nodes.children(node)
  const treeDataProvider = { onDidChangeTreeData: changes.event, getChildren, getTreeItem }
  const view = window.createTreeView(id, { treeDataProvider, ...options })
  return { view, refresh, disposables: [changes, view, eachMinute(view, refresh)] }
}
