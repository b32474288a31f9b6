/** Rename with a preview of other files, and the edits after a file was renamed. */
import { basename } from 'node:path/posix'
import {
  type CancellationToken,
  type DeleteFilesParams,
  type FileOperationRegistrationOptions,
  type FileRename,
  LSPErrorCodes,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import { renameAsset } from '../../language/features/rename/asset-rename.ts'
import { prepareRename, renameSteps } from '../../language/features/rename/rename.ts'
import { nodeAt } from '../../language/index.ts'
import {
  aboutDocument,
  type Context,
  changedMeanwhile,
  documentOf,
  guarded,
  guardedEvent,
  isCurrent,
  type RequestedDocument,
} from '../context.ts'
import { filePathOf } from '../convert/paths.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import { supportOf, toWorkspaceEdit } from '../convert/workspace-edits.ts'
import type { Feature } from '../feature.ts'
import { inTurns } from '../in-turns.ts'

export const renameFeature: Feature = {
  capabilities: client => ({
    renameProvider: client.textDocument?.rename?.prepareSupport === true ? { prepareProvider: true } : true,
  }),
  register(context) {
    const { connection } = context
    connection.onPrepareRename(
      aboutDocument(
        context,
        'textDocument/prepareRename',
        null,
        ({ knowledge, path, text }, { position }) => {
          const prepared = prepareRename(knowledge, path, offsetAt(text, position))
          if ('refusal' in prepared) throw refused(prepared.refusal)
          return { range: rangeAt(text, prepared.range), placeholder: prepared.placeholder }
        },
      ),
    )
    connection.onRenameRequest(
      guarded(context, 'textDocument/rename', async ({ textDocument, position, newName }, token) => {
        // Uses downstream are complete only when all files are checked.
        await context.session.homeOf(textDocument.uri)?.project.allSettled()
        const document = documentOf(context, textDocument.uri)
        if (document === undefined) return null
        const { knowledge, path, text } = document
        const steps = renameSteps(knowledge, path, offsetAt(text, position), newName)
        const renaming = await inTurns(steps, token)
        if (!isCurrent(document))
          throw refused('files of the project were changed meanwhile; rename it once more')
        if ('refusal' in renaming) throw refused(renaming.refusal)
        if (renaming.files.some(file => file.required) && !supportOf(context.capabilities).rename)
          throw refused('this has its name from its file, and this editor cannot rename files')
        return toWorkspaceEdit(context, document.project, renaming)
      }),
    )
  },
}

function refused(reason: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, reason)
}

// ---------------------------------------------------------------- files

const svcFiles: FileOperationRegistrationOptions = {
  filters: [{ scheme: 'file', pattern: { glob: '**/*.svc', matches: 'file' } }],
}
const anything: FileOperationRegistrationOptions = {
  filters: [...svcFiles.filters, { scheme: 'file', pattern: { glob: '**', matches: 'folder' } }],
}

export const fileOperationsFeature: Feature = {
  capabilities: ({ workspace }) => {
    const operations = workspace?.fileOperations
    return {
      workspace: {
        fileOperations: {
          ...(operations?.willRename === true && { willRename: svcFiles }),
          ...(operations?.didRename === true && { didRename: anything }),
          ...(operations?.didDelete === true && { didDelete: anything }),
          ...(operations?.didCreate === true && { didCreate: anything }),
        },
      },
    }
  },
  register(context) {
    const { workspace } = context.connection
    const changed = (uris: readonly string[]) =>
      context.session.filesChanged(uris.flatMap(uri => filePathOf(uri) ?? []))
    workspace.onWillRenameFiles(
      guarded(context, 'workspace/willRenameFiles', ({ files }, token) => editsFor(context, files, token)),
    )
    workspace.onDidRenameFiles(
      guardedEvent(context, 'workspace/didRenameFiles', ({ files }) =>
        changed(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
      ),
    )
    const tell = ({ files }: DeleteFilesParams) => changed(files.map(({ uri }) => uri))
    workspace.onDidDeleteFiles(guardedEvent(context, 'workspace/didDeleteFiles', tell))
    workspace.onDidCreateFiles(guardedEvent(context, 'workspace/didCreateFiles', tell))
  },
}

/**
 * Returns edits for renamed files. An asset without a `name` is named after its file, so its readers must be
 * updated.
 */
async function editsFor(
  context: Context,
  files: readonly FileRename[],
  token: CancellationToken,
): Promise<WorkspaceEdit | null> {
  for (const { oldUri, newUri } of files) {
    const document = documentOf(context, oldUri)
    const file = filePathOf(newUri)
    if (document === undefined || file === undefined) continue
    const renaming = await renamedFile(document, basename(file.replaceAll('\\', '/'), '.svc'), token)
    // One file at a time: edits for the next one would depend on the changes of this one.
    if (renaming !== undefined && renaming.edits.length > 0) {
      return toWorkspaceEdit(context, document.project, {
        edits: renaming.edits,
        annotations: renaming.annotations,
      })
    }
  }
  return null
}

async function renamedFile(document: RequestedDocument, newName: string, token: CancellationToken) {
  const { knowledge, path } = document
  const asset = knowledge.project.assets.get(path)
  const isCalledAfterFile = asset !== undefined && nodeAt(asset.tree, ['name']) === undefined
  if (!isCalledAfterFile || asset.name === newName) return undefined
  const renaming = await inTurns(renameAsset(knowledge, path, asset.name, newName), token)
  if (!isCurrent(document)) throw changedMeanwhile()
  return 'refusal' in renaming ? undefined : renaming
}
