/** Asks the client to refresh inlay hints, lenses and tokens after columns or runs have changed. */
import type { ClientCapabilities, Connection } from 'vscode-languageserver'

/** The delay during typing, so that hints do not flicker. */
const quietMs = 400

/** A lens says how long ago the last run was. */
const minuteMs = 60_000

/** Asks the client for the lenses again each minute. Returns a function that stops it. */
export function refreshAges(connection: Connection, { workspace }: ClientCapabilities): () => void {
  if (workspace?.codeLens?.refreshSupport !== true) return () => {}
  const timer = setInterval(() => {
    connection.sendRequest('workspace/codeLens/refresh').catch(() => undefined)
  }, minuteMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** `functionsRead` is waited for before tokens are asked for again: a function has a colour of its own once it is known. */
export function refreshSoon(
  connection: Connection,
  { workspace }: ClientCapabilities,
  functionsRead: () => Promise<unknown>,
): () => void {
  let timer: NodeJS.Timeout | undefined
  const ignore = () => undefined
  return () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      if (workspace?.inlayHint?.refreshSupport === true)
        connection.languages.inlayHint.refresh().catch(ignore)
      if (workspace?.codeLens?.refreshSupport === true)
        connection.sendRequest('workspace/codeLens/refresh').catch(ignore)
      await functionsRead()
      if (workspace?.semanticTokens?.refreshSupport === true) {
        Promise.resolve(connection.languages.semanticTokens.refresh()).catch(ignore)
      }
    }, quietMs)
  }
}
