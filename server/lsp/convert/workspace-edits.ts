/** Converts edits of project files to one LSP workspace edit. */
import {
  type AnnotatedTextEdit,
  type ClientCapabilities,
  CreateFile,
  TextEdit as LspTextEdit,
  RenameFile,
  TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import type { Renaming } from '../../language/features/rename/renaming.ts'
import { groupBy, type TextEdit } from '../../language/index.ts'
import type { Context } from '../context.ts'
import type { LiveProject } from '../project/live-project.ts'
import { rangeAt } from './positions.ts'

export interface ProjectEdits {
  readonly edits: readonly (TextEdit & { readonly annotation?: string | undefined })[]
  /** Files to create, with their text. */
  readonly creates?: readonly { readonly path: string; readonly text: string }[]
  /** Files to rename after the edits. */
  readonly files?: readonly { readonly from: string; readonly to: string }[]
  readonly annotations?: Renaming['annotations']
}

/** An editor skips edits that need it by default, and a rename that skips a reader breaks it. */
const needsConfirmation = false

export function toWorkspaceEdit(context: Context, project: LiveProject, change: ProjectEdits): WorkspaceEdit {
  const support = supportOf(context.capabilities)
  const groups = groupBy(change.edits, edit => edit.path)
  if (!support.documentChanges) {
    const changes = [...groups].map(([path, edits]) => [
      context.session.uriOf(project, path),
      toEdits(project, path, edits),
    ])
    return { changes: Object.fromEntries(changes) }
  }
  const annotations = support.annotations ? (change.annotations ?? []) : []
  const known = new Set(annotations.map(({ id }) => id))
  const documentChanges: NonNullable<WorkspaceEdit['documentChanges']> = []
  if (support.create) {
    for (const { path, text } of change.creates ?? []) {
      const uri = context.session.uriOf(project, path)
      documentChanges.push(CreateFile.create(uri, { ignoreIfExists: true }))
      const beginning = { line: 0, character: 0 }
      documentChanges.push(
        TextDocumentEdit.create({ uri, version: null }, [LspTextEdit.insert(beginning, text)]),
      )
    }
  }
  for (const [path, edits] of groups) {
    const uri = context.session.uriOf(project, path)
    const version = context.versionOf(uri) ?? null
    const changes = toEdits(project, path, edits, known)
    documentChanges.push(TextDocumentEdit.create({ uri, version }, changes))
  }
  if (support.rename) {
    for (const { from, to } of change.files ?? []) {
      const [oldUri, newUri] = [context.session.uriOf(project, from), context.session.uriOf(project, to)]
      documentChanges.push(RenameFile.create(oldUri, newUri))
    }
  }
  const changeAnnotations = Object.fromEntries(
    annotations.map(({ id, label, description }) => [id, { label, needsConfirmation, description }]),
  )
  return annotations.length === 0 ? { documentChanges } : { documentChanges, changeAnnotations }
}

/** Returns whether a client can create and rename files as part of an edit. */
export function supportOf({ workspace }: ClientCapabilities) {
  const { documentChanges, changeAnnotationSupport, resourceOperations = [] } = workspace?.workspaceEdit ?? {}
  return {
    documentChanges: documentChanges === true,
    annotations: changeAnnotationSupport !== undefined,
    create: resourceOperations.includes('create'),
    rename: resourceOperations.includes('rename'),
  }
}

function toEdits(
  project: LiveProject,
  path: string,
  edits: ProjectEdits['edits'],
  annotations: ReadonlySet<string> = new Set(),
): (LspTextEdit | AnnotatedTextEdit)[] {
  const text = project.textOf(path) ?? ''
  return edits.map(({ range, newText, annotation }) => {
    const edit = LspTextEdit.replace(rangeAt(text, range), newText)
    return annotation !== undefined && annotations.has(annotation)
      ? { ...edit, annotationId: annotation }
      : edit
  })
}
