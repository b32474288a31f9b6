/**
 * Columns that the data decide, as the last run found them: those of a PIVOT without a list of values, of a star over a
 * source that tells its columns only when it is asked. They are believed while the SQL and all that it reads stay as
 * they were; what they do not name may be there all the same.
 */
import { createHash } from 'node:crypto'
import type { Asset, Column, Engine, RawTable, Settings } from '../language/index.ts'
import { readsOf, usesVars, varsSignature } from './changes.ts'
import { type FoundColumns, rawSignature } from './outside.ts'
import { isPlaceholder } from './relations.ts'

/** What the columns of an asset rest on. */
export interface Surroundings {
  readonly settings: Settings
  /** Undefined: nothing is known of an asset of this name. */
  columnsOf(asset: string): readonly Column[] | undefined
  /** Of the asset's own source. */
  rawTables(asset: string): readonly RawTable[] | undefined
}

/** The same one as long as the SQL, its variables and the columns that it reads are the same. */
export function groundOfFound(asset: Asset, around: Surroundings): string {
  const columns = readsOf(asset).map(name => [
    name,
    around.columnsOf(name)?.map(column => [column.name, column.type ?? null]),
  ])
  const vars = usesVars(asset) ? varsSignature(around.settings) : ''
  const ground = [asset.sql?.text ?? '', vars, rawSignature(around.rawTables(asset.name)), columns]
  return createHash('sha256').update(JSON.stringify(ground)).digest('base64url')
}

/** Undefined: what was found was found in something else. */
export function believed(
  found: FoundColumns,
  asset: Asset,
  around: Surroundings,
  engine: Engine,
): readonly Column[] | undefined {
  if (!areTable(found.columns, engine) || found.ground !== groundOfFound(asset, around)) return undefined
  return found.columns.map(({ name, type }) => ({ name, type: isType(type, engine) ? type : undefined }))
}

/** No table has columns like others: somebody else has written them down. */
function areTable(columns: readonly Column[], { fold }: Engine): boolean {
  const names = new Set(columns.map(({ name }) => fold(name)))
  return (
    names.size === columns.length &&
    columns.every(({ name }) => name !== '' && !name.includes('\0') && !isPlaceholder(name))
  )
}

/** One of an extension that is not loaded here would break every statement over the table. */
function isType(type: string | undefined, { types }: Engine): boolean {
  return type !== undefined && types.problem(type) === undefined
}
