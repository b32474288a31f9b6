/** Writes down what the engine says of the views that were made, so that one that somebody replaces later is found. */
import { insertViewTexts } from '../state/changes.ts'
import type { ViewTextRecord } from '../state/state.ts'
import type { WarehouseSession } from '../warehouse/warehouse.ts'
import type { Building } from './building.ts'

/** A run that ends before this has views that are compared with nothing. */
export async function noteViewTexts(
  session: WarehouseSession,
  names: readonly string[],
  { schema, progress }: Building,
): Promise<void> {
  const made = names.flatMap(name => {
    const { status, build } = progress.assets.get(name) ?? {}
    return status === 'built' && build?.kind === 'view' ? [build] : []
  })
  if (made.length === 0) return
  const entries = (await session.inventory(schema)).get(schema) ?? []
  const texts = new Map(entries.map(({ name, text }) => [name, text]))
  const records = made.flatMap(({ build_key, asset, relation }): ViewTextRecord[] => {
    const text = texts.get(relation.name)
    return text === undefined ? [] : [{ build_key, asset, text }]
  })
  if (records.length > 0) await session.state.commit(insertViewTexts(records))
}
