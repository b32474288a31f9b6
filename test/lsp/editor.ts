/** An editor for tests: a real client library on the other side of `svc lsp --stdio`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type LogMessageParams,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver-protocol/node'
import { svcLauncher } from '../support/cli.ts'

export interface EditorOptions {
  readonly folders: readonly string[]
  readonly capabilities?: ClientCapabilities
  readonly env?: Readonly<Record<string, string>>
  /** What the editor calls itself. */
  readonly name?: string
  /** Words behind `svc lsp --stdio`. */
  readonly words?: readonly string[]
  /** Path of `svc.cjs`; default: that of this repository. */
  readonly launcher?: string
  /** Sent as the editor's process; default: this one. */
  readonly processId?: number
}

/** Pushes: no client that can be told to ask again. */
export const plainCapabilities: ClientCapabilities = {
  textDocument: { publishDiagnostics: { relatedInformation: true } },
  workspace: { workspaceFolders: true },
}

export const pullCapabilities: ClientCapabilities = {
  textDocument: { diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true } },
  workspace: { workspaceFolders: true, diagnostics: { refreshSupport: true } },
}

export class Editor {
  readonly child: ChildProcess
  readonly connection: ProtocolConnection
  /** What was published last, by address. */
  readonly diagnostics = new Map<string, readonly Diagnostic[]>()
  readonly log: string[] = []
  readonly ended: Promise<number | null>
  initialized!: InitializeResult
  readonly #versions = new Map<string, number>()
  readonly #watchers = new Set<(params: PublishDiagnosticsParams) => void>()

  constructor(options: EditorOptions) {
    this.child = spawn(
      process.execPath,
      [options.launcher ?? svcLauncher, 'lsp', '--stdio', ...(options.words ?? [])],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, ...options.env },
      },
    )
    const { stdin, stdout } = this.child
    if (stdin === null || stdout === null) throw new Error('the server has no streams')
    this.ended = new Promise(resolve => this.child.once('exit', resolve))
    this.connection = createProtocolConnection(
      new StreamMessageReader(stdout),
      new StreamMessageWriter(stdin),
    )
    this.connection.onError(() => undefined)
    this.connection.onNotification('window/logMessage', ({ message }: LogMessageParams) => {
      this.log.push(message)
    })
    this.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.diagnostics.set(params.uri, params.diagnostics)
      for (const watch of this.#watchers) watch(params)
    })
    this.connection.onRequest('client/registerCapability', () => null)
    this.connection.onRequest('window/workDoneProgress/create', () => null)
    this.connection.listen()
  }

  async begin({
    folders,
    capabilities = plainCapabilities,
    processId = process.pid,
    name,
  }: EditorOptions): Promise<void> {
    this.initialized = await this.connection.sendRequest('initialize', {
      processId,
      rootUri: null,
      workspaceFolders: folders.map(folder => ({ uri: pathToFileURL(folder).href, name: folder })),
      capabilities,
      ...(name !== undefined && { clientInfo: { name } }),
    })
    await this.connection.sendNotification('initialized', {})
  }

  open(uri: string, text: string): void {
    this.#versions.set(uri, 1)
    void this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'svc', version: 1, text },
    })
  }

  change(uri: string, ...contentChanges: TextDocumentContentChangeEvent[]): number {
    const version = (this.#versions.get(uri) ?? 0) + 1
    this.#versions.set(uri, version)
    void this.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges,
    })
    return version
  }

  close(uri: string): void {
    this.#versions.delete(uri)
    void this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } })
  }

  filesChanged(uris: readonly string[], type: 1 | 2 | 3 = 2): void {
    void this.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: uris.map(uri => ({ uri, type })),
    })
  }

  /** Resolves at the first publication, from now on or the last one, that `isWanted`. */
  published(
    uri: string,
    isWanted: (diagnostics: readonly Diagnostic[]) => boolean,
  ): Promise<readonly Diagnostic[]> {
    const last = this.diagnostics.get(uri)
    if (last !== undefined && isWanted(last)) return Promise.resolve(last)
    return new Promise(resolve => {
      const watch = (params: PublishDiagnosticsParams): void => {
        if (params.uri !== uri || !isWanted(params.diagnostics)) return
        this.#watchers.delete(watch)
        resolve(params.diagnostics)
      }
      this.#watchers.add(watch)
    })
  }

  /** Told of every publication from now on. */
  onPublished(tell: (params: PublishDiagnosticsParams) => void): void {
    this.#watchers.add(tell)
  }

  /** Ends the server as an editor does; its exit code. */
  async quit(): Promise<number | null> {
    await this.connection.sendRequest('shutdown')
    await this.connection.sendNotification('exit')
    return this.ended
  }
}

export async function startEditor(options: EditorOptions): Promise<Editor> {
  const editor = new Editor(options)
  await editor.begin(options)
  return editor
}
