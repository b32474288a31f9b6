/** Texts that are in no file: the side of a change that is not written yet, and answers to read. */
import { type ExtensionContext, Uri, workspace } from 'vscode'

const virtualScheme = 'svc-proposal'

export type VirtualTexts = ReturnType<typeof createVirtualTexts>

export function createVirtualTexts({ subscriptions }: ExtensionContext) {
  const texts = new Map<string, string>()
  let last = 0
  subscriptions.push(
    workspace.registerTextDocumentContentProvider(virtualScheme, {
      provideTextDocumentContent: uri => texts.get(uri.toString()) ?? '',
    }),
  )
  return {
    put(path: string, text: string): Uri {
      last += 1
      const uri = Uri.from({ scheme: virtualScheme, path: `/${last}/${path}` })
      texts.set(uri.toString(), text)
      return uri
    },
    remove: (uri: Uri) => void texts.delete(uri.toString()),
  }
}
