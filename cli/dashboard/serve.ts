/**
 * The local dashboard over HTTP (interface.md 4.3): on this machine only, every request through the guard, no answer to
 * another origin. Serves one environment of one project, and never opens its warehouse.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGuard, type Guard, type Right, type Secrets } from './guard.ts'
import { createPageFiles, type PageFile } from './page-files.ts'
import { openProjectFiles, type ProjectFilesOptions } from './project-files.ts'
import { rollbackPreviews } from './rollback-preview.ts'
import { createRoutes, type Route, sendJson } from './routes.ts'
import { createRuns, type RunFacts, type RunsOptions } from './runs.ts'
import { forgetUi, writeUiFile } from './ui-file.ts'

export interface DashboardOptions extends ProjectFilesOptions, Omit<RunsOptions, 'root'> {
  /** 0: any free one. */
  readonly port: number
  readonly readOnly: boolean
  /** The folder of the page; undefined: only the API. */
  readonly page: string | undefined
  readonly pid: number
}

export interface Dashboard {
  readonly port: number
  /** To open in a browser: holds the launch token, and is told to nobody but the user. */
  readonly address: string
  /** The same for the command line of a browser, which other users of the machine can read: good for one visit. */
  openingAddress(): string
  /** The run that runs. */
  readonly running: RunFacts | undefined
  /** Whether a run has ever left something to show. */
  hasRun(): Promise<boolean>
  /** Runs started by this dashboard are cancelled and waited for. */
  close(): Promise<void>
}

/** Rejects with `EADDRINUSE` where the port is taken: `describePort` says by whom. */
export async function serveDashboard(options: DashboardOptions): Promise<Dashboard> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  const port = await listen(server, options.port, '127.0.0.1')
  const files = openProjectFiles(options)
  const runs = createRuns(options)
  const secrets = newSecrets()
  const guard = createGuard(port, secrets)
  const previews = rollbackPreviews(options, options.environment)
  const { environment, readOnly } = options
  const routes = createRoutes({ files, runs, previews, environment, readOnly })
  const mode = readOnly ? 'read-only' : 'full'
  const page = createPageFiles(options.page, { mode, project: `${options.root} ${environment}` })
  listener = listenerOf({ guard, routes, page, readOnly })
  // `localhost` is that first on many machines; who has no IPv6 goes without.
  const second = createServer((request, response) => listener(request, response))
  await listen(second, port, '::1').catch(() => undefined)
  const base = `http://127.0.0.1:${port}`
  writeUiFile(options.root, { url: base, token: secrets.bearer, pid: options.pid, environment }, options.pid)
  return {
    port,
    address: `${base}/?token=${secrets.launch}`,
    openingAddress: () => `${base}/?token=${guard.singleUseToken()}`,
    get running() {
      return runs.latest?.running === true ? runs.latest : undefined
    },
    hasRun: files.hasRun,
    async close() {
      for (const each of [server, second]) each.close()
      await runs.close()
      files.close()
      forgetUi(options.root, secrets.bearer)
      for (const each of [server, second]) each.closeAllConnections()
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function newSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url')
  return { launch: secret(), session: secret(), bearer: secret() }
}

interface Parts {
  readonly guard: Guard
  readonly routes: ReadonlyMap<string, Route>
  readonly page: (path: string) => PageFile | undefined
  readonly readOnly: boolean
}

const usualHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

function listenerOf({ guard, routes, page, readOnly }: Parts): RequestListener {
  return (request, response) => {
    for (const [name, value] of Object.entries(usualHeaders)) response.setHeader(name, value)
    const url = urlOf(request.url)
    if (url === undefined) return sendJson(response, 400, { error: 'no path' })
    const route = routes.get(url.pathname)
    const launch = url.pathname === '/' ? url.searchParams.get('token') : null
    const right: Right = route?.right ?? 'page'
    const { method = 'GET', headers } = request
    const refusal = guard.refuse({ method, headers, right, changes: route?.changes ?? false })
    // Who comes with the token has no cookie yet; everything else holds for him too.
    if (refusal !== undefined && !(launch !== null && refusal.status === 401)) {
      return sendJson(response, refusal.status, { error: refusal.message })
    }
    if (launch !== null) return welcome(response, guard, launch)
    if (route === undefined) return sendPage(response, page(url.pathname))
    if (route.starts && readOnly) return sendJson(response, 403, { error: 'this dashboard is read-only' })
    route.answer({ request, response, query: url.searchParams }).catch((error: unknown) => {
      fail(response, error)
    })
  }
}

function urlOf(path: string | undefined): URL | undefined {
  // A path that begins with two slashes would be read as a host.
  if (path === undefined || !path.startsWith('/') || path.startsWith('//')) return undefined
  try {
    return new URL(path, 'http://localhost')
  } catch {
    return undefined
  }
}

/** The token leaves the address bar at once. */
function welcome(response: ServerResponse, guard: Guard, token: string): void {
  if (guard.isLaunchToken(token)) {
    response.writeHead(303, { location: '/', 'set-cookie': guard.cookie }).end()
  } else {
    sendJson(response, 403, {
      error: 'not the token of this dashboard: open the address that svc ui printed',
    })
  }
}

function sendPage(response: ServerResponse, file: PageFile | undefined): void {
  if (file === undefined) sendJson(response, 404, { error: 'nothing is here' })
  else response.writeHead(200, file.headers).end(file.body)
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else sendJson(response, 500, { error: error instanceof Error ? error.message : String(error) })
}
