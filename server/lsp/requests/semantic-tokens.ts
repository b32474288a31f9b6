/** Semantic tokens: complete, for a range, and as the difference to the client's last ones. */
import { SemanticTokensBuilder } from 'vscode-languageserver'
import {
  semanticTokenModifiers,
  semanticTokensIn,
  semanticTokenTypes,
} from '../../language/features/semantic-tokens.ts'
import type { Range } from '../../language/index.ts'
import { aboutDocument, type RequestedDocument } from '../context.ts'
import { canonicalUri } from '../convert/paths.ts'
import { offsetsOf, positionAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const semanticTokensFeature: Feature = {
  capabilities: client =>
    client.textDocument?.semanticTokens === undefined
      ? {}
      : {
          semanticTokensProvider: {
            legend: { tokenTypes: [...semanticTokenTypes], tokenModifiers: [...semanticTokenModifiers] },
            full: { delta: true },
            range: true,
          },
        },
  register(context) {
    const { semanticTokens } = context.connection.languages
    /** The builders that compute differences; one per document. */
    const builders = new Map<string, SemanticTokensBuilder>()
    semanticTokens.on(
      aboutDocument(context, 'textDocument/semanticTokens/full', { data: [] }, document => {
        const builder = new SemanticTokensBuilder()
        builders.set(canonicalUri(document.uri), builder)
        push(builder, document)
        return builder.build()
      }),
    )
    semanticTokens.onDelta(
      aboutDocument(
        context,
        'textDocument/semanticTokens/full/delta',
        { data: [] },
        (document, { previousResultId }) => {
          const uri = canonicalUri(document.uri)
          const builder = builders.get(uri) ?? new SemanticTokensBuilder()
          builders.set(uri, builder)
          builder.previousResult(previousResultId)
          push(builder, document)
          return builder.buildEdits()
        },
      ),
    )
    semanticTokens.onRange(
      aboutDocument(context, 'textDocument/semanticTokens/range', { data: [] }, (document, { range }) => {
        const builder = new SemanticTokensBuilder()
        push(builder, document, offsetsOf(document.text, range))
        return builder.build()
      }),
    )
    context.session.onClose(uri => builders.delete(canonicalUri(uri)))
  },
}

function push(
  builder: SemanticTokensBuilder,
  { knowledge, path, text }: RequestedDocument,
  part?: Range,
): void {
  for (const { range, type, modifiers } of semanticTokensIn(knowledge, path, part)) {
    const { line, character } = positionAt(text, range.start)
    const bits = modifiers.reduce((sum, modifier) => sum | (1 << semanticTokenModifiers.indexOf(modifier)), 0)
    builder.push(line, character, range.end - range.start, semanticTokenTypes.indexOf(type), bits)
  }
}
