/** What is under the cursor. */
import { MarkupKind } from 'vscode-languageserver'
import { hoverAt } from '../../language/features/hover/hover-at.ts'
import { askedOf, guarded } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const hoverFeature: Feature = {
  capabilities: () => ({ hoverProvider: true }),
  register(context) {
    context.connection.onHover(
      guarded(context, 'textDocument/hover', async ({ textDocument, position }) => {
        await context.functionsRead()
        const asked = askedOf(context, textDocument.uri)
        const found = asked && hoverAt(asked.knowledge, asked.path, offsetAt(asked.text, position))
        if (asked === undefined || found === undefined) return null
        return {
          contents: { kind: MarkupKind.Markdown, value: found.markdown },
          range: rangeAt(asked.text, found.range),
        }
      }),
    )
  },
}
