/**
 * Determines which production views a new map of builds creates, replaces or drops, for plan, run, promote
 * and rollback. A view that already shows the right build is left alone.
 */
import type { StateSnapshot, ViewRecord } from '../state/state.ts'

type Relation = ViewRecord['view']

export interface PointerInput {
  readonly state: StateSnapshot
  /**
   * The complete new map: build key by asset; undefined if the asset is built in this run and its key is not
   * known yet.
   */
  readonly keys: ReadonlyMap<string, string | undefined>
  /** Returns the place of an asset's view; undefined if it has none (ephemeral). */
  readonly viewOf: (asset: string) => Relation | undefined
  /** The assets whose views should exist and do not (dropped by hand). */
  readonly missing?: ReadonlySet<string>
  /** Returns the roles that may read an asset's view; undefined leaves those that have it. */
  readonly readersOf: (asset: string) => readonly string[] | undefined
}

export interface PointerMoves {
  /** The assets whose view is created or replaced, in the order of the map. */
  readonly views: readonly { readonly asset: string; readonly view: Relation }[]
  readonly drops: readonly { readonly asset: string; readonly view: Relation }[]
  /** The views whose readers change, in the order of the map. */
  readonly grants: readonly GrantMove[]
}

/** Who may read a view from now on, and what is to be done for it. */
export interface GrantMove {
  readonly asset: string
  readonly view: Relation
  readonly grant: readonly string[]
  readonly revoke: readonly string[]
  readonly readers: readonly string[]
}

/** Returns whether nothing is to be done in production. */
export function isStill({ views, drops, grants }: PointerMoves): boolean {
  return views.length + drops.length + grants.length === 0
}

export function pointerMoves(input: PointerInput): PointerMoves {
  const views: { asset: string; view: Relation }[] = []
  for (const [asset, key] of input.keys) {
    const view = input.viewOf(asset)
    if (view === undefined) continue
    const stays =
      key !== undefined &&
      key === input.state.live.get(asset)?.build_key &&
      sameRelation(view, input.state.views.get(asset)) &&
      input.missing?.has(asset) !== true
    if (!stays) views.push({ asset, view })
  }
  return { views, drops: dropsOf(input), grants: grantsOf(input) }
}

/** A view that is made at a new place, or again, has no readers yet. */
function grantsOf({ state, keys, viewOf, missing, readersOf }: PointerInput): GrantMove[] {
  return [...keys.keys()].flatMap((asset): GrantMove[] => {
    const view = viewOf(asset)
    if (view === undefined) return []
    const recorded = state.readers.get(asset) ?? []
    const wanted = readersOf(asset) ?? recorded
    if (wanted.length + recorded.length === 0) return []
    const stands = sameRelation(view, state.views.get(asset)) && missing?.has(asset) !== true
    const before = stands ? recorded : []
    const readers = [...new Set(wanted)]
    const grant = readers.filter(role => !before.includes(role))
    const revoke = before.filter(role => !readers.includes(role))
    return grant.length + revoke.length === 0 ? [] : [{ asset, view, grant, revoke, readers }]
  })
}

/** Returns views without an asset; a view may also have moved to another asset. */
function dropsOf({ state, keys, viewOf }: PointerInput): { asset: string; view: Relation }[] {
  const moved = [...state.views].filter(
    ([asset, view]) => !(keys.has(asset) && sameRelation(view, viewOf(asset))),
  )
  if (moved.length === 0) return []
  const wanted = new Set([...keys.keys()].map(asset => idOf(viewOf(asset))))
  return moved.flatMap(([asset, view]) => (wanted.has(idOf(view)) ? [] : [{ asset, view }]))
}

function idOf(relation: Relation | undefined): string {
  return relation === undefined ? '' : `${relation.schema}\n${relation.name}`
}

export function sameRelation(a: Relation, b: Relation | undefined): boolean {
  return b !== undefined && a.schema === b.schema && a.name === b.name
}
