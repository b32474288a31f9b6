/** Inlay hints. */
import { InlayHintKind } from 'vscode-languageserver'
import { inlayHintsIn } from '../../language/features/inlay-hints.ts'
import { documentOf, guarded } from '../context.ts'
import { offsetsOf, positionAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const inlayHintFeature: Feature = {
  capabilities: () => ({ inlayHintProvider: true }),
  register(context) {
    context.connection.languages.inlayHint.on(
      guarded(context, 'textDocument/inlayHint', ({ textDocument, range }) => {
        const document = documentOf(context, textDocument.uri)
        if (document === undefined) return []
        return inlayHintsIn(document.knowledge, document.path, offsetsOf(document.text, range)).map(hint => ({
          position: positionAt(document.text, hint.offset),
          label: hint.label,
          ...(hint.kind === 'type' && { kind: InlayHintKind.Type }),
          paddingLeft: true,
          ...(hint.tooltip !== undefined && { tooltip: hint.tooltip }),
        }))
      }),
    )
  },
}
