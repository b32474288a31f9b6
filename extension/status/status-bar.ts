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
import { checksText } from './checks-text.ts'

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

/** Shows what the editor itself does not: that the files are being checked, or by nobody. */
function updateChecks(bar: StatusBarItem, { projects, server }: Services): void {
  const checking = projects.all.flatMap(project => project.checking ?? [])
  const shown = checksText({ isDown: server.isDown, checking })
  if (shown === undefined) {
    bar.hide()
    return
  }
  const { text, tooltip, leadsTo } = shown
  const isDown = leadsTo === 'restart'
  bar.text = text
  bar.tooltip = tooltip
  bar.command = isDown ? commandIds.restartServer : 'workbench.actions.view.problems'
  bar.backgroundColor = isDown ? new ThemeColor('statusBarItem.errorBackground') : undefined
  bar.accessibilityInformation = { label: tooltip, role: 'button' }
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
