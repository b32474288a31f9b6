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
import { type Asked, askedOf, guarded } from '../context.ts'
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
          const asked = askedOf(context, textDocument.uri)
          if (asked === undefined) return null
          const options = await optionsFor(asked)
          return token.isCancellationRequested ? null : toEdits(asked.text, formatEdits(asked.text, options))
        },
      ),
    )
    connection.onDocumentRangeFormatting(
      guarded(context, 'textDocument/rangeFormatting', async ({ textDocument, range }, token) => {
        const asked = askedOf(context, textDocument.uri)
        if (asked === undefined) return null
        const options = await optionsFor(asked)
        if (token.isCancellationRequested) return null
        return toEdits(asked.text, formatRangeEdits(asked.text, offsetsOf(asked.text, range), options))
      }),
    )
  },
}

async function optionsFor({ path, text, knowledge }: Asked): Promise<FormatOptions> {
  const kind = documentKind(basename(path))
  const python = kind === 'asset' && hasPython(text) ? await openPython() : undefined
  return { kind, engine: knowledge.project.engine, python }
}

function toEdits(text: string, edits: readonly FormatEdit[] | undefined): TextEdit[] | null {
  return edits?.map(({ range, newText }) => ({ range: rangeAt(text, range), newText })) ?? null
}
