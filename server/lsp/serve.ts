/** The language server, from initialization to exit. */
import {
  type ClientCapabilities,
  type InitializeParams,
  MessageType,
  PositionEncodingKind,
  type ServerCapabilities,
  ShowMessageNotification,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { prepareWorkers } from '../catalog/index.ts'
import { engineOf, usualWarehouse } from '../language/index.ts'
import { connect } from './connect.ts'
import type { Context } from './context.ts'
import { filePathOf, withSmallDrive } from './convert/paths.ts'
import { pullChannel } from './diagnostics/pull.ts'
import { type DiagnosticsChannel, pushChannel } from './diagnostics/push.ts'
import { FunctionBooks } from './function-books.ts'
import { type Log, logTo } from './log.ts'
import { paced } from './paced.ts'
import { progressOf } from './progress.ts'
import { projectsChanged } from './protocol.ts'
import { refreshAges, refreshSoon } from './refresh.ts'
import { features } from './requests/index.ts'
import { secretsIn } from './secrets-in.ts'
import { Session } from './session.ts'
import { memoryTidier } from './tidy-memory.ts'
import { canWatch, onWatchedFiles, watchFiles } from './watch.ts'
import type { ServerWorld } from './world.ts'

/** Resolves with the exit code when the editor is done or has exited. */
export async function serveLanguage(world: ServerWorld): Promise<number> {
  // An editor opens files next, most likely those of a project with the usual engine.
  prepareWorkers(1, engineOf(usualWarehouse))
  const { connection, ended } = connect(world)
  const log = logTo(connection.console, () => secretsIn(world.env))
  let session: Session | undefined
  connection.onInitialize(params => {
    const started = start(world, connection, log, params)
    session = started.session
    return started.result
  })
  connection.listen()
  const code = await ended
  session?.close()
  return code
}

/** The minimum interval of the notification. */
const projectsChangedMs = 200

function soonAfter(delayMs: number, tell: () => void): { soon(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    soon() {
      if (timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        tell()
      }, delayMs)
    },
  }
}

/** Each round of work fails for the same reason, which is told once. */
function tellOnce(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>()
  return message => {
    if (told.has(message)) return
    told.add(message)
    tell(message)
  }
}

function start(world: ServerWorld, connection: Context['connection'], log: Log, params: InitializeParams) {
  const { capabilities } = params
  const functions = new FunctionBooks(log)
  let channel: DiagnosticsChannel | undefined
  const changesOf = soonAfter(projectsChangedMs, () => void connection.sendNotification(projectsChanged))
  const refresh = refreshSoon(connection, capabilities, () => {
    const known = session.everything().filter(project => project.isKnown)
    return Promise.all(known.map(({ project }) => functions.read(project.engine)))
  })
  const memory = memoryTidier()
  const session = new Session({
    ...world,
    environmentVariables: Object.keys(world.env).sort(),
    log,
    progress: progressOf(connection, capabilities, world.now),
    onDiagnostics: (project, changed) => channel?.changed(project, changed),
    onChanged: () => {
      memory.notYet()
      changesOf.soon()
      refresh()
    },
    // A notification: the library's own function asks for an answer, which not every editor gives.
    onFailure: tellOnce(
      message =>
        void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Error, message }),
    ),
    onLargeWork: memory.soon,
    functions: engine => functions.book(engine),
    onExtensions: (engine, load) => functions.extend(engine, load),
  })
  const isVsCode = /visual studio code|code-server|codium|cursor/i.test(params.clientInfo?.name ?? '')
  const documents = new TextDocuments(TextDocument)
  const versionOf: Context['versionOf'] = (uri, text) => {
    const document = documents.get(uri)
    return text === undefined || document?.getText() === text() ? document?.version : undefined
  }
  const { now } = world
  const context: Context = {
    connection,
    session,
    log,
    capabilities,
    now,
    versionOf,
    isVsCode,
    isTrusted: world.isTrusted,
    functionsRead: engine => functions.read(engine),
  }
  syncDocuments(context, documents)
  const pulls = canPull(capabilities)
  channel = pulls ? pullChannel(context) : pushChannel(context)
  onWatchedFiles(context)
  for (const feature of features) feature.register(context)
  connection.onInitialized(() => {
    void watchFiles(context)
    followFolders(context, foldersOf(params))
    if (isVsCode) refreshAges(connection, capabilities)
  })
  const serverInfo = { name: 'svc', version: world.version }
  return { session, result: { capabilities: announced(context, pulls), serverInfo } }
}

/**
 * Returns whether pull diagnostics can be used. A change in one file can change the diagnostics of others, so
 * the client must support refreshes; otherwise diagnostics are pushed.
 */
function canPull({ textDocument, workspace }: ClientCapabilities): boolean {
  return textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true
}

function announced({ capabilities: client, isVsCode }: Context, pulls: boolean): ServerCapabilities {
  const capabilities: ServerCapabilities = {
    positionEncoding: PositionEncodingKind.UTF16,
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    ...(pulls && {
      diagnosticProvider: {
        identifier: 'svc',
        interFileDependencies: true,
        workspaceDiagnostics: true,
      },
    }),
  }
  return features.reduce<ServerCapabilities>(
    (all, feature) => merged(all, feature.capabilities(client, isVsCode)),
    capabilities,
  )
}

function merged(a: ServerCapabilities, b: ServerCapabilities): ServerCapabilities {
  const workspace = { ...a.workspace, ...b.workspace }
  return { ...a, ...b, workspace }
}

function syncDocuments(context: Context, documents: TextDocuments<TextDocument>): void {
  const { connection, session, log, capabilities } = context
  const safely = (name: string, uri: string, work: () => void) => {
    try {
      work()
    } catch (error) {
      log.error(`${name} of ${uri} failed`, error)
    }
  }
  // A restored session opens hundreds of documents at once, and each look at the disk takes longer the larger the project is.
  const look = canWatch(capabilities) ? () => {} : paced(() => session.rescan())
  documents.onDidOpen(({ document }) =>
    safely('opening', document.uri, () => {
      session.open(document.uri, document.getText())
      look()
    }),
  )
  documents.onDidChangeContent(({ document }) =>
    safely('a change', document.uri, () => session.change(document.uri, document.getText())),
  )
  documents.onDidClose(({ document }) =>
    safely('closing', document.uri, () => session.closeDocument(document.uri)),
  )
  documents.onDidSave(({ document }) => safely('saving', document.uri, look))
  documents.listen(connection)
}

function foldersOf({ workspaceFolders, rootUri, rootPath }: InitializeParams): string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : [])
  const folders = uris.flatMap(uri => filePathOf(uri) ?? [])
  return folders.length === 0 && rootPath ? [withSmallDrive(rootPath)] : folders
}

/** The delay lets documents that are already open arrive first. */
const afterOpeningMs = 20

function followFolders({ connection, session, capabilities }: Context, folders: readonly string[]): void {
  session.addFolders(folders, new Promise(resolve => setTimeout(resolve, afterOpeningMs)))
  if (capabilities.workspace?.workspaceFolders !== true) return
  connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
    for (const { uri } of removed) session.removeFolder(filePathOf(uri) ?? uri)
    session.addFolders(added.map(({ uri }) => filePathOf(uri) ?? uri))
  })
}
