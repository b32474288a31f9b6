/** "Fix with AI" beside the problems that svc shows in an asset. */
import {
  CodeAction,
  CodeActionKind,
  type Diagnostic,
  DiagnosticSeverity,
  languages,
  type Uri,
  workspace,
} from 'vscode'
import type { Services } from '../commands/command.ts'
import { commandIds, languageId } from '../contributions.ts'

/** What the command of the action gets. */
export interface FixArgument {
  readonly uri: string
  readonly error: string
}

export function offerFixes({ context }: Pick<Services, 'context'>): void {
  context.subscriptions.push(
    languages.registerCodeActionsProvider(
      { language: languageId, scheme: 'file' },
      {
        provideCodeActions: ({ uri }, _range, { diagnostics, only }) =>
          only !== undefined && !only.contains(CodeActionKind.QuickFix) ? [] : fixesOf(uri, diagnostics),
      },
      { providedCodeActionKinds: [CodeActionKind.QuickFix] },
    ),
  )
}

/** Nothing true can be told of a file that is no YAML (`yaml-…`), so no model is asked about it. */
function fixesOf(uri: Uri, diagnostics: readonly Diagnostic[]): CodeAction[] {
  const ours = diagnostics.filter(
    ({ source, severity, code }) =>
      source === languageId && severity <= DiagnosticSeverity.Warning && !nameOf(code).startsWith('yaml-'),
  )
  const [first] = ours
  if (first === undefined || !workspace.isTrusted) return []
  const action = new CodeAction('Fix with AI', CodeActionKind.QuickFix)
  action.diagnostics = [...ours]
  const argument: FixArgument = { uri: uri.toString(), error: ours.map(textOf).join('\n') }
  action.command = { command: commandIds.aiFix, title: action.title, arguments: [argument] }
  return [action]
}

function textOf({ code, message, range }: Diagnostic): string {
  return `line ${range.start.line + 1}: ${nameOf(code)} ${message}`
}

function nameOf(code: Diagnostic['code']): string {
  return String(typeof code === 'object' ? code.value : (code ?? ''))
}
