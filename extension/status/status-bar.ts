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
  const problems = item('problems', 'SVC Problems', 51, 'workbench.actions.view.problems')
  const running = item('running', 'SVC Running', 50, commandIds.showRunning)
  const update = () => {
    updateEnvironment(environment, services)
    updateProblems(problems, services)
    updateRunning(running, services)
  }
  context.subscriptions.push(
    environment,
    problems,
    running,
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

function updateProblems(bar: StatusBarItem, { projects }: Services): void {
  const errors = sum(projects.all.map(({ problems }) => problems.errors))
  const warnings = sum(projects.all.map(({ problems }) => problems.warnings))
  if (projects.all.length === 0) {
    bar.hide()
    return
  }
  const assets = plural(sum(projects.all.map(project => project.assets.length)), 'asset')
  const checking = projects.all.flatMap(project => project.checking ?? [])
  if (checking.length > 0) {
    // A count for an outdated state of the files would be misleading, so progress is shown instead.
    const [done, of] = [sum(checking.map(each => each.done)), sum(checking.map(each => each.of))]
    const count = `checking ${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`
    bar.text = `$(sync~spin) ${count}`
    bar.tooltip = `SVC: ${count} assets that a change reaches`
    bar.accessibilityInformation = { label: bar.tooltip, role: 'button' }
    bar.show()
    return
  }
  bar.text =
    errors + warnings === 0 ? `$(pass) ${assets}` : `$(error) ${errors} $(warning) ${warnings} in ${assets}`
  bar.tooltip = `SVC: ${plural(errors, 'error')} and ${plural(warnings, 'warning')} in ${assets}`
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

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
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
