/**
 * Reads and writes `.svc/found_columns.json`: the columns that the last run found where they depend on data.
 * A missing, damaged or foreign file is ignored.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FoundByAsset, FoundColumns } from '../catalog/index.ts'
import { type Column, isRecord } from '../language/index.ts'

export const foundColumnsFile = '.svc/found_columns.json'

/** Raised when the format of the file changes. */
const version = 1

/** A larger file is ignored; nobody has that many columns. */
const largestBytes = 50_000_000

/** Columns are stored as pairs of name and type, because an asset may have thousands. */
type Packed = readonly (readonly [name: string, type: string | null])[]

export function readFoundColumns(root: string): FoundByAsset {
  try {
    const path = join(root, foundColumnsFile)
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined || size > largestBytes) return new Map()
    return foundIn(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return new Map()
  }
}

export function packedFound(byAsset: FoundByAsset): unknown {
  const assets = [...byAsset].map(([name, { ground, columns }]): [string, unknown] => {
    const packed: Packed = columns.map(column => [column.name, column.type ?? null])
    return [name, { ground, columns: packed }]
  })
  return { version, assets: Object.fromEntries(assets) }
}

function foundIn(value: unknown): FoundByAsset {
  if (!isRecord(value) || value['version'] !== version || !isRecord(value['assets'])) return new Map()
  return new Map(
    Object.entries(value['assets']).flatMap(([name, entry]): [string, FoundColumns][] => {
      const columns = isRecord(entry) && columnsIn(entry['columns'])
      if (!columns || typeof entry['ground'] !== 'string') return []
      return [[name, { ground: entry['ground'], columns }]]
    }),
  )
}

function columnsIn(value: unknown): readonly Column[] | undefined {
  if (!Array.isArray(value)) return undefined
  const columns = (value as readonly unknown[]).flatMap((pair): Column[] => {
    if (!Array.isArray(pair)) return []
    const [name, type] = pair as readonly unknown[]
    if (typeof name !== 'string' || (typeof type !== 'string' && type !== null)) return []
    return [{ name, type: type ?? undefined }]
  })
  return columns.length === value.length ? columns : undefined
}
