/** Turns the `Authorization` header into a principal (section 5). */
import type { IncomingMessage } from 'node:http'
import { type Authenticate, type Principal, Problem } from '../http/index.ts'
import type { Storage } from '../storage/index.ts'
import { hashToken } from './token-hash.ts'
import { isForged } from './token-text.ts'
import { endOf, readProjects, readScopes, rightsOf } from './tokens.ts'

export interface TokenReaderOptions {
  /** Exempt from the checksum of tokens. */
  readonly bootstrapToken: string | undefined
  /** Called for every request without a valid token; may throw another refusal (a rate limit). */
  readonly onFailure: (request: IncomingMessage) => void
  /** Called when the last use of a token could not be stored. */
  readonly onError: (error: unknown) => void
}

export interface TokenReader {
  readonly authenticate: Authenticate
  /** Clears the cache; called when a token changes. */
  forget(): void
}

/**
 * How long a token is cached, in milliseconds. A process beside the server that revokes a token waits this
 * long before it reports success (`token revoke` on SQLite). The server itself clears its cache at once.
 */
export const longestMemory = 1000

const mostKnown = 5000
/** The minimum time between two updates of the last use, in milliseconds. */
const useNoteEvery = 60_000

interface Known {
  readonly principal: Principal
  /** Time on a monotonic clock, from before the database query. */
  readonly readAt: number
}

/**
 * On PostgreSQL, where other servers may revoke tokens, each request looks its token up; on SQLite it is
 * cached.
 */
export function createTokenReader(storage: Storage, options: TokenReaderOptions): TokenReader {
  const known = new Map<string, Known>()
  const noted = new Map<number, number>()
  const memory = storage.engine === 'sqlite' ? longestMemory : 0
  let forgotten = 0
  const started = { wall: storage.clock().getTime(), ticks: performance.now() }

  /** A clock that is set back must not make an expired token valid again: time passes at least as fast as it runs. */
  function currentTime(): number {
    return Math.max(storage.clock().getTime(), started.wall + performance.now() - started.ticks)
  }

  async function lookUp(token: string, request: IncomingMessage): Promise<Principal> {
    const [readAt, before] = [performance.now(), forgotten]
    const row = await storage.reads.first<TokenRow>(selectToken, [hashToken(token)])
    if (row === undefined) return refuse(request)
    const entry = { principal: principalOf(row), readAt }
    // A token that was revoked meanwhile must not enter the cache from a query that started before.
    if (memory > 0 && before === forgotten) {
      if (known.size >= mostKnown) known.clear()
      known.set(token, entry)
    }
    return accept(entry, request)
  }

  function accept({ principal }: Known, request: IncomingMessage): Principal {
    if (principal.expiresAt <= currentTime()) return refuse(request)
    noteUse(principal.tokenId, storage.clock().getTime())
    return principal
  }

  function refuse(request: IncomingMessage): never {
    options.onFailure(request)
    throw unauthorized()
  }

  /** Stores the last use once a minute per token, together with other writes; nothing waits for it. */
  function noteUse(id: number, now: number): void {
    const last = noted.get(id)
    if (last !== undefined && now - last < useNoteEvery) return
    if (noted.size >= mostKnown) noted.clear()
    noted.set(id, now)
    const at = new Date(now).toISOString()
    storage
      .write(tx => tx.all('update token set last_used_at = ? where id = ?', [at, id]))
      .catch(options.onError)
  }

  return {
    authenticate(request) {
      const token = tokenOf(request.headers.authorization)
      if (token === undefined) return refuse(request)
      const cached = known.get(token)
      if (cached !== undefined && performance.now() - cached.readAt < memory) return accept(cached, request)
      if (isForged(token) && token !== options.bootstrapToken) return refuse(request)
      return lookUp(token, request)
    },
    forget() {
      forgotten++
      known.clear()
    },
  }
}

const selectToken = `select id, name, scopes, projects, expires_at from token where hash = ? and revoked_at is null`

type TokenRow = {
  readonly id: number
  readonly name: string
  readonly scopes: string
  readonly projects: string | null
  readonly expires_at: string | null
}

function principalOf({ id, name, scopes, projects, expires_at }: TokenRow): Principal {
  const rights = rightsOf({ scopes: readScopes(scopes), projects: readProjects(projects) })
  return { tokenId: id, actor: `token:${name}`, ...rights, expiresAt: endOf({ expires_at }) }
}

/** A token has 32 to 255 visible characters; the scheme is matched ignoring case. */
function tokenOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +([\x21-\x7e]{32,255})$/i.exec(header)?.[1]
}

/**
 * The same answer for a token that is missing, malformed, unknown, expired or revoked, so that it reveals
 * nothing.
 */
function unauthorized(): Problem {
  return new Problem('unauthorized', 'The request needs a valid token: Authorization: Bearer <token>.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_token"' },
  })
}
