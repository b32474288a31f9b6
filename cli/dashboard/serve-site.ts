/**
 * Serves the site of `svc lineage` on this machine only. It is made again for each request, so that a reload
 * shows the newest run.
 */
import { frontDoor, newSecrets, sendJson } from './front-door.ts'
import { createGuard } from './guard.ts'
import { listenOnLoopback } from './loopback.ts'
import { createPageFiles } from './page-files.ts'
import { sendPage } from './serve.ts'
import { type SiteData, sitePage } from './site.ts'

export interface SiteServerOptions {
  readonly port: number
  /** The folder of the page. */
  readonly page: string
  data(): Promise<SiteData>
}

/** Rejects with `EADDRINUSE` if the port is in use. */
export async function serveSite({ port, page, data }: SiteServerOptions) {
  const server = await listenOnLoopback(port)
  const secrets = newSecrets()
  const guard = createGuard(server.port, secrets)
  const door = frontDoor(guard, () => ({ right: 'page', changes: false }))
  const files = createPageFiles(page, { mode: 'static', project: '' })
  server.answer((request, response) => {
    const url = door(request, response)
    if (url === undefined) return
    if (url.pathname !== '/') return sendPage(response, files(url.pathname))
    data().then(
      made => {
        // The page contains its own policy, except this directive, which only works as a header.
        response.setHeader('content-security-policy', "frame-ancestors 'none'")
        const headers = { 'content-type': 'text/html; charset=utf-8' }
        sendPage(response, { body: sitePage(page, made), headers })
      },
      (error: unknown) => sendJson(response, 500, { error: String(error) }),
    )
  })
  return {
    port: server.port,
    /** The address with the access token. */
    address: `${server.base}/?token=${secrets.launch}`,
    /** Returns an address for the command line of a browser, which is valid for one visit. */
    openingAddress: () => `${server.base}/?token=${guard.singleUseToken()}`,
    close() {
      server.stop()
      server.cut()
    },
  }
}
