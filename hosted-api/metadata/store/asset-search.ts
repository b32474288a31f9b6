/** What the search finds of an asset: its names, columns, descriptions, owner and tags. */
import { fillSearch } from '../../glossary/fill-search.ts'
import { type SearchText, searchText } from '../../glossary/search-text.ts'
import type { Storage } from '../../storage/index.ts'
import type { PackAsset } from '../pack/pack.ts'
import { jsonOf, nullableJson, textOrNull } from './visible.ts'

type SearchedAsset = Pick<
  PackAsset,
  'name' | 'identifier' | 'path' | 'description' | 'owner' | 'tags' | 'columns'
>

export function assetText(asset: SearchedAsset): SearchText {
  const { name, identifier, path, description, owner, tags } = asset
  const columns = asset.columns ?? []
  return searchText(
    name,
    [identifier],
    [path, description, owner, tags, columns.flatMap(column => [column.name, column.description])].flat(),
  )
}

/** For assets that an earlier version of the service has written. */
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
      columns: nullableJson(row['columns']),
    }),
  )
}
