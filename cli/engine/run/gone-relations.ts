/** Finds builds whose tables or views somebody has dropped, or whose views somebody has replaced by his own. */
import type { BuildDamage } from '../plan/renewal.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { Inventory, InventoryEntry, Relation, WarehouseReader } from '../warehouse/warehouse.ts'
import { ownPrefix } from './green-schema.ts'

/** What exists in the schemas of builds, and what the engine said of their views when they were made. */
export interface Built {
  readonly inventory: Inventory
  readonly viewTexts: ReadonlyMap<string, string>
}

/** Returns what is to be compared with `state`; undefined if nothing was ever built. */
export async function builtInventory(
  session: WarehouseReader | undefined,
  { builds }: StateSnapshot,
): Promise<Built | undefined> {
  if (session === undefined || builds.size === 0) return undefined
  const inventory = await session.inventory(ownPrefix)
  const hasViews = [...builds.values()].some(({ kind }) => kind === 'view')
  return { inventory, viewTexts: hasViews ? await session.state.viewTexts() : new Map() }
}

/** Returns a function that says what somebody did to a relation of a build. */
export function buildDamage(built: Built | undefined): (build: BuildRecord) => BuildDamage | undefined {
  if (built === undefined) return () => undefined
  const { inventory, viewTexts } = built
  const entries = new Map(
    [...inventory].map(([schema, all]) => [schema, new Map(all.map(entry => [entry.name, entry]))]),
  )
  const entryOf = ({ schema, name }: Relation) => entries.get(schema)?.get(name)
  // Only loads have children, which are JSON until somebody asks for them.
  const hasAll = (build: BuildRecord) =>
    build.part !== 'raw' ||
    Object.values(build.children).every(child => entryOf(child.relation) !== undefined)
  return build => {
    const entry = entryOf(build.relation)
    const isEmptied = entry?.isEmptied === true && (build.rows ?? 0) > 0
    if (entry === undefined || isEmptied || !hasAll(build)) return 'gone'
    return isOther(viewTexts.get(build.build_key), entry) ? 'replaced' : undefined
  }
}

/** Texts of two writers, such as two versions of an engine, cannot be compared. */
function isOther(recorded: string | undefined, { kind, text }: InventoryEntry): boolean {
  if (recorded === undefined) return false
  if (kind !== 'view' || text === undefined) return true
  return text !== recorded && text.split(' ')[0] === recorded.split(' ')[0]
}

/** Returns the live assets whose build or load was damaged in this way, in the order of the map. */
export function damagedAssets(
  { live, builds }: StateSnapshot,
  damageOf: (build: BuildRecord) => BuildDamage | undefined,
  damage: BuildDamage,
): string[] {
  return [...live.values()].flatMap(({ asset, build_key }) => {
    const build = builds.get(build_key)
    return build !== undefined && damageOf(build) === damage ? [asset] : []
  })
}
