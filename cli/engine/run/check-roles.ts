/** Refuses grants to roles that the warehouse does not have, before any work. */
import { type Asset, locate, nodeAt } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { placeIn } from '../quality/place-in.ts'
import type { WarehouseReader } from '../warehouse/warehouse.ts'

/** Throws SvcError `unknown-role` for the first one, in the order of `assets`. */
export async function checkRoles(
  session: Pick<WarehouseReader, 'presentRoles' | 'dialect'>,
  assets: readonly Asset[],
): Promise<void> {
  const [first] = await unknownRoles(session, assets)
  if (first === undefined) return
  const { asset, role } = first
  throw new SvcError('unknown-role', `the warehouse has no role "${role}"`, {
    hint: `Correct its name, or make it: CREATE ROLE ${session.dialect.identifier(role)};`,
    asset: asset.name,
    place: placeIn(asset, placeOfRole(asset, role)),
  })
}

export interface UnknownRole {
  readonly asset: Asset
  readonly role: string
}

export async function unknownRoles(
  session: Pick<WarehouseReader, 'presentRoles' | 'dialect'>,
  assets: readonly Asset[],
): Promise<readonly UnknownRole[]> {
  const granted = session.dialect.engine.storage.hasRoles ? assets.flatMap(grantsOf) : []
  if (granted.length === 0) return []
  const present = await session.presentRoles([...new Set(granted.map(({ role }) => role))].sort())
  return granted.filter(({ role }) => !present.has(role))
}

function grantsOf(asset: Asset): UnknownRole[] {
  return asset.definition.deploy.grants.select.map(role => ({ asset, role }))
}

function placeOfRole(asset: Asset, role: string): number {
  const path = ['deploy', 'grants', 'select']
  const node = nodeAt(asset.tree, path)
  const items = node?.kind === 'sequence' ? node.items : []
  const item = items.find(each => each.kind === 'scalar' && String(each.value) === role)
  return (item?.range ?? locate(asset, path)).start
}
