/** Warnings about a record, which do not prevent it from being stored. */
import type { Cell, Queries } from '../storage/index.ts'
import type { ColumnFinder, ColumnNote } from './columns.ts'
import type { Kind } from './kind.ts'
import type { Content, GlossaryRecord } from './record.ts'

/** A record, or the draft of one, which has no number yet and perhaps no identifier. */
type Draft = Content & { readonly project: number }

export interface ContentWarning {
  readonly code:
    | 'identifier_convention'
    | 'duplicate_name'
    | 'unknown_asset'
    | 'unknown_term'
    | 'owner_shape'
    | ColumnNote['code']
  readonly detail: string
  readonly pointer: string
}

/** Returns the warnings, but for the identifier of another record with the name, which a creation tells by itself. */
export async function warningsOf(
  queries: Queries,
  kind: Kind,
  record: Draft,
  columns: ColumnFinder,
): Promise<(twin: Cell) => readonly ContentWarning[]> {
  if (!kind.named) {
    const note = await columns.noteOf(kind, record)
    return () => (note === undefined ? [] : [note])
  }
  const first = [...conventionWarnings(kind, record), ...ownerWarnings(record)]
  const last = [...(await unknownAssets(queries, record)), ...(await unknownTerms(queries, record))]
  return twin => [...first, ...duplicateNames(twin), ...last]
}

/** Returns the identifier of another record with the name of this one. */
export async function twinOf(
  queries: Queries,
  kind: Kind,
  { id, name, project }: GlossaryRecord,
): Promise<Cell> {
  if (!kind.named) return null
  const twin = await queries.first(
    `select identifier from ${kind.name} where project_id = ? and name = ? and id <> ? and deleted_at is null limit 1`,
    [project, String(name), id],
  )
  return twin?.['identifier'] ?? null
}

function conventionWarnings(kind: Kind, { identifier }: Draft): readonly ContentWarning[] {
  if (identifier === undefined || String(identifier).startsWith(`${kind.prefix}.`)) return []
  const detail = `By convention the identifier of a ${kind.name} begins with "${kind.prefix}.".`
  return [{ code: 'identifier_convention', detail, pointer: '/identifier' }]
}

function ownerWarnings({ owner }: Draft): readonly ContentWarning[] {
  if (typeof owner !== 'string' || /^[^\s@]+@[^\s@]+$/.test(owner)) return []
  return [{ code: 'owner_shape', detail: `"${owner}" is no e-mail address.`, pointer: '/owner' }]
}

function duplicateNames(twin: Cell): readonly ContentWarning[] {
  return twin === null
    ? []
    : [{ code: 'duplicate_name', detail: `${twin} has the same name.`, pointer: '/name' }]
}

async function unknownAssets(queries: Queries, record: Draft): Promise<readonly ContentWarning[]> {
  const names = (record['source_assets'] as readonly string[] | undefined) ?? []
  const live = { table: 'asset', column: 'name', end: 'removed_at' }
  return (await unknownOf(queries, record.project, names, live)).map(name => ({
    code: 'unknown_asset',
    detail: `The project has no asset "${name}".`,
    pointer: '/source_assets',
  }))
}

async function unknownTerms(queries: Queries, record: Draft): Promise<readonly ContentWarning[]> {
  const related = (record['related'] as readonly { readonly term: string }[] | undefined) ?? []
  const names = related.map(({ term }) => term)
  const live = { table: 'term', column: 'identifier', end: 'deleted_at' }
  return (await unknownOf(queries, record.project, names, live)).map(name => ({
    code: 'unknown_term',
    detail: `The project has no term "${name}".`,
    pointer: '/related',
  }))
}

/** @param live where the names are; `end` is null for what exists */
async function unknownOf(
  { build, all }: Queries,
  project: number,
  names: readonly string[],
  { table, column, end }: Readonly<Record<'table' | 'column' | 'end', string>>,
): Promise<readonly string[]> {
  if (names.length === 0) return []
  const query = build(table).select(column).where('project_id', project)
  const rows = await all(query.whereIn(column, names).whereNull(end))
  const known = new Set(rows.map(row => row[column]))
  return [...new Set(names)].filter(name => !known.has(name))
}
