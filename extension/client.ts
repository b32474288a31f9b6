/**
 * Starts, restarts and stops the language server: `svc lsp --stdio`, as a process of the editor's
 * own Node. It knows the server's state for the status bar, and nothing about the meaning of `.svc` files.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { aliveRequest } from '@svc/server/protocol'
import { EventEmitter, type ExtensionContext, type LogOutputChannel, window, workspace } from 'vscode'
import { LanguageClient, type LanguageClientOptions, State } from 'vscode-languageclient/node'
import { invocationOf } from './bundled-cli.ts'
import type { ChosenSvc } from './chosen-svc.ts'
import { languageId, settingNames } from './contributions.ts'
import { downWatch } from './down-watch.ts'
import { variablesOf } from './settings.ts'
import { createWatchdog } from './watchdog.ts'

/** The files of a project, besides assets, that the server reads. */
const projectFiles = ['svc.yaml', 'glossary.yaml', 'macros/**/*.sql', 'tests/*.sql']

const startSettings = [settingNames.env, settingNames.envFile, settingNames.useProjectSvc].map(
  name => `${languageId}.${name}`,
)

export type ServerState = 'starting' | 'running' | 'stopped'

export type Server = ReturnType<typeof startServer>

export function startServer(context: ExtensionContext, svc: ChosenSvc, log: LogOutputChannel) {
  const changes = new EventEmitter<ServerState>()
  const { client, watchdog } = watchedClient(context, svc, log)
  let state: ServerState = 'starting'
  const watch = downWatch(() => {
    changes.fire(state)
    void tellDown(restart)
  })
  client.onDidChangeState(({ newState }) => {
    state = stateOf(newState)
    watchdog.stop()
    watch.heard(state)
    changes.fire(state)
  })
  /** The client shows a failed start itself; here the rejection only has to be handled. */
  function begin(work: Promise<void>): Promise<void> {
    work.catch((error: unknown) => log.error(`the language server does not start: ${String(error)}`))
    return work
  }

  let started = begin(client.start())
  /**
   * A process that is starting already has its environment, so a change since then is applied by a restart
   * after it.
   */
  const restart = () => {
    const settled = started.catch(() => {})
    started = begin(settled.then(() => (client.isRunning() ? client.restart() : client.start())))
    return started
  }
  context.subscriptions.push(
    changes,
    // A process keeps the environment with which it was started, so a change needs a restart.
    workspace.onDidChangeConfiguration(event => {
      // A failure has been logged by then.
      if (startSettings.some(name => event.affectsConfiguration(name))) restart().catch(() => {})
    }),
    // Trust is needed to load native code of a project.
    workspace.onDidGrantWorkspaceTrust(() => void restart().catch(() => {})),
    { dispose: () => void client.dispose() },
  )
  return {
    get state(): ServerState {
      return state
    },
    /** Whether it has stopped and is not being started again, after several crashes. */
    get isDown(): boolean {
      return watch.isDown
    },
    onDidChangeState: changes.event,
    /** Resolves with the server's answer; rejects if the server cannot be started or refuses. */
    async request<R>(method: string, parameters?: unknown): Promise<R> {
      await started
      // An undefined parameter would be sent as null.
      return parameters === undefined ? client.sendRequest(method) : client.sendRequest(method, parameters)
    },
    async notify(method: string, parameters: unknown): Promise<void> {
      await started
      await client.sendNotification(method, parameters)
    },
    onNotification: (method: string, listener: () => void): void => {
      context.subscriptions.push(client.onNotification(method, listener))
    },
    restart,
    stop: (): Promise<void> => {
      watch.end()
      watchdog.stop()
      return client.stop()
    },
  }
}

/** Makes the client, and ends a server that does not answer while somebody works on files of svc. */
function watchedClient(context: ExtensionContext, svc: ChosenSvc, log: LogOutputChannel) {
  let server: ChildProcess | undefined
  const spawned = async () => {
    server = await spawnServer(svc.of(), log)
    return server
  }
  const client = new LanguageClient(languageId, 'SVC', spawned, clientOptions(log))
  const watchdog = createWatchdog({
    ask: () => client.sendRequest(aliveRequest),
    onSilence: () => {
      tellSilence(log)
      // The client starts another one at once, as after a crash.
      server?.kill('SIGKILL')
    },
  })
  const noteWork = (language: string): void => {
    if (language === languageId && client.isRunning()) watchdog.noteWork()
  }
  context.subscriptions.push(
    workspace.onDidOpenTextDocument(document => noteWork(document.languageId)),
    workspace.onDidChangeTextDocument(({ document }) => noteWork(document.languageId)),
  )
  return { client, watchdog }
}

function tellSilence(log: LogOutputChannel): void {
  const message = 'the language server did not answer for ten seconds and is started again'
  log.error(message)
  void window.showWarningMessage(`SVC: ${message}. Problems shown may be outdated until then.`)
}

async function tellDown(restart: () => Promise<void>): Promise<void> {
  const again = 'Start Again'
  const message =
    'SVC: the language server has stopped. Files are not checked, and problems shown are outdated.'
  // A failed start is reported by the client.
  if ((await window.showErrorMessage(message, again)) === again) await restart().catch(() => {})
}

function stateOf(state: State): ServerState {
  if (state === State.Running) return 'running'
  return state === State.Stopped || state === State.StartFailed ? 'stopped' : 'starting'
}

/** Settings and files are read at every start, so that a restart applies every change. */
async function spawnServer(cli: string, log: LogOutputChannel): Promise<ChildProcess> {
  const folder = workspace.workspaceFolders?.[0]?.uri
  const words = ['lsp', '--stdio', ...(workspace.isTrusted ? ['--trusted'] : [])]
  const place = { cwd: folder?.fsPath ?? homedir(), env: variablesOf(folder, log) }
  const { executable, args, cwd, env } = invocationOf(cli, words, place)
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
