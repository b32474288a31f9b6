/** Cuts assets into words that an earlier version of the service has written. */
import { fillSearch } from '../../glossary/fill-search.ts'
import type { Storage } from '../../storage/index.ts'
import { assetText } from '../pack/asset-text.ts'
import { jsonOf, nullableColumns, textOrNull } from './visible.ts'

export function fillAssetSearch(storage: Storage): Promise<void> {
  const select = `select asset_state.id, asset_state.name, asset.identifier, asset_state.path, asset_state.description,
    asset_state.owner, asset_state.tags, asset_state.columns from asset_state join asset on asset.id = asset_state.asset_id
    where asset_state.search_title is null`
  return fillSearch(storage, 'asset_state', select, row =>
    assetText({
      name: String(row['name']),
      identifier: String(row['identifier']),
      path: String(row['path']),
      description: textOrNull(row['description']),
      owner: textOrNull(row['owner']),
      tags: jsonOf(row['tags']),
      columns: nullableColumns(row['columns']),
    }),
  )
}
