/** Converts the published diagnostics of a file to LSP. */
import type { Diagnostic as LspDiagnostic } from 'vscode-languageserver'
import type { Context } from '../context.ts'
import { toLspDiagnostic } from '../convert/diagnostics.ts'
import type { LiveProject } from '../project/live-project.ts'

export interface FileReport {
  readonly uri: string
  readonly resultId: string
  readonly items: readonly LspDiagnostic[]
}

export const nothingToTell = 'none'

export function reportOf(
  context: Pick<Context, 'session' | 'capabilities'>,
  project: LiveProject,
  path: string,
): FileReport {
  const { session, capabilities } = context
  const uriOf = (other: string) => session.uriOf(project, other)
  const told = project.published.of(path)
  if (told === undefined) return { uri: uriOf(path), resultId: nothingToTell, items: [] }
  const textOf = (other: string) => (other === path ? told.text() : project.textOf(other))
  const text = told.diagnostics.length === 0 ? '' : told.text()
  const items = told.diagnostics.map(each => toLspDiagnostic(each, { text, textOf, uriOf, capabilities }))
  return { uri: uriOf(path), resultId: `${project.id}-${told.resultId}`, items }
}
