/** Finds builds whose tables or views somebody has dropped. */
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Inventory, Relation, WarehouseReader } from '../warehouse/warehouse.ts'
import { ownPrefix } from './green-schema.ts'

/** Returns what exists in the schemas of builds, to be compared with `state`; undefined if nothing was ever built. */
export async function builtInventory(
  session: WarehouseReader | undefined,
  state: StateSnapshot,
): Promise<Inventory | undefined> {
  return session === undefined || state.builds.size === 0 ? undefined : session.inventory(ownPrefix)
}

/** Returns a function that says whether any relation of a build is missing. */
export function goneRelations(inventory: Inventory | undefined): (build: BuildRecord) => boolean {
  if (inventory === undefined) return () => false
  const names = new Map([...inventory].map(([schema, all]) => [schema, new Set(all.map(({ name }) => name))]))
  const isMissing = ({ schema, name }: Relation) => names.get(schema)?.has(name) !== true
  return ({ relation, part, children }) =>
    isMissing(relation) ||
    (part === 'raw' && Object.values(children).some(child => isMissing(child.relation)))
}

/** Returns the live assets whose build or load is gone, in the order of the map. */
export function goneAssets(state: StateSnapshot, isGone: (build: BuildRecord) => boolean): string[] {
  return [...state.live.values()].flatMap(({ asset, build_key }) => {
    const build = state.builds.get(build_key)
    return build !== undefined && isGone(build) ? [asset] : []
  })
}
