/** The view "Runs": past runs with their results, to repeat or to roll back to. */
import type { ProjectSummary } from '@svc/server/protocol'
import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, workspace } from 'vscode'
import type { Services } from '../commands/command.ts'
import { commandIds, viewIds } from '../contributions.ts'
import { onDifferent } from '../projects/projects.ts'
import { type RunEntry, wordsAgain } from '../runs.ts'
import { keptTree } from './kept-tree.ts'
import type { RunNode } from './run-node.ts'
import { runDescription, runLabel, runRole, runTooltip } from './run-words.ts'

type RunTreeNode = RunNode | { readonly kind: 'project'; readonly project: ProjectSummary }

export function showRunHistory(services: Services): void {
  const { context, projects, history } = services
  const source = { children: (node: RunTreeNode | undefined) => children(services, node), idOf }
  const { refresh, disposables } = keptTree(viewIds.runs, source, itemOf)
  context.subscriptions.push(
    ...disposables,
    onDifferent(projects, all => all.map(({ root, name }) => [root, name]), refresh),
    history.onDidChange(refresh),
  )
}

async function children(services: Services, node: RunTreeNode | undefined): Promise<RunTreeNode[]> {
  if (!workspace.isTrusted || node?.kind === 'run') return []
  const { projects } = services
  if (node === undefined && projects.all.length !== 1) {
    return projects.all.map(project => ({ kind: 'project', project }))
  }
  const project = node?.project ?? projects.all[0]
  if (project === undefined) return []
  const runs = await services.history.runsOf(project.root)
  return runs.map(run => ({ kind: 'run', project, run }))
}

function idOf(node: RunTreeNode): string {
  return node.kind === 'project' ? JSON.stringify([node.project.root, node.project.name]) : node.run.run_id
}

function itemOf(node: RunTreeNode): TreeItem {
  if (node.kind === 'project') {
    const item = new TreeItem(node.project.name, TreeItemCollapsibleState.Expanded)
    item.iconPath = new ThemeIcon('project')
    return item
  }
  return runItem(node)
}

function runItem(node: RunNode): TreeItem {
  const { run } = node
  const label = runLabel(run)
  const item = new TreeItem(label, TreeItemCollapsibleState.None)
  item.id = idOf(node)
  item.iconPath = iconOf(run)
  item.description = runDescription(run, new Date())
  item.tooltip = runTooltip(run)
  item.accessibilityInformation = { label: `${label}, ${item.description}` }
  item.contextValue = contextOf(run)
  item.command =
    run.failure?.place == null
      ? { command: commandIds.openLog, title: 'Open Log', arguments: [node] }
      : { command: commandIds.openFailure, title: 'Open Failing Asset', arguments: [node] }
  return item
}

function iconOf(run: RunEntry): ThemeIcon {
  if (run.verdict === 'Running') return new ThemeIcon('sync')
  const role = runRole(run)
  if (role === 'fail') return new ThemeIcon('error', new ThemeColor('testing.iconFailed'))
  if (role === 'warn') return new ThemeIcon('warning', new ThemeColor('list.warningForeground'))
  if (role === 'quiet') return new ThemeIcon('circle-slash')
  const color = new ThemeColor('testing.iconPassed')
  if (run.kind === 'preview') return new ThemeIcon('eye', color)
  return new ThemeIcon(run.kind === 'rollback' ? 'discard' : 'pass', color)
}

/** Returns the value for `when` clauses of the menu: `run again deployed`. */
function contextOf(run: RunEntry): string {
  const words = ['run']
  if (wordsAgain(run) !== undefined) words.push('again')
  if (run.promoted) words.push('deployed')
  if (run.kind === 'preview' && run.status === 'deployed') words.push('preview')
  if (run.failure?.place != null) words.push('failed')
  return words.join(' ')
}
