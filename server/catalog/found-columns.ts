/**
 * The columns that depend on data, as the last run found them: those of a PIVOT without a list of values, or
 * of a star over a source whose columns are known only at run time. They are used while the SQL and its
 * inputs stay the same; the asset may have other columns too.
 */
import { createHash } from 'node:crypto'
import type { Asset, Column, Engine, RawTable, Settings } from '../language/index.ts'
import { readsOf, usesVars, varsSignature } from './changes.ts'
import { type FoundColumns, rawSignature } from './outside.ts'
import { isPlaceholder } from './relations.ts'

/** The context that the columns of an asset depend on. */
export interface Surroundings {
  readonly settings: Settings
  /** Returns undefined if nothing is known of this asset. */
  columnsOf(asset: string): readonly Column[] | undefined
  /** Returns the raw tables of the asset's own source. */
  rawTables(asset: string): readonly RawTable[] | undefined
}

/**
 * Returns a hash of the SQL, its variables and the columns that it reads. Found columns hold while it stays
 * the same.
 */
export function groundOfFound(asset: Asset, around: Surroundings): string {
  const columns = readsOf(asset).map(name => [
    name,
    around.columnsOf(name)?.map(column => [column.name, column.type ?? null]),
  ])
  const vars = usesVars(asset) ? varsSignature(around.settings) : ''
  const ground = [asset.sql?.text ?? '', vars, rawSignature(around.rawTables(asset.name)), columns]
  return createHash('sha256').update(JSON.stringify(ground)).digest('base64url')
}

/** Returns the found columns; undefined if they were found for another version of the SQL or its inputs. */
export function believed(
  found: FoundColumns,
  asset: Asset,
  around: Surroundings,
  engine: Engine,
): readonly Column[] | undefined {
  if (!areTable(found.columns, engine) || found.ground !== groundOfFound(asset, around)) return undefined
  return found.columns.map(({ name, type }) => ({ name, type: isType(type, engine) ? type : undefined }))
}

/**
 * Returns false if two columns have the same name, which a table cannot have: then the record was edited by
 * hand.
 */
function areTable(columns: readonly Column[], { fold }: Engine): boolean {
  const names = new Set(columns.map(({ name }) => fold(name)))
  return (
    names.size === columns.length &&
    columns.every(({ name }) => name !== '' && !name.includes('\0') && !isPlaceholder(name))
  )
}

/**
 * Returns whether the type is known here: a type of an extension that is not loaded would break every
 * statement over the table.
 */
function isType(type: string | undefined, { types }: Engine): boolean {
  return type !== undefined && types.problem(type) === undefined
}
