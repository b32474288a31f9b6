/** One command of `svc` as a task of the editor. */
import {
  CustomExecution,
  ProcessExecution,
  Task,
  type TaskDefinition,
  TaskPanelKind,
  TaskRevealKind,
  TaskScope,
  Uri,
  workspace,
} from 'vscode'
import { type Invocation, invocationOf } from '../bundled-cli.ts'
import { taskType } from '../contributions.ts'
import { pipedTerminal } from './piped-terminal.ts'
import type { TerminalCommand } from './terminals.ts'

/** A definition as in tasks.json: `{"type": "svc", "command": "run", "args": ["+daily_sales"]}`. */
export interface SvcTaskDefinition extends TaskDefinition {
  readonly command: string
  readonly args?: readonly string[]
}

export function svcTask(
  cli: string,
  command: TerminalCommand,
  variables: Readonly<Record<string, string>>,
): Task {
  const root = Uri.parse(command.root)
  const [verb = '', ...args] = command.words
  const definition: SvcTaskDefinition = { type: taskType, command: verb, args }
  const invocation = invocationOf(cli, command.words, {
    cwd: root.fsPath,
    // For the history of runs.
    env: { SVC_TRIGGER: 'editor', ...variables },
  })
  const scope = workspace.getWorkspaceFolder(root) ?? TaskScope.Workspace
  const task = new Task(definition, scope, command.words.join(' '), 'svc', executionOf(invocation))
  task.presentationOptions = {
    reveal: TaskRevealKind.Always,
    panel: TaskPanelKind.Shared,
    echo: false,
    focus: false,
    // The terminal is cleared, because output of the previous command could be mistaken for this one's.
    clear: true,
    // The last line of the terminal is what svc says, not that the terminal can be used again.
    showReuseMessage: false,
  }
  return task
}

/**
 * On Windows the editor's executable has no console (see `pipedTerminal`); the Node of a remote server always
 * has one.
 */
function executionOf(invocation: Invocation): ProcessExecution | CustomExecution {
  const { executable, args, cwd, env } = invocation
  if (process.platform === 'win32' && process.versions['electron'] !== undefined) {
    return new CustomExecution(async () => pipedTerminal(invocation))
  }
  return new ProcessExecution(executable, [...args], { cwd, env: { ...env } })
}
