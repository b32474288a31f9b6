/**
 * The inputs of an analysis besides the project's files: the shapes of sources and the columns that the last
 * run found.
 */
import type { Column, RawTable, SourceShapes } from '../language/index.ts'

export interface FoundColumns {
  /** `groundOfFound` of the asset that was built. */
  readonly ground: string
  /** The columns in the order of the table. */
  readonly columns: readonly Column[]
}

/** Found columns by the name of the asset. */
export type FoundByAsset = ReadonlyMap<string, FoundColumns>

export const nothingFound: FoundByAsset = new Map()

export interface Outside {
  readonly sources: SourceShapes
  readonly found: FoundByAsset
}

export function rawSignature(tables: readonly RawTable[] | undefined): string {
  return tables === undefined ? '' : JSON.stringify(tables)
}

/** Returns a signature; the analysis of an asset stays valid while it is the same. */
export function outsideSignature({ sources, found }: Outside, name: string): string {
  const raw = rawSignature(sources.get(name))
  const own = found.get(name)
  return own === undefined ? raw : `${raw}\n${foundSignature(own)}`
}

export function sameOutside(before: Outside | undefined, now: Outside, name: string): boolean {
  return (
    sameRaw(before?.sources.get(name), now.sources.get(name)) &&
    sameFound(before?.found.get(name), now.found.get(name))
  )
}

function sameRaw(a: readonly RawTable[] | undefined, b: readonly RawTable[] | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b))
}

function sameFound(a: FoundColumns | undefined, b: FoundColumns | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && foundSignature(a) === foundSignature(b))
}

function foundSignature({ ground, columns }: FoundColumns): string {
  return JSON.stringify([ground, columns.map(({ name, type }) => [name, type ?? null])])
}
