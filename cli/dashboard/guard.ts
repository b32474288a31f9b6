/**
 * Access control of the local dashboard (research order, decisions 6). A GET can start runs here, so every
 * web page that the user has open is a potential attacker. Turns headers into a refusal. The order of the
 * checks matters; each check is independent.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The kinds of access. */
export type Right =
  /** The page, its files and the icon. */
  | 'page'
  /** Data; programs on this machine that are not browsers need no token. */
  | 'read'
  /** Starting a process. */
  | 'run'

export interface Secrets {
  /** The token in the address that is opened. */
  readonly launch: string
  /** The token in the cookie. */
  readonly session: string
  /** The token of programs, in `.svc/ui.json`. */
  readonly bearer: string
}

export interface Asked {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly right: Right
  /** Whether only `POST` is allowed. */
  readonly changes: boolean
}

export interface Refusal {
  readonly status: 401 | 403 | 405 | 421
  readonly message: string
}

export interface Guard {
  /** Returns undefined if the request is allowed. */
  refuse(asked: Asked): Refusal | undefined
  isLaunchToken(text: string): boolean
  /** Returns a launch token that is valid for one visit. */
  singleUseToken(): string
  /** The `Set-Cookie` header for a visitor with the launch token. */
  readonly cookie: string
}

export function createGuard(port: number, secrets: Secrets): Guard {
  const name = cookieName(port)
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
  const singleUse = new Set<string>()
  return {
    refuse: asked => refusePlace(asked, hosts) ?? refuseStranger(asked, name, secrets),
    isLaunchToken: text => isSame(text, secrets.launch) || singleUse.delete(text),
    singleUseToken() {
      const token = randomBytes(24).toString('base64url')
      singleUse.add(token)
      return token
    },
    cookie: `${name}=${secrets.session}; HttpOnly; SameSite=Strict; Path=/`,
  }
}

/** Cookies do not distinguish ports, so two dashboards on one machine need different names. */
function cookieName(port: number): string {
  return `svc_ui_${port}`
}

function refusePlace({ method, headers, changes }: Asked, hosts: readonly string[]): Refusal | undefined {
  if (changes ? method !== 'POST' : method !== 'GET' && method !== 'HEAD') {
    return { status: 405, message: changes ? 'only POST' : 'only GET' }
  }
  const host = headers.host?.toLowerCase() ?? ''
  // This refuses other names that an attacker resolves to this machine (DNS rebinding).
  if (!hosts.includes(host)) return { status: 421, message: 'this host is not served here' }
  const { origin } = headers
  if (origin === undefined ? changes : origin !== `http://${host}`) {
    return { status: 403, message: 'another origin' }
  }
  const site = headers['sec-fetch-site']
  // A page on another port of this machine is `same-site` and would send the cookie.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return { status: 403, message: 'a request of another site' }
  }
  return undefined
}

function refuseStranger({ headers, right }: Asked, name: string, secrets: Secrets): Refusal | undefined {
  if (right === 'run') {
    // This refuses images, scripts, frames, navigation and everything that a browser prefetches.
    const aim = headers['sec-fetch-dest']
    if (aim !== undefined && aim !== 'empty') return { status: 403, message: 'not a request of a script' }
    if (headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined) {
      return { status: 403, message: 'nothing is fetched ahead' }
    }
  }
  if (right === 'read' && !isBrowser(headers)) return undefined
  if (isKnown(headers, name, secrets)) return undefined
  return { status: 401, message: 'open the address that svc ui printed' }
}

function isKnown({ cookie, authorization }: IncomingHttpHeaders, name: string, secrets: Secrets): boolean {
  const bearer = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  if (bearer !== undefined && isSame(bearer, secrets.bearer)) return true
  return cookiesOf(cookie, name).some(value => isSame(value, secrets.session))
}

/** A browser that sends no `Sec-Fetch-*` headers is an old one. */
function isBrowser(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-fetch-site'] !== undefined || headers['sec-fetch-mode'] !== undefined) return true
  return (
    headers.origin !== undefined ||
    headers.referer !== undefined ||
    headers.cookie !== undefined ||
    /\bMozilla\//.test(headers['user-agent'] ?? '')
  )
}

function cookiesOf(header: string | undefined, name: string): readonly string[] {
  return (header ?? '')
    .split(';')
    .map(part => part.trim())
    .filter(part => part.startsWith(`${name}=`))
    .map(part => part.slice(name.length + 1))
}

/** Compares in constant time. */
function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
