/** Names that users give to columns, and that SQL, an engine or svc may take for something else. */
import { join } from 'node:path'
import { madeNames } from '../../architecture/own-names.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Columns that every table of PostgreSQL has: no other column may have these names there. */
export const systemOfPostgres = ['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'] as const

const engineWords = `
  oid rowid rownum row_number filename file_row_number file_index hive_partitioning generate_series unnest range value
  values key keys record n row rows found source target excluded new old this self user current_user session_user
  current_role current_date current_time current_timestamp localtime localtimestamp current_catalog current_schema
  select table order group by having where from to as is in not null true false and or any all some exists between like
  ilike similar case when then else end union intersect except distinct limit offset fetch window over partition
  qualify sample using on join left right full inner outer cross natural lateral with recursive materialized insert
  update delete merge into set default check primary foreign references unique constraint index view schema database
  catalog create drop alter column columns add cast collate asc desc nulls first last for grant analyze analyse array
  struct map list json text date time timestamp interval integer bigint varchar boolean numeric decimal position
  overlay substring trim extract coalesce nullif greatest least count sum min max avg result name type id kind state
  status valid_from valid_to placing pivot unpivot describe show summarize lambda macro function returning do nothing
  both leading trailing only asymmetric symmetric variadic verbose freeze binary authorization concurrently initially
  deferrable initiate notnull isnull overlaps tablesample at t a b c x y i j s q l r data item rejected reason raw
  hash digest parent idx position_of batch stage build live run asset run_id
`

/** Names without those of `but`, in tables of `size`: the first one is the key of a table. */
export function tablesOfNames(size: number, but: readonly string[] = []): readonly (readonly string[])[] {
  const names = givenNames().filter(name => !but.includes(name))
  const tables: string[][] = []
  // The last table takes what is left over: a table needs some columns of each role.
  for (let at = 0; at + 6 <= names.length; at += size) tables.push(names.slice(at, at + size))
  return tables
}

/** Every name that our SQL has behind its prefix, and the words of both engines. */
export function givenNames(): readonly string[] {
  const words = `${systemOfPostgres.join(' ')} ${engineWords}`.trim().split(/\s+/)
  return [...new Set([...madeNames(root), ...words])].sort()
}
