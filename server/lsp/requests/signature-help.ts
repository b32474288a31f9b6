/** Signature help. */
import { MarkupKind, type SignatureHelp, type SignatureInformation } from 'vscode-languageserver'
import { type Signature, signatureHelpAt } from '../../language/features/signature-help.ts'
import { guarded, withFunctions } from '../context.ts'
import { offsetAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'

export const signatureFeature: Feature = {
  capabilities: () => ({
    signatureHelpProvider: { triggerCharacters: ['(', ','], retriggerCharacters: [')'] },
  }),
  register(context) {
    context.connection.onSignatureHelp(
      guarded(
        context,
        'textDocument/signatureHelp',
        async ({ textDocument, position }): Promise<SignatureHelp | null> => {
          const help = await withFunctions(context, textDocument.uri, ({ knowledge, path, text }) =>
            signatureHelpAt(knowledge, path, offsetAt(text, position)),
          )
          if (help === undefined) return null
          const active = help.signatures[0]?.activeParameter
          return {
            signatures: help.signatures.map(toLspSignature),
            activeSignature: 0,
            ...(active !== undefined && { activeParameter: active }),
          }
        },
      ),
    )
  },
}

function toLspSignature({
  label,
  documentation,
  parameters,
  activeParameter,
}: Signature): SignatureInformation {
  return {
    label,
    ...(documentation !== '' && { documentation: { kind: MarkupKind.Markdown, value: documentation } }),
    parameters: parameters.map(({ start, end }) => ({ label: [start, end] })),
    ...(activeParameter !== undefined && { activeParameter }),
  }
}
