/**
 * The token from the environment (`SVC_HOSTED_BOOTSTRAP_TOKEN`): it exists from the start and may do
 * everything.
 */
import { scopes } from '../http/index.ts'
import type { Storage } from '../storage/index.ts'
import { hashToken, hintOf } from './token-hash.ts'

const shortest = 32
const longest = 255

/** The value cannot be used; the message says why, without showing it. */
export class BootstrapTokenError extends Error {
  override readonly name = 'BootstrapTokenError'
}

/**
 * Stores the token once; another value replaces the previous one, which is revoked. A token that was revoked or has
 * expired stays so: then the reason is returned, for the operator.
 * @throws BootstrapTokenError
 */
export async function ensureBootstrapToken(storage: Storage, token: string): Promise<string | undefined> {
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < shortest || token.length > longest) {
    throw new BootstrapTokenError(
      `SVC_HOSTED_BOOTSTRAP_TOKEN has to be ${shortest} to ${longest} visible ASCII characters; "openssl rand -hex 32" makes one`,
    )
  }
  const hash = hashToken(token)
  const now = storage.clock().toISOString()
  return storage.write(async tx => {
    const known = await tx.first<KnownToken>('select id, revoked_at, expires_at from token where hash = ?', [
      hash,
    ])
    if (known !== undefined) return endOf(known, now)
    await tx.all(`update token set revoked_at = ? where created_by = 'bootstrap' and revoked_at is null`, [
      now,
    ])
    await tx.all(
      'insert into token (name, hash, hint, scopes, projects, created_at, created_by) values (?, ?, ?, ?, ?, ?, ?)',
      ['bootstrap', hash, hintOf(token), JSON.stringify(scopes), null, now, 'bootstrap'],
    )
    tx.record({
      project: undefined,
      action: 'token.bootstrap',
      target: 'token:bootstrap',
      actor: 'svc-hosted',
      requestId: 'start',
    })
    return undefined
  })
}

type KnownToken = {
  readonly id: number
  readonly revoked_at: string | null
  readonly expires_at: string | null
}

function endOf({ id, revoked_at, expires_at }: KnownToken, now: string): string | undefined {
  const advice = 'it is not accepted; set another value, or unset the variable if other tokens are used'
  if (revoked_at !== null)
    return `SVC_HOSTED_BOOTSTRAP_TOKEN is token ${id}, which was revoked on ${revoked_at.slice(0, 10)}: ${advice}`
  if (expires_at !== null && expires_at <= now)
    return `SVC_HOSTED_BOOTSTRAP_TOKEN is token ${id}, which expired on ${expires_at.slice(0, 10)}: ${advice}`
  return undefined
}
