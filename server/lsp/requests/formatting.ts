/** Formatting of a document or a range, as in `svc fmt`. */
import { basename } from 'node:path/posix'
import type { TextEdit } from 'vscode-languageserver'
import {
  documentKind,
  type FormatEdit,
  type FormatOptions,
  formatEdits,
  formatRangeEdits,
  hasPython,
} from '../../language/format/index.ts'
import { openPython } from '../../python/index.ts'
import { documentOf, guarded, type RequestedDocument } from '../context.ts'
import { offsetsOf, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const formattingFeature: Feature = {
  capabilities: () => ({ documentFormattingProvider: true, documentRangeFormattingProvider: true }),
  register(context) {
    const { connection } = context
    connection.onDocumentFormatting(
      guarded(
        context,
        'textDocument/formatting',
        async ({ textDocument }, token): Promise<TextEdit[] | null> => {
          const document = documentOf(context, textDocument.uri)
          if (document === undefined || isOfMacros(document)) return null
          const options = await optionsFor(document)
          return token.isCancellationRequested
            ? null
            : toEdits(document.text, formatEdits(document.text, options))
        },
      ),
    )
    connection.onDocumentRangeFormatting(
      guarded(context, 'textDocument/rangeFormatting', async ({ textDocument, range }, token) => {
        const document = documentOf(context, textDocument.uri)
        if (document === undefined || isOfMacros(document)) return null
        const options = await optionsFor(document)
        if (token.isCancellationRequested) return null
        return toEdits(
          document.text,
          formatRangeEdits(document.text, offsetsOf(document.text, range), options),
        )
      }),
    )
  },
}

/** How macros are laid out is the author's. */
function isOfMacros({ path, knowledge }: RequestedDocument): boolean {
  return knowledge.project.macros.files.has(path)
}

async function optionsFor({ path, text, knowledge }: RequestedDocument): Promise<FormatOptions> {
  const kind = documentKind(basename(path))
  const python = kind === 'asset' && hasPython(text) ? await openPython() : undefined
  return { kind, engine: knowledge.project.engine, python }
}

function toEdits(text: string, edits: readonly FormatEdit[] | undefined): TextEdit[] | null {
  return edits?.map(({ range, newText }) => ({ range: rangeAt(text, range), newText })) ?? null
}
