/**
 * Watches the disk through the client: project files, folders, and data files of sources. For clients that
 * cannot watch, changes are searched for when a document is saved or opened.
 */
import {
  type ClientCapabilities,
  DidChangeWatchedFilesNotification,
  type FileEvent,
  type FileSystemWatcher,
} from 'vscode-languageserver'
import { type Context, guardedEvent } from './context.ts'
import { filePathOf } from './convert/paths.ts'

/** The watched files. Data files are those whose format is known from their name. */
const watched: readonly string[] = [
  '**/*.svc',
  '**/svc.yaml',
  '**/glossary.yaml',
  '**/macros/**/*.sql',
  '**/tests/*.sql',
  '**/database/**/*.sql',
  '**/schemas.lock.json',
  '**/svc_catalog.json',
  '**/*.{csv,tsv,json,ndjson,jsonl,parquet}{,.gz}',
]

export function canWatch(client: ClientCapabilities): boolean {
  return client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
}

/** Registers the watchers; to call once the client is ready. */
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
