/** Semantic tokens: complete, for a range, and as the difference to the client's last ones. */
import { type SemanticTokens, SemanticTokensBuilder } from 'vscode-languageserver'
import {
  type SemanticToken,
  semanticTokenModifiers,
  semanticTokensIn,
  semanticTokenTypes,
} from '../../language/features/semantic-tokens.ts'
import { documentOf, guarded, type RequestedDocument } from '../context.ts'
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
      guarded(context, 'textDocument/semanticTokens/full', ({ textDocument }) => {
        const document = documentOf(context, textDocument.uri)
        if (document === undefined) return { data: [] }
        const builder = new SemanticTokensBuilder()
        builders.set(canonicalUri(textDocument.uri), builder)
        return build(builder, document)
      }),
    )
    semanticTokens.onDelta(
      guarded(context, 'textDocument/semanticTokens/full/delta', ({ textDocument, previousResultId }) => {
        const document = documentOf(context, textDocument.uri)
        if (document === undefined) return { data: [] }
        const builder = builders.get(canonicalUri(textDocument.uri)) ?? new SemanticTokensBuilder()
        builders.set(canonicalUri(textDocument.uri), builder)
        builder.previousResult(previousResultId)
        push(builder, document, semanticTokensIn(document.knowledge, document.path))
        return builder.buildEdits()
      }),
    )
    semanticTokens.onRange(
      guarded(context, 'textDocument/semanticTokens/range', ({ textDocument, range }) => {
        const document = documentOf(context, textDocument.uri)
        if (document === undefined) return { data: [] }
        const builder = new SemanticTokensBuilder()
        push(
          builder,
          document,
          semanticTokensIn(document.knowledge, document.path, offsetsOf(document.text, range)),
        )
        return builder.build()
      }),
    )
    context.session.onClose(uri => builders.delete(canonicalUri(uri)))
  },
}

function build(builder: SemanticTokensBuilder, document: RequestedDocument): SemanticTokens {
  push(builder, document, semanticTokensIn(document.knowledge, document.path))
  return builder.build()
}

function push(
  builder: SemanticTokensBuilder,
  { text }: RequestedDocument,
  tokens: readonly SemanticToken[],
): void {
  for (const { range, type, modifiers } of tokens) {
    const { line, character } = positionAt(text, range.start)
    const bits = modifiers.reduce((sum, modifier) => sum | (1 << semanticTokenModifiers.indexOf(modifier)), 0)
    builder.push(line, character, range.end - range.start, semanticTokenTypes.indexOf(type), bits)
  }
}
