/** Folding ranges, selection ranges, and links. */
import { FoldingRangeKind, SelectionRange } from 'vscode-languageserver'
import { documentLinks } from '../../language/features/document-links.ts'
import { foldings } from '../../language/features/folding.ts'
import { selectionRanges } from '../../language/features/selection-ranges.ts'
import { aboutDocument } from '../context.ts'
import { uriOf } from '../convert/paths.ts'
import { offsetAt, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const foldingFeature: Feature = {
  capabilities: () => ({ foldingRangeProvider: true }),
  register(context) {
    context.connection.onFoldingRanges(
      aboutDocument(context, 'textDocument/foldingRange', [], ({ knowledge, path }) =>
        foldings(knowledge, path).map(({ firstLine, lastLine, kind }) => ({
          startLine: firstLine - 1,
          endLine: lastLine - 1,
          kind: kind === 'comment' ? FoldingRangeKind.Comment : FoldingRangeKind.Region,
        })),
      ),
    )
  },
}

export const selectionFeature: Feature = {
  capabilities: () => ({ selectionRangeProvider: true }),
  register(context) {
    context.connection.onSelectionRanges(
      aboutDocument(
        context,
        'textDocument/selectionRange',
        null,
        ({ knowledge, path, text }, { positions }) =>
          positions.map(position => {
            const ranges = selectionRanges(knowledge, path, offsetAt(text, position))
            const outside = ranges.reduceRight<SelectionRange | undefined>(
              (parent, range) => SelectionRange.create(rangeAt(text, range), parent),
              undefined,
            )
            return outside ?? SelectionRange.create({ start: position, end: position })
          }),
      ),
    )
  },
}

export const linkFeature: Feature = {
  capabilities: () => ({ documentLinkProvider: { resolveProvider: false } }),
  register(context) {
    context.connection.onDocumentLinks(
      aboutDocument(context, 'textDocument/documentLink', [], ({ knowledge, path, text, project }) =>
        documentLinks(knowledge, path).map(link => ({
          range: rangeAt(text, link.range),
          target: link.kind === 'web' ? link.url : uriOf(project.root, link.path),
        })),
      ),
    )
  },
}
