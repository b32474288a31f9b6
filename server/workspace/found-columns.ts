/**
 * Reads and writes `.svc/found_columns.json`: the columns that the last run found where they depend on data.
 * A missing, damaged or foreign file is ignored.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FoundByAsset, FoundColumns } from '../catalog/index.ts'
import { type Column, type Engine, isRecord } from '../language/index.ts'

export const foundColumnsFile = '.svc/found_columns.json'

/** Raised when the format of the file changes. */
const version = 2

/** A larger file is ignored; nobody has that many columns. */
const largestBytes = 50_000_000

/** Columns are stored as pairs of name and type, because an asset may have thousands. */
type Packed = readonly (readonly [name: string, type: string | null])[]

export function readFoundColumns(root: string, engine: Engine): FoundByAsset {
  return foundIn(assetsByEngine(root)[engine.kind])
}

/** Returns the content of the file with the columns that `engine` found, beside those that other engines did. */
export function foundColumnsContent(root: string, engine: Engine, byAsset: FoundByAsset): unknown {
  return { version, engines: { ...assetsByEngine(root), [engine.kind]: packedFound(byAsset) } }
}

/** Environments of several engines take turns: each knows the types that it found itself. */
function assetsByEngine(root: string): Readonly<Record<string, unknown>> {
  try {
    const path = join(root, foundColumnsFile)
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined || size > largestBytes) return {}
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const isKnown = isRecord(value) && value['version'] === version && isRecord(value['engines'])
    return isKnown ? (value['engines'] as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export function packedFound(byAsset: FoundByAsset): unknown {
  const assets = [...byAsset].map(([name, { ground, columns }]): [string, unknown] => {
    const packed: Packed = columns.map(column => [column.name, column.type ?? null])
    return [name, { ground, columns: packed }]
  })
  return Object.fromEntries(assets)
}

export function isSameFound(a: FoundByAsset, b: FoundByAsset): boolean {
  return JSON.stringify(packedFound(a)) === JSON.stringify(packedFound(b))
}

function foundIn(assets: unknown): FoundByAsset {
  if (!isRecord(assets)) return new Map()
  return new Map(
    Object.entries(assets).flatMap(([name, entry]): [string, FoundColumns][] => {
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
