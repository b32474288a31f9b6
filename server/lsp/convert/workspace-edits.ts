/** Converts edits of project files to one LSP workspace edit. */
import {
  type AnnotatedTextEdit,
  type ChangeAnnotation,
  type ClientCapabilities,
  CreateFile,
  type DocumentUri,
  TextEdit as LspTextEdit,
  RenameFile,
  TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver'
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
  readonly annotations?: readonly {
    readonly id: string
    readonly label: string
    readonly description?: string
    readonly needsConfirmation: boolean
  }[]
}

export function toWorkspaceEdit(context: Context, project: LiveProject, change: ProjectEdits): WorkspaceEdit {
  const support = supportOf(context.capabilities)
  const groups = groupBy(change.edits, edit => edit.path)
  if (!support.documentChanges) return { changes: plainChanges(context, project, groups) }
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
    const text = project.textOf(path) ?? ''
    const version = context.versionOf(uri) ?? null
    const changes = edits.map(edit => toEdit(text, edit, known))
    documentChanges.push(TextDocumentEdit.create({ uri, version }, changes))
  }
  if (support.rename) {
    for (const { from, to } of change.files ?? []) {
      const [oldUri, newUri] = [context.session.uriOf(project, from), context.session.uriOf(project, to)]
      documentChanges.push(RenameFile.create(oldUri, newUri))
    }
  }
  const changeAnnotations = Object.fromEntries(annotations.map(each => [each.id, annotationOf(each)]))
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

function toEdit(
  text: string,
  { range, newText, annotation }: ProjectEdits['edits'][number],
  known: ReadonlySet<string>,
): LspTextEdit | AnnotatedTextEdit {
  const edit = LspTextEdit.replace(rangeAt(text, range), newText)
  return annotation === undefined || !known.has(annotation) ? edit : { ...edit, annotationId: annotation }
}

function annotationOf(annotation: NonNullable<ProjectEdits['annotations']>[number]): ChangeAnnotation {
  const { label, description, needsConfirmation } = annotation
  return { label, needsConfirmation, ...(description !== undefined && { description }) }
}

function plainChanges(
  { session }: Context,
  project: LiveProject,
  groups: ReadonlyMap<string, readonly TextEdit[]>,
): Record<DocumentUri, LspTextEdit[]> {
  return Object.fromEntries(
    [...groups].map(([path, edits]) => {
      const text = project.textOf(path) ?? ''
      const changes = edits.map(({ range, newText }) => LspTextEdit.replace(rangeAt(text, range), newText))
      return [session.uriOf(project, path), changes]
    }),
  )
}
