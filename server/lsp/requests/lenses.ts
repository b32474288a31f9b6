/**
 * Code lenses above an asset. Only the extension has their commands; for other editors none are
 * sent.
 */
import type { Command, CodeLens as LspLens } from 'vscode-languageserver'
import { type CodeLens, codeLenses } from '../../language/features/code-lenses.ts'
import { aboutDocument } from '../context.ts'
import { rangeAt } from '../convert/positions.ts'
import type { Feature } from '../feature.ts'
import { type LensArgument, lensCommands } from '../protocol.ts'

export const lensFeature: Feature = {
  capabilities: (_client, isVsCode) => (isVsCode ? { codeLensProvider: { resolveProvider: false } } : {}),
  register(context) {
    if (!context.isVsCode) return
    context.connection.onCodeLens(
      aboutDocument(context, 'textDocument/codeLens', [], (document): LspLens[] => {
        if (document.project.isLoose) return []
        const about = { now: context.now().getTime(), isTrusted: context.isTrusted }
        return codeLenses(document.knowledge, document.path, about).map(lens => ({
          range: rangeAt(document.text, lens.range),
          command: commandOf(lens, document.uri),
        }))
      }),
    )
  },
}

function commandOf({ title, action, asset }: CodeLens, uri: string): Command {
  if (action === 'trust') return { title, command: 'workbench.trust.manage' }
  const argument: LensArgument = { asset, uri }
  return { title, command: lensCommands[action], arguments: [argument] }
}
