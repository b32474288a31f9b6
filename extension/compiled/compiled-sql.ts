/**
 * Shows the compiled SQL beside its source. It follows every edit, and the cursor in both directions. The
 * server compiles the SQL.
 */

import { type CompiledSqlParams, type CompiledSqlResult, compiledSqlRequest } from '@svc/server/protocol'
import {
  EventEmitter,
  type ExtensionContext,
  Range,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
  TextEditorRevealType,
  ThemeColor,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode'
import type { Services } from '../commands/command.ts'
import { languageId } from '../contributions.ts'
import { messageOf } from '../first-error.ts'
import { toCompiled, toSource } from './positions.ts'

const scheme = 'svc-compiled'
/** The delay while the user is typing. */
const settleMs = 120

export interface CompiledSql {
  show(source: Uri): Promise<void>
}

type CompiledSqlNeeds = Pick<Services, 'server' | 'projects' | 'environments'>

function cursorLineMark() {
  return window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor('editor.rangeHighlightBackground'),
    // High-contrast themes have no such background.
    border: '1px solid',
    borderColor: new ThemeColor('editor.lineHighlightBorder'),
  })
}

export function createCompiledSql({ subscriptions }: ExtensionContext, needs: CompiledSqlNeeds): CompiledSql {
  const changes = new EventEmitter<Uri>()
  const known = new Map<string, CompiledSqlResult>()
  const timers = new Map<string, NodeJS.Timeout>()
  const mark = cursorLineMark()

  async function contentOf(compiled: Uri): Promise<string> {
    const uri = sourceOf(compiled)
    try {
      const result = await compile(uri, needs)
      known.set(uri, result)
      return result.sql ?? `-- ${result.reason ?? 'This file has no SQL to compile.'}\n`
    } catch (error) {
      known.delete(uri)
      return `-- ${messageOf(error)}\n`
    }
  }

  /** Only open documents are compiled again. */
  function follow(source: Uri): void {
    const uri = source.toString()
    if (!workspace.textDocuments.some(document => isCompiledOf(document, uri))) return
    clearTimeout(timers.get(uri))
    timers.set(
      uri,
      setTimeout(() => changes.fire(compiledUri(source)), settleMs),
    )
  }

  function followAll(): void {
    for (const { document } of window.visibleTextEditors) follow(document.uri)
  }

  function followCursor(editor: TextEditor): void {
    const result = known.get(sourceUriOf(editor))
    if (result !== undefined) markPlace(mark, result, editor)
  }

  subscriptions.push(
    changes,
    mark,
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changes.event,
      provideTextDocumentContent: contentOf,
    }),
    workspace.onDidChangeTextDocument(({ document }) => follow(document.uri)),
    workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === scheme) known.delete(sourceOf(uri))
    }),
    // The meaning of a ref can change with another file, or with the environment.
    needs.projects.onDidChange(followAll),
    needs.environments.onDidChange(followAll),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      // Replacing the text moves the cursor in it, which must not count as a move of the user.
      if (textEditor === window.activeTextEditor) followCursor(textEditor)
    }),
    { dispose: () => timers.forEach(timer => void clearTimeout(timer)) },
  )

  return {
    async show(source) {
      await showBeside(compiledUri(source))
      const editor = window.visibleTextEditors.find(
        each => each.document.uri.toString() === source.toString(),
      )
      if (editor !== undefined && editor.document.languageId === languageId) followCursor(editor)
    },
  }
}

function compile(
  uri: string,
  { server, projects, environments }: CompiledSqlNeeds,
): Promise<CompiledSqlResult> {
  const root = projects.projectOf(uri)?.root
  const environment = root === undefined ? undefined : environments.of(root)
  const parameters: CompiledSqlParams = { uri, ...(environment !== undefined && { environment }) }
  return server.request<CompiledSqlResult>(compiledSqlRequest, parameters)
}

/** Marks the corresponding place in the editor beside it. */
function markPlace(mark: TextEditorDecorationType, result: CompiledSqlResult, editor: TextEditor): void {
  const other = otherOf(editor)
  if (other === undefined) return
  const placeOf = isCompiled(editor) ? sourcePlace : compiledPlace
  const place = placeOf(result, editor, other)
  other.setDecorations(mark, place === undefined ? [] : [place])
  editor.setDecorations(mark, [])
  if (place !== undefined) other.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport)
}

async function showBeside(uri: Uri): Promise<void> {
  const document = await workspace.openTextDocument(uri)
  const options = { viewColumn: ViewColumn.Beside, preserveFocus: true, preview: false }
  await window.showTextDocument(document, options)
}

function isCompiled({ document }: TextEditor): boolean {
  return document.uri.scheme === scheme
}

function sourceUriOf(editor: TextEditor): string {
  const { uri } = editor.document
  return isCompiled(editor) ? sourceOf(uri) : uri.toString()
}

/** Returns the visible editor of the compiled SQL for a source, or of the source for compiled SQL. */
function otherOf(editor: TextEditor): TextEditor | undefined {
  const uri = sourceUriOf(editor)
  return window.visibleTextEditors.find(each =>
    isCompiled(editor) ? each.document.uri.toString() === uri : isCompiledOf(each.document, uri),
  )
}

/** The name ends in .sql for syntax colouring; the query part holds the source's address. */
function compiledUri(source: Uri): Uri {
  const path = source.path.replace(/\.svc$/, '') || '/untitled'
  return Uri.from({ scheme, path: `${path}.compiled.sql`, query: source.toString() })
}

function sourceOf(compiled: Uri): string {
  return compiled.query
}

function isCompiledOf({ uri }: TextDocument, source: string): boolean {
  return uri.scheme === scheme && sourceOf(uri) === source
}

function compiledPlace(result: CompiledSqlResult, from: TextEditor, to: TextEditor): Range | undefined {
  const offset = toCompiled(result.map, linesOf(from), from.selection.active)
  if (offset === undefined) return undefined
  return lineOf(to.document.positionAt(offset).line)
}

function sourcePlace(result: CompiledSqlResult, from: TextEditor, to: TextEditor): Range | undefined {
  const offset = from.document.offsetAt(from.selection.active)
  const place = toSource(result.map, linesOf(to), offset)
  return place === undefined ? undefined : lineOf(place.line)
}

/** Whole lines are marked, so that the other side does not scroll sideways. */
function lineOf(line: number): Range {
  return new Range(line, 0, line, 0)
}

function linesOf({ document }: TextEditor): readonly string[] {
  return document.getText().split(/\r?\n/)
}
