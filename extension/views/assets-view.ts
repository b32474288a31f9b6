/** The view "Assets": all assets with their state and actions. */

import type { VerdictRole } from '@svc/server/verdicts'
import { MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode'
import type { Services } from '../commands/command.ts'
import { newFromFiles } from '../commands/new-from-source.ts'
import { viewIds } from '../contributions.ts'
import { onDifferent } from '../projects/projects.ts'
import {
  type AssetNode,
  type AssetTreeNode,
  childNodes,
  describe,
  idOf,
  roleOf,
  rootNodes,
} from './asset-nodes.ts'
import { droppedFiles } from './dropped-files.ts'
import { keptTree } from './kept-tree.ts'

export function showAssets(services: Services): void {
  const { context, projects, terminals, environments } = services
  const { view, refresh, disposables } = keptTree<AssetTreeNode>(
    viewIds.assets,
    { children: node => (node === undefined ? rootNodes(projects.all) : childNodes(node)), idOf },
    itemOf,
    {
      canSelectMany: true,
      showCollapseAll: true,
      dragAndDropController: droppedFiles((files, node) => newFromFiles(services, files, node)),
    },
  )
  const describeView = () => {
    const [only] = projects.all
    view.description = only !== undefined && projects.all.length === 1 ? environments.of(only.root) : ''
  }
  const changed = () => {
    refresh()
    describeView()
  }
  context.subscriptions.push(
    ...disposables,
    onDifferent(projects, all => all, changed),
    environments.onDidChange(describeView),
    terminals.onDidEnd(refresh),
  )
}

function itemOf(node: AssetTreeNode): TreeItem {
  if (node.kind === 'asset') return assetItem(node)
  const label = node.kind === 'project' ? node.project.name : node.layer
  const item = new TreeItem(label, TreeItemCollapsibleState.Expanded)
  item.id = idOf(node)
  item.iconPath = node.kind === 'project' ? new ThemeIcon('project') : ThemeIcon.Folder
  item.contextValue = node.kind
  return item
}

function assetItem(node: AssetNode): TreeItem {
  const { asset } = node
  const color = colours[roleOf(asset)]
  const item = new TreeItem(asset.name, TreeItemCollapsibleState.None)
  const uri = Uri.parse(asset.uri)
  item.id = idOf(node)
  item.resourceUri = uri
  item.iconPath = new ThemeIcon(
    kindIcons[asset.kind],
    color === undefined ? undefined : new ThemeColor(color),
  )
  item.description = describe(asset, new Date())
  item.tooltip = tooltipOf(asset)
  item.contextValue = 'asset'
  item.command = { command: 'vscode.open', title: 'Open', arguments: [uri] }
  item.accessibilityInformation = { label: `${asset.name}, ${asset.kind}, ${asset.state.word}` }
  return item
}

const kindIcons = { source: 'cloud-download', model: 'table', publish: 'cloud-upload' } as const

const colours: Readonly<Record<VerdictRole, string | undefined>> = {
  fail: 'testing.iconFailed',
  warn: 'list.warningForeground',
  pass: 'testing.iconPassed',
  quiet: undefined,
}

function tooltipOf(asset: AssetNode['asset']): MarkdownString {
  const text = new MarkdownString()
  text.appendMarkdown(`**`).appendText(asset.name).appendMarkdown('**\n\n')
  if (asset.description !== '') text.appendText(asset.description).appendMarkdown('\n\n')
  const problems = [count(asset.errors, 'error'), count(asset.warnings, 'warning')].filter(
    each => each !== '',
  )
  if (problems.length > 0) text.appendText(problems.join(', ')).appendMarkdown('\n\n')
  if (asset.lastRun !== undefined) {
    const { environment } = asset.lastRun
    text
      .appendText(`${asset.state.word} in ${environment} · ${describe(asset, new Date())}`)
      .appendMarkdown('\n\n')
  }
  if (asset.tags.length > 0) text.appendText(`Tags: ${asset.tags.join(', ')}`)
  return text
}

function count(number: number, noun: string): string {
  if (number === 0) return ''
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
