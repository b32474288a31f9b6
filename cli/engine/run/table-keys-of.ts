/** The keys of `contract.constraints` as the warehouse makes them: with the tables that foreign ones name. */
import type { Asset, Project } from '@svc/server/language'
import type { TableKey } from '../warehouse/table-keys.ts'
import type { Relation } from '../warehouse/warehouse.ts'

export interface KeyTables {
  readonly project: Project
  /** The table that is being built. */
  readonly own: Relation
  readonly relationOf: (asset: string) => Relation
}

/** Foreign keys are in the order of the assets that they name: two builds that lock them at once do not wait for each other. */
export function tableKeysOf(
  { name, definition }: Asset,
  { project, own, relationOf }: KeyTables,
): readonly TableKey[] {
  const { primaryKey = [], unique = [], foreignKeys = [] } = definition.contract?.constraints ?? {}
  const foreign = foreignKeys.map(({ columns, references: asset, to }, index): TableKey => {
    const isOwn = asset === name
    const named = isOwn ? definition : project.byName.get(asset)?.definition
    const relation = isOwn ? own : relationOf(asset)
    const keyed = to.length > 0 ? to : (named?.contract?.constraints?.primaryKey ?? [])
    return { list: 'foreign_keys', index, columns, references: { asset, relation, columns: keyed } }
  })
  const byAsset = (key: TableKey) => key.references?.asset ?? ''
  return [
    ...(primaryKey.length === 0 ? [] : [{ list: 'primary_key', index: 0, columns: primaryKey } as const]),
    ...unique.map((columns, index): TableKey => ({ list: 'unique', index, columns })),
    ...foreign.sort((a, b) => (byAsset(a) < byAsset(b) ? -1 : byAsset(a) > byAsset(b) ? 1 : 0)),
  ]
}
