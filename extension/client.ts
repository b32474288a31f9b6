/**
 * Starts, restarts and stops the language server: the bundled `svc lsp --stdio`, as a process of the editor's own Node.
 * Knows its state, so that the status bar can say it, and never what a `.svc` file means.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { EventEmitter, type ExtensionContext, type LogOutputChannel, workspace } from 'vscode'
import { LanguageClient, type LanguageClientOptions, State } from 'vscode-languageclient/node'
import { invocationOf } from './bundled-cli.ts'
import { languageId, settingNames } from './contributions.ts'
import { variablesOf } from './settings.ts'

/** Files of a project that the server knows besides assets. */
const projectFiles = ['svc.yaml', 'glossary.yaml']

const environmentSettings = [settingNames.env, settingNames.envFile].map(name => `${languageId}.${name}`)

export type ServerState = 'starting' | 'running' | 'stopped'

export interface Server {
  readonly state: ServerState
  readonly onDidChangeState: EventEmitter<ServerState>['event']
  /** Answers when the server does; rejects when it cannot be started or refuses. */
  request<R>(method: string, parameters?: unknown): Promise<R>
  onNotification(method: string, listener: () => void): void
  restart(): Promise<void>
  stop(): Promise<void>
}

export function startServer(context: ExtensionContext, cli: string, log: LogOutputChannel): Server {
  const changes = new EventEmitter<ServerState>()
  const client = new LanguageClient(languageId, 'SVC', () => spawnServer(cli, log), clientOptions(log))
  let state: ServerState = 'starting'
  client.onDidChangeState(({ newState }) => {
    state = stateOf(newState)
    changes.fire(state)
  })
  /** A failed start is told by the client's own message and in the log; here it must only not be unhandled. */
  function begin(work: Promise<void>): Promise<void> {
    work.catch((error: unknown) => log.error(`the language server does not start: ${String(error)}`))
    return work
  }

  let started = begin(client.start())
  /** A process that is just starting has its environment already: what has changed since waits for it, and is not lost. */
  const restart = () => {
    const settled = started.catch(() => {})
    started = begin(settled.then(() => (client.isRunning() ? client.restart() : client.start())))
    return started
  }
  context.subscriptions.push(
    changes,
    // A process keeps the environment that it was started with.
    workspace.onDidChangeConfiguration(event => {
      // A failure is in the log by then.
      if (environmentSettings.some(name => event.affectsConfiguration(name))) restart().catch(() => {})
    }),
    // Native code of a project waits for it.
    workspace.onDidGrantWorkspaceTrust(() => void restart().catch(() => {})),
    { dispose: () => void client.dispose() },
  )
  return {
    get state() {
      return state
    },
    onDidChangeState: changes.event,
    async request(method, parameters) {
      await started
      // A parameter that is undefined would be sent as null.
      return parameters === undefined ? client.sendRequest(method) : client.sendRequest(method, parameters)
    },
    onNotification: (method, listener) => {
      context.subscriptions.push(client.onNotification(method, listener))
    },
    restart,
    stop: () => client.stop(),
  }
}

function stateOf(state: State): ServerState {
  if (state === State.Running) return 'running'
  return state === State.Stopped || state === State.StartFailed ? 'stopped' : 'starting'
}

/** Settings and files are read at every start, so that a restart is enough to make a change hold. */
async function spawnServer(cli: string, log: LogOutputChannel): Promise<ChildProcess> {
  const folder = workspace.workspaceFolders?.[0]?.uri
  const { executable, args, cwd, env } = invocationOf(
    cli,
    ['lsp', '--stdio', ...(workspace.isTrusted ? ['--trusted'] : [])],
    {
      cwd: folder?.fsPath ?? homedir(),
      env: variablesOf(folder, message => log.warn(message)),
    },
  )
  return spawn(executable, args, { cwd, env: { ...process.env, ...env }, windowsHide: true })
}

function clientOptions(log: LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector: [
      { language: languageId, scheme: 'file' },
      { language: languageId, scheme: 'untitled' },
      ...projectFiles.map(name => ({ scheme: 'file', pattern: `**/${name}` })),
    ],
    outputChannel: log,
    traceOutputChannel: log,
    diagnosticCollectionName: languageId,
  }
}
