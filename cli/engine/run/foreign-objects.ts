/**
 * A relation in a production schema that is not ours is never replaced: found before any work (decisions 2). Ours is
 * what `svc_views` says of this environment, by name and place.
 */
import { SvcError } from '../errors.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { Relation, WarehouseReader } from '../warehouse/warehouse.ts'

export interface ProductionCheck {
  /** Assets whose view is recorded but gone from the warehouse; the promotion makes them again. */
  readonly missing: ReadonlySet<string>
}

/** `wanted`: the views that the new map needs, by asset. SvcError `foreign-object`. */
export async function checkProduction(
  session: WarehouseReader,
  state: StateSnapshot,
  wanted: ReadonlyMap<string, Relation>,
): Promise<ProductionCheck> {
  const present = await presentRelations(session, wanted)
  const ours = new Set([...state.views.values()].map(idOf))
  const missing = new Set<string>()
  for (const [asset, view] of wanted) {
    const found = present.get(idOf(view))
    if (found === undefined) missing.add(asset)
    else if (found.kind !== 'view' || !ours.has(idOf(view))) throw foreign(asset, view, found.kind)
  }
  return { missing }
}

async function presentRelations(session: WarehouseReader, wanted: ReadonlyMap<string, Relation>) {
  const present = new Map<string, { readonly kind: 'table' | 'view' }>()
  for (const schema of new Set([...wanted.values()].map(view => view.schema))) {
    for (const { name, kind } of await session.relations(schema))
      present.set(idOf({ schema, name }), { kind })
  }
  return present
}

function foreign(asset: string, view: Relation, kind: string): SvcError {
  return new SvcError(
    'foreign-object',
    `${kind} ${view.schema}.${view.name} exists and was not made by svc`,
    {
      hint: `Rename or drop it, or give the asset "${asset}" another name or another deploy.schema.`,
      asset,
    },
  )
}

/** Warehouses fold case, so names that differ in case only are one. */
function idOf({ schema, name }: Relation): string {
  return `${schema}\n${name}`.toLowerCase()
}
