/** Determines how each asset changes in a run, and why. Pure. */
import type { AssetChange } from '@svc/server/contract'
import type { Project } from '@svc/server/language'
import type { StateSnapshot } from '../state/state.ts'
import type { Identities } from './identities.ts'
import { rawOf } from './last-load.ts'
import type { Renewal } from './renewal.ts'

interface ChangeFacts {
  readonly state: StateSnapshot
  readonly identities: Identities
  /** The build keys of the run's assets; an asset whose inputs are not all known has none. */
  readonly keys: ReadonlyMap<string, string>
  readonly isVolatile: (name: string) => boolean
}

export function changeOf(name: string, { state, identities, keys, isVolatile }: ChangeFacts): AssetChange {
  const live = state.live.get(name)
  if (live === undefined) return 'new'
  if (live.definition_hash !== identities.definitionHash(name)) return 'modified'
  if (keys.get(name) === live.build_key) return 'reused'
  return isVolatile(name) ? 'volatile' : 'rebuilt'
}

export interface ReasonFacts {
  readonly project: Project
  readonly state: StateSnapshot
  readonly keys: ReadonlyMap<string, string>
  readonly selected: ReadonlySet<string>
  readonly renewal: Renewal
}

/** Returns the reason in words; undefined if the kind of change is explanation enough. */
export function reasonOf(name: string, change: AssetChange, facts: ReasonFacts): string | undefined {
  if (change === 'volatile') return 'its SQL asks for the time or for chance, so its result is never reused'
  if (change !== 'rebuilt') return undefined
  const { project, state, keys, selected } = facts
  const moved = project
    .parents(name)
    .filter(parent => selected.has(parent))
    .filter(parent => keys.get(parent) !== state.live.get(parent)?.build_key)
  if (facts.renewal.assets.has(name)) return 'because --full-refresh asks for it'
  if (moved.length > 0) return `because ${moved.join(', ')} changed`
  const gone = goneOf(name, facts)
  if (gone !== undefined) return `because its ${gone} is gone from the warehouse`
  return 'because its live build was made from older inputs'
}

/** Returns what of an asset's live build somebody has dropped: its table or view, or its load. */
export function goneOf(
  name: string,
  { state, renewal }: Pick<ReasonFacts, 'state' | 'renewal'>,
): string | undefined {
  const live = state.live.get(name)?.build_key
  const build = state.builds.get(live ?? '')
  if (build !== undefined && renewal.isGone(build)) return build.kind
  const load = rawOf(state, live)
  return load !== undefined && renewal.isGone(load) ? 'load' : undefined
}
