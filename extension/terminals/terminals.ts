/**
 * Runs `svc` in an integrated terminal, as a task, so that its exit code is known and the next
 * command reuses the terminal. There is no shell between the editor and `svc`.
 */
import {
  commands,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  type TaskExecution,
  tasks,
  Uri,
  window,
  workspace,
} from 'vscode'
import type { ChosenSvc } from '../chosen-svc.ts'
import { variablesOf } from '../settings.ts'
import { svcTask } from './svc-task.ts'

export interface TerminalCommand {
  /** The URI of the project, in whose folder `svc` starts. */
  readonly root: string
  /** The arguments of `svc`. */
  readonly words: readonly string[]
}

/** Undefined if the terminal was closed before the process had ended. */
export type ExitCode = number | undefined

export interface RunningCommand extends TerminalCommand {
  readonly startedAt: Date
  readonly execution: TaskExecution
}

export type Terminals = ReturnType<typeof createTerminals>

export function createTerminals(context: ExtensionContext, svc: ChosenSvc, log: LogOutputChannel) {
  const changes = new EventEmitter<void>()
  const ends = new EventEmitter<{ command: RunningCommand; code: ExitCode }>()
  const exits = watchExits(context)
  let running: readonly RunningCommand[] = []
  context.subscriptions.push(changes, ends)

  async function run({ root, words }: TerminalCommand): Promise<ExitCode> {
    if (!workspace.isTrusted) {
      // Lenses and links can be clicked even without trust.
      void tellUntrusted()
      return undefined
    }
    const same = running.find(each => each.root === root && each.words.join('\n') === words.join('\n'))
    if (same !== undefined) {
      // The lease would block a second one anyway, and the editor would ask whether to kill the first.
      showTerminalOf(same)
      void window.showInformationMessage(`svc ${words.join(' ')} is running already.`)
      return undefined
    }
    const startedAt = new Date()
    const variables = variablesOf(Uri.parse(root), log)
    log.info(`svc ${words.join(' ')}`)
    const execution = await tasks.executeTask(svcTask(svc.of(root), { root, words }, variables))
    const command: RunningCommand = { root, words, startedAt, execution }
    running = [...running, command]
    changes.fire()
    const code = await exits.of(execution)
    running = running.filter(each => each !== command)
    log.info(`svc ${words.join(' ')}: exit code ${code ?? 'unknown'}`)
    changes.fire()
    ends.fire({ command, code })
    return code
  }

  return {
    get running(): readonly RunningCommand[] {
      return running
    },
    onDidChange: changes.event,
    onDidEnd: ends.event,
    run,
  }
}

export async function tellUntrusted(
  message = 'SVC: nothing runs in a workspace that you do not trust.',
): Promise<void> {
  const manage = 'Manage Workspace Trust'
  if ((await window.showWarningMessage(message, manage)) === manage) {
    await commands.executeCommand('workbench.trust.manage')
  }
}

export function showTerminalOf({ execution }: RunningCommand): void {
  const { name } = execution.task
  const terminal = window.terminals.findLast(each => each.name === name || each.name.endsWith(`: ${name}`))
  terminal?.show()
}

/** The end of a task may be reported this long before the exit code of its process. */
const codeAfterEndMs = 1000

/** A process may end before the editor has returned the execution that it belongs to. */
function watchExits(context: ExtensionContext): { of(execution: TaskExecution): Promise<ExitCode> } {
  const codes = new WeakMap<TaskExecution, ExitCode>()
  const waiting = new Map<TaskExecution, (code: ExitCode) => void>()
  function settle(execution: TaskExecution, code: ExitCode): void {
    if (!codes.has(execution)) codes.set(execution, code)
    waiting.get(execution)?.(codes.get(execution))
    waiting.delete(execution)
  }
  context.subscriptions.push(
    tasks.onDidEndTaskProcess(({ execution, exitCode }) => settle(execution, exitCode)),
    tasks.onDidEndTask(({ execution }) => {
      setTimeout(() => settle(execution, undefined), codeAfterEndMs)
    }),
  )
  return {
    of: execution =>
      new Promise(resolve => {
        if (codes.has(execution)) resolve(codes.get(execution))
        else waiting.set(execution, resolve)
      }),
  }
}
