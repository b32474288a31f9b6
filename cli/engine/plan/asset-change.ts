/** Determines how each asset changes in a run, and why. Pure. */
import type { AssetChange } from '@svc/server/contract'
import type { Project } from '@svc/server/language'
import type { StateSnapshot } from '../state/state.ts'
import type { Identities } from './identities.ts'
import { rawOf } from './last-load.ts'
import type { BuildDamage, Renewal } from './renewal.ts'

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
  if (change === 'volatile')
    return 'its SQL asks for the time, for chance or for what the database has, so its result is never reused'
  if (change !== 'rebuilt') return undefined
  const { project, state, keys, selected } = facts
  const moved = project
    .parents(name)
    .filter(parent => selected.has(parent))
    .filter(parent => keys.get(parent) !== state.live.get(parent)?.build_key)
  if (facts.renewal.assets.has(name)) return 'because --full-refresh asks for it'
  if (moved.length > 0) return `because ${moved.join(', ')} changed`
  const damaged = damagedPart(name, facts)
  if (damaged !== undefined) return `because its ${damaged.part} ${damageWords[damaged.damage]}`
  return 'because its live build was made from older inputs'
}

const damageWords: Readonly<Record<BuildDamage, string>> = {
  gone: 'is gone from the warehouse',
  replaced: 'was replaced in the warehouse, not by svc',
}

/** Returns what of an asset's live build somebody has dropped or replaced: its table or view, or its load. */
export function damagedPart(
  name: string,
  { state, renewal }: Pick<ReasonFacts, 'state' | 'renewal'>,
): { readonly part: string; readonly damage: BuildDamage } | undefined {
  const live = state.live.get(name)?.build_key
  const build = state.builds.get(live ?? '')
  const own = build && renewal.damageOf(build)
  if (build !== undefined && own !== undefined) return { part: build.kind, damage: own }
  const load = rawOf(state, live)
  const damage = load && renewal.damageOf(load)
  return damage && { part: 'load', damage }
}
