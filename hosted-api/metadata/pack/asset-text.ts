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
  const told = columns.map(column => [column.name, column.description])
  return searchText(name, [identifier], [path, description, owner, tags, told])
}
