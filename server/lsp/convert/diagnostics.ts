/** Converts a diagnostic to LSP with the same code, message and range that `svc validate` prints. */
import {
  type ClientCapabilities,
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic as LspDiagnostic,
} from 'vscode-languageserver'
import type { Diagnostic, Severity } from '../../language/index.ts'
import { rangeAt } from './positions.ts'

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
}

/** Codes of unused code, which editors show faded. */
const unnecessary: ReadonlySet<string> = new Set(['unused-source', 'python-f401', 'python-f841'])

export interface DiagnosticContext {
  /** The text of the file with the problem. */
  readonly text: string
  /** Returns the text of any file of the project; undefined if it was deleted. */
  readonly textOf: (path: string) => string | undefined
  readonly uriOf: (path: string) => string
  readonly capabilities: ClientCapabilities
}

export function toLspDiagnostic(diagnostic: Diagnostic, context: DiagnosticContext): LspDiagnostic {
  const related = relatedOf(diagnostic, context)
  const { code, hint, message } = diagnostic
  return {
    range: rangeAt(context.text, diagnostic.range),
    severity: severities[diagnostic.severity],
    code,
    source: 'svc',
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(related.length > 0 && { relatedInformation: related }),
    ...(unnecessary.has(code) && { tags: [DiagnosticTag.Unnecessary] }),
  }
}

function relatedOf({ related = [] }: Diagnostic, context: DiagnosticContext) {
  if (context.capabilities.textDocument?.publishDiagnostics?.relatedInformation === false) return []
  return related.flatMap(({ path, range, message }) => {
    const text = context.textOf(path)
    return text === undefined
      ? []
      : [{ location: { uri: context.uriOf(path), range: rangeAt(text, range) }, message }]
  })
}
