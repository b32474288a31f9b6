/** What the search finds of an asset: its names, columns, descriptions, owner and tags. */
import { type SearchText, searchText } from '../../glossary/search-text.ts'
import type { PackAsset } from './pack.ts'

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
