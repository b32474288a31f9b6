/** Opens, changes and restores the documents of the project, as a person at the keyboard does. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import {
  commands,
  type Diagnostic,
  languages,
  type Position,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode'
import { until } from './until.ts'

export function folder(index = 0): string {
  return workspace.workspaceFolders?.[index]?.uri.fsPath ?? ''
}

export function fileUri(path: string): Uri {
  return Uri.file(join(folder(), path))
}

export async function open(path: string): Promise<TextDocument> {
  const document = await workspace.openTextDocument(fileUri(path))
  await window.showTextDocument(document)
  return document
}

/** Behind the first place of a text; with `at`, that many characters into it. */
export function behind(document: TextDocument, text: string, at = text.length): Position {
  const offset = document.getText().indexOf(text)
  assert.notEqual(offset, -1, `the document has no "${text}"`)
  return document.positionAt(offset + at)
}

/** Puts a text in the place of another, unsaved. */
export async function replace(document: TextDocument, old: string, text: string): Promise<void> {
  const start = behind(document, old, 0)
  const edit = new WorkspaceEdit()
  edit.replace(document.uri, new Range(start, behind(document, old)), text)
  assert.ok(await workspace.applyEdit(edit), 'the edit was applied')
}

export async function revert(document: TextDocument): Promise<void> {
  await until('its editor, which another one that opens can overtake', async () => {
    try {
      return await window.showTextDocument(document)
    } catch {
      return undefined
    }
  })
  await commands.executeCommand('workbench.action.files.revert')
  await until('the text of the file', () => !document.isDirty)
}

export function problemsOf(document: TextDocument): readonly Diagnostic[] {
  return languages.getDiagnostics(document.uri)
}

export function problem(document: TextDocument, words: string): Promise<Diagnostic> {
  return until(`a problem that says "${words}"`, () =>
    problemsOf(document).find(({ message }) => message.includes(words)),
  )
}

export async function noProblem(document: TextDocument): Promise<void> {
  try {
    await until('a document without a problem', () => problemsOf(document).length === 0)
  } catch (error) {
    const left = problemsOf(document).map(({ message, range }) => `${range.start.line + 1}: ${message}`)
    throw new Error(`${document.uri.fsPath} still has: ${left.join('; ')}`, { cause: error })
  }
}

/** What a provider of the editor gives at a place. */
export function ask<T>(provider: string, ...parameters: unknown[]): Promise<T> {
  return Promise.resolve(commands.executeCommand<T>(`vscode.${provider}`, ...parameters))
}
