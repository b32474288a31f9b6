/** Folding ranges, selection ranges, and links. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FoldingRangeKind, SelectionRange } from 'vscode-languageserver'
import { documentLinks } from '../../language/features/document-links.ts'
import { foldings } from '../../language/features/folding.ts'
import { selectionRanges } from '../../language/features/selection-ranges.ts'
import { documentOf, guarded } from '../context.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const foldingFeature: Feature = {
  capabilities: () => ({ foldingRangeProvider: true }),
  register(context) {
    context.connection.onFoldingRanges(
      guarded(context, 'textDocument/foldingRange', ({ textDocument }) => {
        const document = documentOf(context, textDocument.uri)
        if (document === undefined) return []
        return foldings(document.knowledge, document.path).map(({ firstLine, lastLine, kind }) => ({
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
        const document = documentOf(context, textDocument.uri)
        if (document === undefined) return null
        return positions.map(position => {
          const ranges = selectionRanges(document.knowledge, document.path, offsetAt(document.text, position))
          const outside = ranges.reduceRight<SelectionRange | undefined>(
            (parent, range) => SelectionRange.create(rangeAt(document.text, range), parent),
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
        const document = documentOf(context, textDocument.uri)
        if (document === undefined) return []
        return documentLinks(document.knowledge, document.path).map(link => ({
          range: rangeAt(document.text, link.range),
          target: link.kind === 'web' ? link.url : pathToFileURL(join(document.project.root, link.path)).href,
        }))
      }),
    )
  },
}
