/** Code actions: quick fixes, refactorings, and all certain fixes of a file at once. */
import { CodeActionKind, type CodeAction as LspCodeAction } from 'vscode-languageserver'
import type { ActionKind, CodeAction } from '../../language/features/actions/code-action.ts'
import { codeActions, fixAll } from '../../language/features/actions/code-actions.ts'
import { type Context, cancelled, documentOf, guarded, type RequestedDocument } from '../context.ts'
import { toLspDiagnostic } from '../convert/diagnostics.ts'
import { offsetsOf } from '../convert/positions.ts'
import { supportOf, toWorkspaceEdit } from '../convert/workspace-edits.ts'
import type { Feature } from '../feature.ts'

const kinds: Readonly<Record<ActionKind, CodeActionKind>> = {
  quickfix: CodeActionKind.QuickFix,
  'refactor.extract': CodeActionKind.RefactorExtract,
  'refactor.rewrite': CodeActionKind.RefactorRewrite,
  'source.fixAll': CodeActionKind.SourceFixAll,
}

export const codeActionFeature: Feature = {
  capabilities: () => ({ codeActionProvider: { codeActionKinds: Object.values(kinds) } }),
  register(context) {
    context.connection.onCodeAction(
      guarded(
        context,
        'textDocument/codeAction',
        async ({ textDocument, range, context: { only } }, token) => {
          const home = context.session.homeOf(textDocument.uri)
          // The squiggles that a person sees may be of the text before: fixes come from the checks of this one.
          await home?.project.settled(home.path)
          if (token.isCancellationRequested) throw cancelled()
          const document = documentOf(context, textDocument.uri)
          if (document === undefined) return []
          const actions = wantsFixAll(only)
            ? [fixAll(document.knowledge, document.path)]
            : codeActions(document.knowledge, document.path, offsetsOf(document.text, range))
          return actions
            .filter(action => action !== undefined)
            .filter(action => isWanted(only, kinds[action.kind]))
            .flatMap(action => toLspAction(context, document, action) ?? [])
        },
      ),
    )
  },
}

/** Returns whether "fix all" was requested by its kind: on save, or from the menu of source actions. */
function wantsFixAll(only: readonly CodeActionKind[] | undefined): boolean {
  return only?.some(kind => kind === 'source' || kind.startsWith(CodeActionKind.SourceFixAll)) ?? false
}

function isWanted(only: readonly CodeActionKind[] | undefined, kind: CodeActionKind): boolean {
  return only === undefined || only.some(each => kind === each || kind.startsWith(`${each}.`))
}

/** Returns undefined if the client cannot create the files of the action. */
function toLspAction(
  context: Context,
  document: RequestedDocument,
  action: CodeAction,
): LspCodeAction | undefined {
  const { project, text } = document
  const { title, kind, diagnostic, edits, creates, preferred } = action
  if (creates.length > 0 && !supportOf(context.capabilities).create) return undefined
  const { session, capabilities } = context
  const repaired =
    diagnostic &&
    toLspDiagnostic(diagnostic, {
      text,
      textOf: path => project.textOf(path),
      uriOf: path => session.uriOf(project, path),
      capabilities,
    })
  return {
    title,
    kind: kinds[kind],
    edit: toWorkspaceEdit(context, project, { edits, creates }),
    ...(repaired !== undefined && { diagnostics: [repaired] }),
    ...(preferred && { isPreferred: true }),
  }
}
