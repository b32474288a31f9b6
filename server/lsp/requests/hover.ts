/** Hover. */
import { type Hover, MarkupKind, type Position } from 'vscode-languageserver'
import { hoverAt } from '../../language/features/hover/hover-at.ts'
import { type Asked, guarded, withFunctions } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const hoverFeature: Feature = {
  capabilities: () => ({ hoverProvider: true }),
  register(context) {
    context.connection.onHover(
      guarded(context, 'textDocument/hover', async ({ textDocument, position }): Promise<Hover | null> => {
        const found = await withFunctions(context, textDocument.uri, asked => hoverOf(asked, position))
        return found ?? null
      }),
    )
  },
}

function hoverOf({ knowledge, path, text }: Asked, position: Position): Hover | undefined {
  const found = hoverAt(knowledge, path, offsetAt(text, position))
  if (found === undefined) return undefined
  return {
    contents: { kind: MarkupKind.Markdown, value: found.markdown },
    range: rangeAt(text, found.range),
  }
}
