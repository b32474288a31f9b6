/**
 * What happens on disk, as the client tells it: files of projects, folders, and data files that sources read. Where a
 * client cannot watch, saving and opening a document is the moment to look.
 */
import {
  type ClientCapabilities,
  DidChangeWatchedFilesNotification,
  type FileEvent,
  type FileSystemWatcher,
} from 'vscode-languageserver'
import { type Context, guardedEvent } from './context.ts'
import { filePathOf } from './convert/paths.ts'

/** Of data files, those that a source can be read from without asking for its format. */
const watched: readonly string[] = [
  '**/*.svc',
  '**/svc.yaml',
  '**/glossary.yaml',
  '**/schemas.lock.json',
  '**/svc_catalog.json',
  '**/*.{csv,tsv,json,ndjson,jsonl,parquet}{,.gz}',
]

export function canWatch(client: ClientCapabilities): boolean {
  return client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
}

/** To be called once the client is ready. */
export async function watchFiles({ connection, log, capabilities }: Context): Promise<void> {
  if (!canWatch(capabilities)) return
  const watchers: FileSystemWatcher[] = watched.map(globPattern => ({ globPattern }))
  try {
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers })
  } catch (error) {
    log.warn(`the editor does not watch files: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function onWatchedFiles(context: Context): void {
  context.connection.onDidChangeWatchedFiles(
    guardedEvent(context, 'workspace/didChangeWatchedFiles', ({ changes }) => takeOver(context, changes)),
  )
}

function takeOver({ session }: Context, changes: readonly FileEvent[]): void {
  const files = [...new Set(changes.flatMap(({ uri }) => filePathOf(uri) ?? []))]
  session.filesChanged(files)
}
