/** The view "Glossary": business terms by kind, each with its columns. */
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
import { onDifferent } from '../projects/projects.ts'

type Group = readonly [kind: GlossaryEntry['kind'], title: string, icon: string]

type GlossaryNode =
  | { readonly kind: 'group'; readonly of: Group; readonly entries: readonly EntryNode[] }
  | EntryNode
  | { readonly kind: 'link'; readonly link: string; readonly project: ProjectSummary }

interface EntryNode {
  readonly kind: 'entry'
  readonly entry: GlossaryEntry
  readonly project: ProjectSummary
}

const groups: readonly Group[] = [
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
    getTreeItem: itemOf,
  }
  context.subscriptions.push(
    changes,
    onDifferent(projects, shownOf, () => changes.fire(undefined)),
    window.createTreeView(viewIds.glossary, { treeDataProvider: provider, showCollapseAll: true }),
  )
}

/** Returns the part of the projects that the tree shows. */
function shownOf(all: readonly ProjectSummary[]): unknown {
  return all.map(({ glossary, assets }) => [glossary, assets.map(({ name, uri }) => [name, uri])])
}

function groupsOf(all: readonly ProjectSummary[]): GlossaryNode[] {
  const entries = all.flatMap(project =>
    project.glossary.map((entry): EntryNode => ({ kind: 'entry', entry, project })),
  )
  return groups.flatMap(group => {
    const own = entries.filter(({ entry }) => entry.kind === group[0])
    return own.length === 0 ? [] : [{ kind: 'group' as const, of: group, entries: own }]
  })
}

function childrenOf(node: GlossaryNode): GlossaryNode[] {
  if (node.kind === 'group') return [...node.entries]
  return node.kind === 'entry'
    ? node.entry.links.map(link => ({ kind: 'link', link, project: node.project }))
    : []
}

function itemOf(node: GlossaryNode): TreeItem {
  if (node.kind === 'group') return groupItem(node.of, node.entries.length)
  return node.kind === 'entry' ? entryItem(node.entry) : linkItem(node.link, node.project)
}

function groupItem([, title, icon]: Group, size: number): TreeItem {
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
function linkItem(link: string, project: ProjectSummary): TreeItem {
  const item = new TreeItem(link, TreeItemCollapsibleState.None)
  item.iconPath = new ThemeIcon('link')
  const [name] = link.split('.')
  const asset = project.assets.find(each => each.name === name)
  if (asset !== undefined)
    item.command = { command: 'vscode.open', title: 'Open', arguments: [Uri.parse(asset.uri)] }
  return item
}

function openAt(uri: string, { start, end }: GlossaryEntry['range']) {
  const selection = new Range(start.line, start.character, end.line, end.character)
  return { command: 'vscode.open', title: 'Open', arguments: [Uri.parse(uri), { selection }] }
}
