/** The view "Glossary": the words of the business, by kind, each with the columns that it stands for. */
import type { GlossaryEntry, ProjectSummary } from '@svc/server/protocol'
import {
  EventEmitter,
  Range,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
} from 'vscode'
import type { Services } from '../commands/command.ts'
import { viewIds } from '../contributions.ts'

type Kind = GlossaryEntry['kind']

type GlossaryNode =
  | { readonly kind: 'group'; readonly of: Kind; readonly entries: readonly GlossaryEntry[] }
  | { readonly kind: 'entry'; readonly entry: GlossaryEntry }
  | { readonly kind: 'link'; readonly link: string; readonly entry: GlossaryEntry }

const groups: readonly (readonly [Kind, string, string])[] = [
  ['term', 'Terms', 'book'],
  ['metric', 'Metrics', 'graph'],
  ['dimension', 'Dimensions', 'symbol-enum'],
  ['policy', 'Policies', 'shield'],
]

export function showGlossary({ context, projects }: Services): void {
  const changes = new EventEmitter<undefined>()
  const provider: TreeDataProvider<GlossaryNode> = {
    onDidChangeTreeData: changes.event,
    getChildren: node => (node === undefined ? groupsOf(projects.all) : childrenOf(node)),
    getTreeItem: node => itemOf(node, projects.all),
  }
  context.subscriptions.push(
    changes,
    projects.onDidChange(() => changes.fire(undefined)),
    window.createTreeView(viewIds.glossary, { treeDataProvider: provider, showCollapseAll: true }),
  )
}

function groupsOf(all: readonly ProjectSummary[]): GlossaryNode[] {
  const entries = all.flatMap(({ glossary }) => glossary)
  return groups.flatMap(([kind]) => {
    const own = entries.filter(entry => entry.kind === kind)
    return own.length === 0 ? [] : [{ kind: 'group' as const, of: kind, entries: own }]
  })
}

function childrenOf(node: GlossaryNode): GlossaryNode[] {
  if (node.kind === 'group') return node.entries.map(entry => ({ kind: 'entry', entry }))
  return node.kind === 'entry'
    ? node.entry.links.map(link => ({ kind: 'link', link, entry: node.entry }))
    : []
}

function itemOf(node: GlossaryNode, all: readonly ProjectSummary[]): TreeItem {
  if (node.kind === 'group') return groupItem(node.of, node.entries.length)
  return node.kind === 'entry' ? entryItem(node.entry) : linkItem(node.link, node.entry, all)
}

function groupItem(kind: Kind, size: number): TreeItem {
  const [, title, icon] = groups.find(([each]) => each === kind) ?? [kind, kind, 'book']
  const item = new TreeItem(title, TreeItemCollapsibleState.Expanded)
  item.iconPath = new ThemeIcon(icon)
  item.description = String(size)
  return item
}

function entryItem(entry: GlossaryEntry): TreeItem {
  const hasLinks = entry.links.length > 0
  const item = new TreeItem(
    entry.name,
    hasLinks ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
  )
  item.description = entry.description
  item.tooltip = `${entry.name}\n${entry.description}`
  item.command = openAt(entry.uri, entry.range)
  return item
}

/** `asset` or `asset.column`. */
function linkItem(link: string, entry: GlossaryEntry, all: readonly ProjectSummary[]): TreeItem {
  const item = new TreeItem(link, TreeItemCollapsibleState.None)
  item.iconPath = new ThemeIcon('link')
  const [name] = link.split('.')
  const project = all.find(({ glossary }) => glossary.includes(entry))
  const asset = project?.assets.find(each => each.name === name)
  if (asset !== undefined)
    item.command = { command: 'vscode.open', title: 'Open', arguments: [Uri.parse(asset.uri)] }
  return item
}

function openAt(uri: string, { start, end }: GlossaryEntry['range']) {
  const selection = new Range(start.line, start.character, end.line, end.character)
  return { command: 'vscode.open', title: 'Open', arguments: [Uri.parse(uri), { selection }] }
}
