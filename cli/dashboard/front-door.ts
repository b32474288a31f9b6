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
      sendJson(response, refusal.status, { error: refusal.message })
      return undefined
    }
    if (launch === null) return url
    welcome(response, guard, launch)
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
function welcome(response: ServerResponse, guard: Guard, token: string): void {
  if (guard.isLaunchToken(token)) {
    response.writeHead(303, { location: '/', 'set-cookie': guard.cookie }).end()
  } else {
    sendJson(response, 403, { error: 'not the token of this server: open the address that svc printed' })
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

export function newSecrets(): Secrets {
  const secret = () => randomBytes(24).toString('base64url')
  return { launch: secret(), session: secret(), bearer: secret() }
}
