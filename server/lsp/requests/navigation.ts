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
import { type Asked, askedOf, type Context, guarded } from '../context.ts'
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
          const asked = askedOf(context, textDocument.uri)
          if (asked === undefined) return []
          const definitions = definition(asked.knowledge, asked.path, offsetAt(asked.text, position))
          if (definitions === undefined) return []
          const origin = rangeAt(asked.text, definitions.origin)
          const targets = definitions.targets.flatMap(target => linkTo(context, asked, target) ?? [])
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
          const asked = askedOf(context, textDocument.uri)
          if (asked === undefined) return []
          const options = { withDefinition: includeDeclaration }
          const places = references(asked.knowledge, asked.path, offsetAt(asked.text, position), options)
          return places.flatMap(place => locationOf(context, asked, place) ?? [])
        },
      ),
    )
  },
}

export const highlightFeature: Feature = {
  capabilities: () => ({ documentHighlightProvider: true }),
  register(context) {
    const find = (asked: Asked, position: Position) =>
      highlights(asked.knowledge, asked.path, offsetAt(asked.text, position)).map(({ range, kind }) => ({
        range: rangeAt(asked.text, range),
        kind: kind === 'write' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      }))
    context.connection.onDocumentHighlight(
      guarded(context, 'textDocument/documentHighlight', ({ textDocument, position }) => {
        const asked = askedOf(context, textDocument.uri)
        return asked === undefined ? [] : find(asked, position)
      }),
    )
  },
}

function linkTo({ session }: Context, { project }: Asked, target: Target): LocationLink | undefined {
  const text = project.textOf(target.path)
  if (text === undefined) return undefined
  return {
    targetUri: session.uriOf(project, target.path),
    targetRange: rangeAt(text, target.fullRange),
    targetSelectionRange: rangeAt(text, target.range),
  }
}

/** Returns undefined for a file that was deleted. */
export function locationOf(
  { session }: Context,
  { project }: Asked,
  { path, range }: Place,
): Location | undefined {
  const text = project.textOf(path)
  return text === undefined ? undefined : { uri: session.uriOf(project, path), range: rangeAt(text, range) }
}
