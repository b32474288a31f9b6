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
 * Stores the token once; another value replaces the previous one, which is revoked.
 * @throws BootstrapTokenError
 */
export async function ensureBootstrapToken(storage: Storage, token: string): Promise<void> {
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < shortest || token.length > longest) {
    throw new BootstrapTokenError(
      `SVC_HOSTED_BOOTSTRAP_TOKEN has to be ${shortest} to ${longest} visible ASCII characters; "openssl rand -hex 32" makes one`,
    )
  }
  const hash = hashToken(token)
  const now = storage.clock().toISOString()
  await storage.write(async tx => {
    const known = await tx.first('select id from token where hash = ? and revoked_at is null', [hash])
    if (known !== undefined) return
    await tx.all(`update token set revoked_at = ? where created_by = 'bootstrap' and revoked_at is null`, [
      now,
    ])
    await tx.all(
      `insert into token (name, hash, hint, scopes, projects, created_at, created_by) values (?, ?, ?, ?, ?, ?, ?)
       on conflict (hash) do update set revoked_at = null`,
      ['bootstrap', hash, hintOf(token), JSON.stringify(scopes), null, now, 'bootstrap'],
    )
    tx.record({
      project: undefined,
      action: 'token.bootstrap',
      target: 'token:bootstrap',
      actor: 'svc-hosted',
      requestId: 'start',
    })
  })
}
