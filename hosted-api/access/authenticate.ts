/** From the `Authorization` header to a principal (section 5). */
import { type Authenticate, type Principal, Problem, type Scope } from '../http/index.ts'
import type { Storage } from '../storage/index.ts'
import { hashToken } from './token-hash.ts'

const longestHeader = 300
const mostKnown = 5000

interface Known {
  readonly principal: Principal
  /** Milliseconds. */
  readonly expiresAt: number
}

export interface TokenReader {
  readonly authenticate: Authenticate
  /** Called when a token changes: nothing of it is remembered. */
  forget(): void
}

/** Tokens that were seen are remembered; on PostgreSQL, where another server may revoke them, they are looked up. */
export function createTokenReader(storage: Storage): TokenReader {
  const known = new Map<string, Known>()
  const remembers = storage.engine === 'sqlite'

  async function lookUp(token: string): Promise<Principal> {
    const row = await storage.reads.first<TokenRow>(selectToken, [hashToken(token)])
    if (row === undefined) throw unauthorized()
    const found = {
      principal: principalOf(row),
      expiresAt: row.expires_at === null ? Infinity : Date.parse(row.expires_at),
    }
    if (isExpired(found)) throw unauthorized()
    if (remembers) {
      if (known.size >= mostKnown) known.clear()
      known.set(token, found)
    }
    return found.principal
  }

  function isExpired({ expiresAt }: Known): boolean {
    return expiresAt <= storage.clock().getTime()
  }

  return {
    authenticate(header) {
      const token = tokenOf(header)
      const found = known.get(token)
      if (found === undefined) return lookUp(token)
      if (isExpired(found)) throw unauthorized()
      return found.principal
    },
    forget: () => known.clear(),
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

function principalOf({ id, name, scopes, projects }: TokenRow): Principal {
  return {
    tokenId: id,
    actor: `token:${name}`,
    scopes: new Set(JSON.parse(scopes) as Scope[]),
    projects: projects === null ? 'all' : new Set(JSON.parse(projects) as number[]),
  }
}

function tokenOf(header: string | undefined): string {
  const token = header !== undefined && header.length <= longestHeader && /^bearer +(\S+)$/i.exec(header)?.[1]
  if (!token) throw unauthorized()
  return token
}

/** One answer for a token that is missing, malformed, unknown, expired or revoked: nothing can be learnt from it. */
function unauthorized(): Problem {
  return new Problem('unauthorized', 'The request needs a valid token: Authorization: Bearer <token>.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="svc", error="invalid_token"' },
  })
}
