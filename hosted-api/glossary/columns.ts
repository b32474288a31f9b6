/**
 * Whether the asset of a link has the column that the link names. An asset whose columns are not known, or not all of them,
 * may have any column.
 */
import { type NameIndex, newNameIndex } from '../../server/language/text/name-index.ts'
import type { Principal } from '../http/index.ts'
import { columnsOf, type Queries, type Row } from '../storage/index.ts'
import type { Kind } from './kind.ts'
import type { Content } from './record.ts'

/** Told of a column that was not found. */
export interface ColumnNote {
  readonly code: 'unknown_column' | 'unchecked_column'
  readonly detail: string
  readonly pointer: string
}

export interface ColumnFinder {
  /** Returns nothing where the asset has the column, or the content names none. */
  noteOf(kind: Kind, content: Content): Promise<ColumnNote | undefined>
}

/**
 * Returns the finder of one request, which reads the columns of an asset once for all links to it.
 * @param queries of one moment: a transaction, or what is asked once
 */
export function createColumnFinder(queries: Queries, { scopes }: Pick<Principal, 'scopes'>): ColumnFinder {
  const known = new Map<number, KnownAsset>()
  let names = 0

  async function assetOf(id: number): Promise<KnownAsset> {
    const before = known.get(id)
    if (before !== undefined) return before
    const asset = readAsset(await queries.first(selectColumns, [id]))
    names += asset.names.length
    if (names > mostNames) {
      known.clear()
      names = asset.names.length
    }
    known.set(id, asset)
    return asset
  }

  return {
    async noteOf(kind, content) {
      const field = kind.fields.find(each => each.columnOf !== undefined)
      if (field?.columnOf === undefined || content[field.name] == null) return undefined
      const column = String(content[field.name])
      const asset = await assetOf(Number(content[field.columnOf]))
      const note = noteOf(column, asset, scopes.has('metadata:read'))
      return note && { ...note, pointer: `/${field.name}` }
    },
  }
}

/** Names that are kept at most. */
const mostNames = 50_000

const selectColumns = `select found.name, found.columns, found.details from asset_state as found
  join metadata_head as head on head.project_id = found.project_id
  where found.asset_id = ? and found.from_upload <= head.upload_id
    and (found.to_upload is null or found.to_upload > head.upload_id)`

interface KnownAsset {
  /** Undefined if the project does not have it now. */
  readonly name?: string
  readonly names: readonly string[]
  readonly folded: ReadonlySet<string>
  readonly index: NameIndex
  /** False if it may have other columns than these. */
  readonly isComplete: boolean
}

function readAsset(row: Row | undefined): KnownAsset {
  const [name, columns, details] = [row?.['name'], row?.['columns'] ?? null, row?.['details'] ?? '{}']
  const names = columns === null ? [] : columnsOf(String(columns)).map(each => each.name)
  const { columns_complete: told } = JSON.parse(String(details)) as Content
  return {
    ...(name !== undefined && { name: String(name) }),
    names,
    folded: new Set(names.map(each => each.toLowerCase())),
    index: newNameIndex(names),
    isComplete: names.length > 0 && told !== false,
  }
}

/** @param showsNames whether names of other columns may be told: they are metadata */
function noteOf(
  column: string,
  asset: KnownAsset,
  showsNames: boolean,
): Omit<ColumnNote, 'pointer'> | undefined {
  if (asset.folded.has(column.toLowerCase())) return undefined
  const name = asset.name === undefined ? 'the asset' : `"${asset.name}"`
  if (asset.isComplete) {
    const hint = showsNames ? hintOf(column, asset) : '.'
    return { code: 'unknown_column', detail: `${name} has no column "${column}"${hint}` }
  }
  const detail = `Not all columns of ${name} are known here, so "${column}" was not checked.`
  return { code: 'unchecked_column', detail }
}

/** Names that are listed where none is near. */
const mostListed = 10

function hintOf(column: string, { names, index }: KnownAsset): string {
  const [nearest] = index.nearest(column, 1)
  if (nearest !== undefined) return `; did you mean "${nearest}"?`
  const more = names.length > mostListed ? ', …' : '.'
  return `; it has ${names.slice(0, mostListed).join(', ')}${more}`
}
