/** An editor and the language server in this process, so that the CPU of an answer can be measured. */
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import {
  type ClientCapabilities,
  createProtocolConnection,
  type DocumentDiagnosticReport,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { serveLanguage } from '../../server/lsp/index.ts'

/** A client that pulls problems, and has all that a client may have besides. */
export const wholeCapabilities: ClientCapabilities = {
  textDocument: {
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    semanticTokens: { requests: {}, tokenTypes: [], tokenModifiers: [], formats: ['relative'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    definition: { linkSupport: true },
    rename: { prepareSupport: true },
  },
  workspace: { workspaceFolders: true, diagnostics: { refreshSupport: true } },
}

export interface EditorHere {
  readonly connection: ProtocolConnection
  open(path: string, text: string): void
  change(path: string, text: string): void
  /** What the server says to `textDocument/<method>` of a file. */
  ask<T>(method: string, path: string, more?: object): Promise<T>
  /** The problems of a file as its present text has them. */
  problems(path: string): Promise<readonly string[]>
  uri(path: string): string
  close(): Promise<void>
}

export async function editorHere(
  root: string,
  capabilities = wholeCapabilities,
  env: Readonly<Record<string, string>> = {},
): Promise<EditorHere> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const abort = new AbortController()
  const ended = serveLanguage({
    input,
    output,
    now: () => new Date(),
    env,
    version: '0.0.0',
    program: undefined,
    isTrusted: true,
    environment: 'dev',
    clientProcessId: undefined,
    isAlive: () => true,
    signal: abort.signal,
  })
  const connection = createProtocolConnection(new StreamMessageReader(output), new StreamMessageWriter(input))
  for (const method of ['client/registerCapability', 'window/workDoneProgress/create'])
    connection.onRequest(method, () => null)
  connection.listen()
  await connection.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'here' }],
    capabilities,
    clientInfo: { name: 'Visual Studio Code' },
  })
  await connection.sendNotification('initialized', {})
  let version = 1
  const uri = (path: string) => pathToFileURL(`${root}/${path}`).href
  const ask = <T>(method: string, path: string, more: object = {}): Promise<T> =>
    connection.sendRequest(`textDocument/${method}`, { textDocument: { uri: uri(path) }, ...more })
  return {
    connection,
    uri,
    ask,
    open(path, text) {
      version += 1
      const textDocument = { uri: uri(path), languageId: 'svc', version, text }
      void connection.sendNotification('textDocument/didOpen', { textDocument })
    },
    change(path, text) {
      version += 1
      const textDocument = { uri: uri(path), version }
      void connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ text }] })
    },
    async problems(path) {
      const report = await ask<DocumentDiagnosticReport>('diagnostic', path)
      return report.kind === 'full' ? report.items.map(({ message }) => String(message)) : []
    },
    async close() {
      await connection.sendRequest('shutdown')
      await connection.sendNotification('exit')
      await ended
      abort.abort()
      connection.dispose()
    },
  }
}

/** The position of the first place where `text` has `found`, `more` letters behind its beginning. */
export function positionOf(text: string, found: string, more = 0): Position {
  const offset = text.indexOf(found)
  if (offset < 0) throw new Error(`there is no ${found}`)
  const before = text.slice(0, offset + more).split('\n')
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
}
