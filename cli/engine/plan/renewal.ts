/**
 * Relations that are built anew although nothing changed: because a user asks for it (`--full-refresh`), or because they are
 * gone from the warehouse or somebody replaced them (decisions 8, "Forced and limited"). Their build keys get a salt, so that
 * everything that depends on them follows; as long as such a build is live, later keys have its salt too and the asset counts
 * as unchanged.
 */
import type { Hash } from '@svc/server/language'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'

export interface Renewal {
  /** The assets that a user wants to have built anew. */
  readonly assets: ReadonlySet<string>
  /** The salt of their keys: the id of the first run that was asked for it; undefined if no run is planned yet. */
  readonly salt: string | undefined
  /** Returns what somebody did to a relation of the build. A damaged one counts as if it were not there. */
  damageOf(build: BuildRecord): BuildDamage | undefined
}

/** `replaced`: its view has another query than svc gave it. */
export type BuildDamage = 'gone' | 'replaced'

export const noRenewal: Renewal = { assets: new Set(), salt: undefined, damageOf: () => undefined }

export interface SaltedKey {
  readonly key: string
  readonly salt: string | undefined
}

interface SaltFacts {
  readonly state: StateSnapshot
  readonly renewal: Renewal
  /** Undefined in a plan. */
  readonly runId: string | undefined
  readonly hash: Hash
}

/**
 * Returns the key of an asset's relation or load; undefined if only a run determines it.
 * @param live the build or load that is live in its place
 */
export function saltedKey(
  name: string,
  plain: string,
  live: BuildRecord | undefined,
  { state, renewal, runId, hash }: SaltFacts,
): SaltedKey | undefined {
  const withSalt = (salt: string | undefined): SaltedKey => {
    return { key: salt === undefined ? plain : hash(`${plain}\n${salt}`), salt }
  }
  const fresh = runId === undefined ? undefined : withSalt(runId)
  if (renewal.assets.has(name)) return renewal.salt === undefined ? undefined : withSalt(renewal.salt)
  const known = withSalt(live?.salt ?? undefined)
  const build = state.builds.get(known.key)
  return build !== undefined && renewal.damageOf(build) !== undefined ? fresh : known
}
