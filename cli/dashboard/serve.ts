/**
 * Serves the local dashboard over HTTP (interface.md 4.3): on this machine only, with every request through
 * the guard, and no response to another origin. It serves one environment of one project, and never opens its
 * warehouse.
 */

import { existsSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { SvcError, systemFailure } from '../engine/errors.ts'
import { createFileChecks } from './file-checks.ts'
import { nowAndThen, renewalBy } from './file-renewal.ts'
import { type FrontDoor, frontDoor, newSecrets, sendJson } from './front-door.ts'
import { createGuard } from './guard.ts'
import { listenOnLoopback } from './loopback.ts'
import { createPageFiles, type PageFile } from './page-files.ts'
import { openProjectFiles, type ProjectFilesOptions } from './project-files.ts'
import { projectRuns } from './project-runs.ts'
import { rollbackPreviews } from './rollback-preview.ts'
import { createRoutes, type Route } from './routes.ts'
import { createRuns, type RunsOptions } from './runs.ts'
import { forgetUi, writeUiFile } from './ui-file.ts'
import { settings } from './watch-files.ts'

export interface DashboardOptions extends ProjectFilesOptions, Omit<RunsOptions, 'root'> {
  /** 0 means any free port. */
  readonly port: number
  readonly readOnly: boolean
  /** The folder of the page; if undefined, only the API is served. */
  readonly page: string | undefined
  readonly pid: number
}

export type Dashboard = Awaited<ReturnType<typeof serveDashboard>>

/** Rejects with `EADDRINUSE` if the port is in use; `describePort` finds out by which program. */
export async function serveDashboard(options: DashboardOptions) {
  const { root, environment, readOnly } = options
  const server = await listenOnLoopback(options.port)
  const { port, base } = server
  const ending = new AbortController()
  const renew = nowAndThen(renewalBy(options, environment, ending.signal))
  const files = openProjectFiles({ renew, ...options })
  const own = createRuns(options)
  const runs = projectRuns(own, options)
  const secrets = newSecrets()
  const guard = createGuard(port, secrets)
  const previews = rollbackPreviews(options, environment, ending.signal)
  const checks = createFileChecks(options, environment)
  const routes = createRoutes({ files, checks, runs, previews, environment, readOnly })
  const mode = readOnly ? 'read-only' : 'full'
  const page = createPageFiles(options.page, { mode, project: `${root} ${environment}` })
  const door = frontDoor(guard, path => routes.get(path) ?? { right: 'page', changes: false })
  server.answer(listenerOf({ door, routes, page, readOnly, isGone: goneFrom(root) }))
  writeUiFile(root, { url: base, token: secrets.bearer, pid: options.pid, environment }, options.pid)
  return {
    port,
    /** The address to open in a browser. It contains the launch token, so it is shown to the user only. */
    address: `${base}/?token=${secrets.launch}`,
    /**
     * Returns an address for the command line of a browser, which other users of the machine can read; it is
     * valid for one visit.
     */
    openingAddress: () => `${base}/?token=${guard.singleUseToken()}`,
    /** The run in progress. */
    get running() {
      return own.latest?.running === true ? own.latest : undefined
    },
    /** Returns whether any run has written a catalogue. */
    hasRun: files.hasRun,
    /** Cancels runs that this dashboard started, and waits for them; other commands beside it are ended. */
    async close() {
      server.stop()
      ending.abort()
      await runs.close()
      files.close()
      checks.close()
      forgetUi(root, secrets.bearer)
      server.cut()
    },
  }
}

interface Parts {
  readonly door: FrontDoor
  readonly routes: ReadonlyMap<string, Route>
  readonly page: (path: string) => PageFile | undefined
  readonly readOnly: boolean
  /** Whether the folder that it was started in is no project any more. */
  readonly isGone: () => boolean
}

/** A folder that was renamed may be there again, empty: whoever writes into it makes it. */
function goneFrom(root: string): () => boolean {
  const mark = [join(root, settings), root].find(path => existsSync(path)) ?? root
  return () => !existsSync(mark)
}

const gone = {
  error: 'the project is not in its folder any more',
  hint: 'Move it back, or end svc ui and start it in the new folder.',
}

function listenerOf({ door, routes, page, readOnly, isGone }: Parts): RequestListener {
  return (request, response) => {
    const url = door(request, response)
    if (url === undefined) return
    const route = routes.get(url.pathname)
    if (route === undefined) return sendPage(response, page(url.pathname))
    if (isGone()) return sendJson(response, 503, gone)
    if (route.starts && readOnly) return sendJson(response, 403, { error: 'this dashboard is read-only' })
    route.answer({ request, response, query: url.searchParams }).catch((error: unknown) => {
      fail(response, error)
    })
  }
}

export function sendPage(response: ServerResponse, file: PageFile | undefined): void {
  if (file === undefined) sendJson(response, 404, { error: 'nothing is here' })
  else response.writeHead(200, file.headers).end(file.body)
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else sendJson(response, 500, whatFailed(error))
}

/** Returns the error with its hint, for the page. */
function whatFailed(error: unknown): { readonly error: string; readonly hint?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  const known = systemFailure(error) ?? error
  const hint = known instanceof SvcError ? known.hint : undefined
  return { error: known.message, ...(hint !== undefined && { hint }) }
}
