/** Definition, references and highlights. */
import {
  type DefinitionLink,
  DocumentHighlightKind,
  type Location,
  type LocationLink,
  type Position,
} from 'vscode-languageserver'
import { definition } from '../../language/features/definition.ts'
import { highlights } from '../../language/features/highlights.ts'
import type { Place, Target } from '../../language/features/places.ts'
import { references } from '../../language/features/references.ts'
import { type Context, documentOf, guarded, type RequestedDocument } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const definitionFeature: Feature = {
  capabilities: () => ({ definitionProvider: true }),
  register(context) {
    const links = context.capabilities.textDocument?.definition?.linkSupport === true
    context.connection.onDefinition(
      guarded(
        context,
        'textDocument/definition',
        ({ textDocument, position }): Location[] | DefinitionLink[] => {
          const document = documentOf(context, textDocument.uri)
          if (document === undefined) return []
          const definitions = definition(document.knowledge, document.path, offsetAt(document.text, position))
          if (definitions === undefined) return []
          const origin = rangeAt(document.text, definitions.origin)
          const targets = definitions.targets.flatMap(target => linkTo(context, document, target) ?? [])
          return links
            ? targets.map(target => ({ ...target, originSelectionRange: origin }))
            : targets.map(({ targetUri, targetSelectionRange }) => ({
                uri: targetUri,
                range: targetSelectionRange,
              }))
        },
      ),
    )
  },
}

export const referencesFeature: Feature = {
  capabilities: () => ({ referencesProvider: true }),
  register(context) {
    context.connection.onReferences(
      guarded(
        context,
        'textDocument/references',
        ({ textDocument, position, context: { includeDeclaration } }) => {
          const document = documentOf(context, textDocument.uri)
          if (document === undefined) return []
          const options = { withDefinition: includeDeclaration }
          const places = references(
            document.knowledge,
            document.path,
            offsetAt(document.text, position),
            options,
          )
          return places.flatMap(place => locationOf(context, document, place) ?? [])
        },
      ),
    )
  },
}

export const highlightFeature: Feature = {
  capabilities: () => ({ documentHighlightProvider: true }),
  register(context) {
    const find = (document: RequestedDocument, position: Position) =>
      highlights(document.knowledge, document.path, offsetAt(document.text, position)).map(
        ({ range, kind }) => ({
          range: rangeAt(document.text, range),
          kind: kind === 'write' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
        }),
      )
    context.connection.onDocumentHighlight(
      guarded(context, 'textDocument/documentHighlight', ({ textDocument, position }) => {
        const document = documentOf(context, textDocument.uri)
        return document === undefined ? [] : find(document, position)
      }),
    )
  },
}

function linkTo(
  { session }: Context,
  { project }: RequestedDocument,
  target: Target,
): LocationLink | undefined {
  const text = project.textOf(target.path)
  if (text === undefined) return undefined
  return {
    targetUri: session.uriOf(project, target.path),
    targetRange: rangeAt(text, target.fullRange),
    targetSelectionRange: rangeAt(text, target.range),
  }
}

/** Returns undefined for a file that was deleted. */
function locationOf(
  { session }: Context,
  { project }: RequestedDocument,
  { path, range }: Place,
): Location | undefined {
  const text = project.textOf(path)
  return text === undefined ? undefined : { uri: session.uriOf(project, path), range: rangeAt(text, range) }
}
