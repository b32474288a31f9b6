/** The status bar: environment, problems, running commands, and the state of the language server. */
import {
  LanguageStatusSeverity,
  languages,
  StatusBarAlignment,
  type StatusBarItem,
  ThemeColor,
  window,
} from 'vscode'
import type { Services } from '../commands/command.ts'
import { commandIds, languageId } from '../contributions.ts'

export function showStatus(services: Services): void {
  const { context } = services
  const environment = item('environment', 'SVC Environment', 52, commandIds.pickEnvironment)
  const checks = item('problems', 'SVC Checks', 51, 'workbench.actions.view.problems')
  const running = item('running', 'SVC Running', 50, commandIds.showRunning)
  const update = () => {
    updateEnvironment(environment, services)
    updateChecks(checks, services)
    updateRunning(running, services)
  }
  context.subscriptions.push(
    environment,
    checks,
    running,
    services.server.onDidChangeState(update),
    services.projects.onDidChange(update),
    services.environments.onDidChange(update),
    services.terminals.onDidChange(update),
    services.others.onDidChange(update),
    window.onDidChangeActiveTextEditor(update),
    serverStatus(services),
  )
  update()
}

function item(id: string, name: string, priority: number, command: string): StatusBarItem {
  const made = window.createStatusBarItem(`svc.${id}`, StatusBarAlignment.Left, priority)
  made.name = name
  made.command = command
  return made
}

function updateEnvironment(bar: StatusBarItem, { projects, environments }: Services): void {
  const active = window.activeTextEditor?.document.uri.toString()
  const project = (active === undefined ? undefined : projects.projectOf(active)) ?? projects.all[0]
  if (project === undefined) {
    bar.hide()
    return
  }
  const environment = environments.of(project.root)
  bar.text = `$(server-environment) ${environment}`
  bar.tooltip = `SVC: commands for ${project.name} run in ${environment}. Click to pick another environment.`
  bar.accessibilityInformation = { label: `SVC environment ${environment}`, role: 'button' }
  bar.backgroundColor = environment === 'prod' ? new ThemeColor('statusBarItem.warningBackground') : undefined
  bar.show()
}

/**
 * Shows what the editor itself does not: that the files are being checked, or by nobody. The counts of problems are in
 * the editor's own item.
 */
function updateChecks(bar: StatusBarItem, { projects, server }: Services): void {
  const checking = projects.all.flatMap(project => project.checking ?? [])
  if (server.isDown) showDown(bar)
  else if (checking.length > 0) showProgress(bar, checking)
  else bar.hide()
}

function showDown(bar: StatusBarItem): void {
  bar.text = '$(error) SVC: files are not checked'
  bar.tooltip = 'SVC: the language server has stopped, so problems are outdated. Click to start it again.'
  bar.command = commandIds.restartServer
  bar.backgroundColor = new ThemeColor('statusBarItem.errorBackground')
  bar.accessibilityInformation = { label: bar.tooltip, role: 'button' }
  bar.show()
}

function showProgress(
  bar: StatusBarItem,
  checking: readonly { readonly done: number; readonly of: number }[],
): void {
  const [done, of] = [sum(checking.map(each => each.done)), sum(checking.map(each => each.of))]
  const count = `checking ${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`
  bar.text = `$(sync~spin) ${count}`
  bar.tooltip = `SVC: ${count} assets that a change reaches`
  bar.command = 'workbench.actions.view.problems'
  bar.backgroundColor = undefined
  bar.accessibilityInformation = { label: bar.tooltip, role: 'button' }
  bar.show()
}

function updateRunning(bar: StatusBarItem, { terminals, others }: Services): void {
  const [first, ...more] = terminals.running
  const other = others.now
  if (first === undefined && other === undefined) {
    bar.hide()
    return
  }
  const what = first === undefined ? (other?.text ?? '') : `svc ${first.words.slice(0, 2).join(' ')}`
  bar.text = `$(sync~spin) ${what}${more.length > 0 ? ` and ${more.length} more` : ''}`
  bar.tooltip =
    first === undefined ? (other?.tooltip ?? '') : `Running: svc ${first.words.join(' ')}. Click to see it.`
  bar.show()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** The language status item, for files of the language. */
function serverStatus({ server }: Services) {
  const status = languages.createLanguageStatusItem('svc.server', { language: languageId })
  status.name = 'SVC Language Server'
  const update = () => {
    const stopped = server.state === 'stopped'
    status.busy = server.state === 'starting'
    status.severity = stopped ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information
    status.text = stopped ? 'SVC language server is not running' : 'SVC language server'
    status.detail = server.state
    status.command = stopped
      ? { command: commandIds.restartServer, title: 'Restart' }
      : { command: commandIds.showOutput, title: 'Show Output' }
  }
  server.onDidChangeState(update)
  update()
  return status
}
