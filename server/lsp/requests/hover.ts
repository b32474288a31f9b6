/** Hover. */
import { type Hover, MarkupKind, type Position } from 'vscode-languageserver'
import { hoverAt } from '../../language/features/hover/hover-at.ts'
import { guarded, type RequestedDocument, withFunctions } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const hoverFeature: Feature = {
  capabilities: () => ({ hoverProvider: true }),
  register(context) {
    context.connection.onHover(
      guarded(context, 'textDocument/hover', async ({ textDocument, position }): Promise<Hover | null> => {
        const hover = await withFunctions(context, textDocument.uri, document => hoverOf(document, position))
        return hover ?? null
      }),
    )
  },
}

function hoverOf({ knowledge, path, text }: RequestedDocument, position: Position): Hover | undefined {
  const hover = hoverAt(knowledge, path, offsetAt(text, position))
  if (hover === undefined) return undefined
  return {
    contents: { kind: MarkupKind.Markdown, value: hover.markdown },
    range: rangeAt(text, hover.range),
  }
}
