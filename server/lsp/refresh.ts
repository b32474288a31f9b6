/** Tells the client to ask again for what it shows beside the text, once columns or runs are others. */
import type { ClientCapabilities, Connection } from 'vscode-languageserver'

/** Typing goes on for a while: what stands beside the text need not flicker along. */
const quietMs = 400

export function refreshSoon(connection: Connection, { workspace }: ClientCapabilities): () => void {
  let timer: NodeJS.Timeout | undefined
  const ignore = () => undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (workspace?.inlayHint?.refreshSupport === true)
        connection.languages.inlayHint.refresh().catch(ignore)
      if (workspace?.codeLens?.refreshSupport === true)
        connection.sendRequest('workspace/codeLens/refresh').catch(ignore)
      if (workspace?.semanticTokens?.refreshSupport === true) {
        Promise.resolve(connection.languages.semanticTokens.refresh()).catch(ignore)
      }
    }, quietMs)
  }
}
