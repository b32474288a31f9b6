/**
 * The checks that every request passes first: response headers, the guard, and the launch token of a new
 * visitor.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Guard, Right, Secrets } from './guard.ts'

const usualHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** The rights that a path requires. */
export type RequiredAccess = { readonly right: Right; readonly changes: boolean }

/** Returns the requested address; undefined if the response has been sent already. */
export type FrontDoor = (request: IncomingMessage, response: ServerResponse) => URL | undefined

export function frontDoor(guard: Guard, accessOf: (path: string) => RequiredAccess): FrontDoor {
  return (request, response) => {
    for (const [name, value] of Object.entries(usualHeaders)) response.setHeader(name, value)
    const url = urlOf(request.url)
    if (url === undefined) {
      sendJson(response, 400, { error: 'no path' })
      return undefined
    }
    const launch = url.pathname === '/' ? url.searchParams.get('token') : null
    const { method = 'GET', headers } = request
    const refusal = guard.refuse({ method, headers, ...accessOf(url.pathname) })
    // A visitor with the launch token has no cookie yet; all other checks apply.
    if (refusal !== undefined && !(launch !== null && refusal.status === 401)) {
      if (isVisit(request, url)) sendNotice(response, refusal.status, refusal.message)
      else sendJson(response, refusal.status, { error: refusal.message })
      return undefined
    }
    if (launch === null) return url
    welcome(response, guard, launch, isVisit(request, url))
    return undefined
  }
}

function urlOf(path: string | undefined): URL | undefined {
  // A path that starts with two slashes would be parsed as a host.
  if (path === undefined || !path.startsWith('/') || path.startsWith('//')) return undefined
  try {
    return new URL(path, 'http://localhost')
  } catch {
    return undefined
  }
}

/** Redirects, so that the token disappears from the address bar at once. */
function welcome(response: ServerResponse, guard: Guard, token: string, isVisit: boolean): void {
  if (guard.isLaunchToken(token)) {
    response.writeHead(303, { location: '/', 'set-cookie': guard.cookie }).end()
  } else {
    const error = 'not the token of this server: open the address that svc printed'
    if (isVisit) sendNotice(response, 403, error)
    else sendJson(response, 403, { error })
  }
}

/** A person who opens the page, not a program that asks for data. */
function isVisit({ headers }: IncomingMessage, { pathname }: URL): boolean {
  return pathname === '/' && /\btext\/html\b/.test(headers.accept ?? '')
}

/** Says to a person what a program is told as JSON. `message` is one of ours, without markup. */
function sendNotice(response: ServerResponse, status: number, message: string): void {
  const said = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
  const why =
    status === 401
      ? '<p>svc has been started again since this page was opened, and each start has a new address. Copy the newest one from the terminal, or start it again: <code>svc ui</code>.</p>'
      : ''
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>svc</title></head><body><main><h1>svc</h1><p>${said}</p>${why}</main></body></html>`,
    )
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

export function newSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url')
  return { launch: secret(), session: secret(), bearer: secret() }
}
