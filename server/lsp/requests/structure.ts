/** Folding ranges, selection ranges, and links. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FoldingRangeKind, SelectionRange } from 'vscode-languageserver'
import { documentLinks } from '../../language/features/document-links.ts'
import { foldings } from '../../language/features/folding.ts'
import { selectionRanges } from '../../language/features/selection-ranges.ts'
import { askedOf, guarded } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const foldingFeature: Feature = {
  capabilities: () => ({ foldingRangeProvider: true }),
  register(context) {
    context.connection.onFoldingRanges(
      guarded(context, 'textDocument/foldingRange', ({ textDocument }) => {
        const asked = askedOf(context, textDocument.uri)
        if (asked === undefined) return []
        return foldings(asked.knowledge, asked.path).map(({ firstLine, lastLine, kind }) => ({
          startLine: firstLine - 1,
          endLine: lastLine - 1,
          kind: kind === 'comment' ? FoldingRangeKind.Comment : FoldingRangeKind.Region,
        }))
      }),
    )
  },
}

export const selectionFeature: Feature = {
  capabilities: () => ({ selectionRangeProvider: true }),
  register(context) {
    context.connection.onSelectionRanges(
      guarded(context, 'textDocument/selectionRange', ({ textDocument, positions }) => {
        const asked = askedOf(context, textDocument.uri)
        if (asked === undefined) return null
        return positions.map(position => {
          const ranges = selectionRanges(asked.knowledge, asked.path, offsetAt(asked.text, position))
          const outside = ranges.reduceRight<SelectionRange | undefined>(
            (parent, range) => SelectionRange.create(rangeAt(asked.text, range), parent),
            undefined,
          )
          return outside ?? SelectionRange.create({ start: position, end: position })
        })
      }),
    )
  },
}

export const linkFeature: Feature = {
  capabilities: () => ({ documentLinkProvider: { resolveProvider: false } }),
  register(context) {
    context.connection.onDocumentLinks(
      guarded(context, 'textDocument/documentLink', ({ textDocument }) => {
        const asked = askedOf(context, textDocument.uri)
        if (asked === undefined) return []
        return documentLinks(asked.knowledge, asked.path).map(link => ({
          range: rangeAt(asked.text, link.range),
          target: link.kind === 'web' ? link.url : pathToFileURL(join(asked.project.root, link.path)).href,
        }))
      }),
    )
  },
}
