/** Texts that are in no file: the side of a change that is not written yet, and answers to read. */
import { type ExtensionContext, Uri, workspace } from 'vscode'

export const virtualScheme = 'svc-proposal'

export interface VirtualTexts {
  put(path: string, text: string): Uri
  remove(uri: Uri): void
}

export function createVirtualTexts({ subscriptions }: ExtensionContext): VirtualTexts {
  const texts = new Map<string, string>()
  let last = 0
  subscriptions.push(
    workspace.registerTextDocumentContentProvider(virtualScheme, {
      provideTextDocumentContent: uri => texts.get(uri.toString()) ?? '',
    }),
  )
  return {
    put(path, text) {
      last += 1
      const uri = Uri.from({ scheme: virtualScheme, path: `/${last}/${path}` })
      texts.set(uri.toString(), text)
      return uri
    },
    remove: uri => void texts.delete(uri.toString()),
  }
}
