/** Formatting of a document or a range, as in `svc fmt`. */
import { basename } from 'node:path/posix'
import type { CancellationToken, TextEdit } from 'vscode-languageserver'
import {
  documentKind,
  type FormatEdit,
  type FormatOptions,
  formatEdits,
  formatRangeEdits,
  hasPython,
} from '../../language/format/index.ts'
import { openPython } from '../../python/index.ts'
import { aboutDocument, type RequestedDocument } from '../context.ts'
import { offsetsOf, rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const formattingFeature: Feature = {
  capabilities: () => ({ documentFormattingProvider: true, documentRangeFormattingProvider: true }),
  register(context) {
    const { connection } = context
    connection.onDocumentFormatting(
      aboutDocument(context, 'textDocument/formatting', null, (document, _params, token) =>
        formatted(document, token, formatEdits),
      ),
    )
    connection.onDocumentRangeFormatting(
      aboutDocument(context, 'textDocument/rangeFormatting', null, (document, { range }, token) =>
        formatted(document, token, (text, options) =>
          formatRangeEdits(text, offsetsOf(text, range), options),
        ),
      ),
    )
  },
}

type Format = (text: string, options: FormatOptions) => readonly FormatEdit[] | undefined

async function formatted(
  document: RequestedDocument,
  token: CancellationToken,
  format: Format,
): Promise<TextEdit[] | null> {
  if (isOfMacros(document)) return null
  const { text } = document
  const options = await optionsFor(document)
  if (token.isCancellationRequested) return null
  return (
    format(text, options)?.map(({ range, newText }) => ({ range: rangeAt(text, range), newText })) ?? null
  )
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
