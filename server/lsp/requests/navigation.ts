/** Definition, references and highlights. */
import {
  type DefinitionLink,
  DocumentHighlightKind,
  type Location,
  type LocationLink,
} from 'vscode-languageserver'
import { definition } from '../../language/features/definition.ts'
import { highlights } from '../../language/features/highlights.ts'
import type { Target } from '../../language/features/places.ts'
import { referenceSteps, subjectsAt } from '../../language/features/references.ts'
import {
  aboutDocument,
  type Context,
  changedMeanwhile,
  isCurrent,
  type RequestedDocument,
} from '../context.ts'
import { locationOf } from '../convert/locations.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'
import { inTurns } from '../in-turns.ts'

export const definitionFeature: Feature = {
  capabilities: () => ({ definitionProvider: true }),
  register(context) {
    const links = context.capabilities.textDocument?.definition?.linkSupport === true
    context.connection.onDefinition(
      aboutDocument(
        context,
        'textDocument/definition',
        [],
        (document, { position }): Location[] | DefinitionLink[] => {
          const { knowledge, path, text } = document
          const definitions = definition(knowledge, path, offsetAt(text, position))
          if (definitions === undefined) return []
          const origin = rangeAt(text, definitions.origin)
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
      aboutDocument(
        context,
        'textDocument/references',
        [],
        async (document, { position, context: asked }, token) => {
          const { knowledge, path, text } = document
          const subjects = subjectsAt(knowledge, path, offsetAt(text, position))
          const steps = referenceSteps(knowledge, subjects, asked.includeDeclaration)
          const places = await inTurns(steps, token)
          if (!isCurrent(document)) throw changedMeanwhile()
          return places.flatMap(place => locationOf(context, document.project, place) ?? [])
        },
      ),
    )
  },
}

export const highlightFeature: Feature = {
  capabilities: () => ({ documentHighlightProvider: true }),
  register(context) {
    context.connection.onDocumentHighlight(
      aboutDocument(
        context,
        'textDocument/documentHighlight',
        [],
        ({ knowledge, path, text }, { position }) =>
          highlights(knowledge, path, offsetAt(text, position)).map(({ range, kind }) => ({
            range: rangeAt(text, range),
            kind: kind === 'write' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
          })),
      ),
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
