/** Inlay hints. */
import { InlayHintKind } from 'vscode-languageserver'
import { inlayHintsIn } from '../../language/features/inlay-hints.ts'
import { aboutDocument } from '../context.ts'
import { offsetsOf, positionAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const inlayHintFeature: Feature = {
  capabilities: () => ({ inlayHintProvider: true }),
  register(context) {
    context.connection.languages.inlayHint.on(
      aboutDocument(context, 'textDocument/inlayHint', [], ({ knowledge, path, text }, { range }) =>
        inlayHintsIn(knowledge, path, offsetsOf(text, range)).map(hint => ({
          position: positionAt(text, hint.offset),
          label: hint.label,
          ...(hint.kind === 'type' && { kind: InlayHintKind.Type }),
          paddingLeft: true,
          ...(hint.tooltip !== undefined && { tooltip: hint.tooltip }),
        })),
      ),
    )
  },
}
