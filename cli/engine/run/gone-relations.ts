/** Finds builds whose tables or views somebody has dropped. */
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Relation, WarehouseReader } from '../warehouse/warehouse.ts'
import { greenPrefix } from './green-schema.ts'

/** Returns a function that says whether any relation of a build is missing. */
export async function goneRelations(
  session: WarehouseReader | undefined,
  state: StateSnapshot,
): Promise<(build: BuildRecord) => boolean> {
  if (session === undefined || state.builds.size === 0) return () => false
  const inventory = await session.inventory(greenPrefix)
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
