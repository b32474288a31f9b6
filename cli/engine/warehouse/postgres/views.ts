/**
 * Production views as PostgreSQL has them: what each returns now, and the statements that give it another query. A view
 * can be replaced where its columns stay or new ones follow them; otherwise it is made anew, with what others hung on it.
 */
import { type Column, internalName } from '@svc/server/language'
import { foreignRelation } from '../promotion-failures.ts'
import type { ProductionView, Relation } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { type Dependant, dependantsOf } from './dependants.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { columnsByName, isAmong, nameOf } from './relations.ts'

const { identifier, literal } = dialect

/** A wanted view, its columns as the server will have them, and those that it has now. */
export interface ViewChange {
  readonly wanted: ProductionView
  readonly columns: readonly Column[]
  readonly present: readonly Column[] | undefined
}

/** Throws SvcError `foreign-object` where the name of a view belongs to something else. */
export async function readViewChanges(
  connection: Connection,
  views: readonly ProductionView[],
): Promise<readonly ViewChange[]> {
  await refuseForeign(
    connection,
    views.map(({ view }) => view),
  )
  const present = await columnsByName(
    connection,
    views.map(({ view }) => view),
  )
  const targets = await columnsByName(
    connection,
    views.flatMap(({ target, query }) => (query === undefined ? [target] : [])),
  )
  return views.map(wanted => ({
    wanted,
    columns: typedColumns(wanted, targets.get(nameOf(wanted.target))),
    present: present.get(nameOf(wanted.view)),
  }))
}

/** The types of a table are asked of the server; those of a query are known from its build. */
function typedColumns(
  { columns, query }: ProductionView,
  target: readonly Column[] | undefined,
): readonly Column[] {
  if (query !== undefined || target === undefined) return columns
  const types = new Map(target.map(({ name, type }) => [name, type]))
  return columns.map(column => ({ ...column, type: types.get(column.name) ?? column.type }))
}

export async function refuseForeign(connection: Connection, views: readonly Relation[]): Promise<void> {
  if (views.length === 0) return
  const { rows } = await connection.query<{ schema: string; name: string; kind: string }>(
    `SELECT n.nspname AS schema, c.relname AS name, c.relkind::text AS kind FROM pg_class AS c
     JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.relkind <> 'v' AND ${isAmong(views)} LIMIT 1`,
  )
  const [found] = rows
  if (found === undefined) return
  throw foreignRelation(nameOf(found), kindNames[found.kind] ?? 'relation')
}

const kindNames: Readonly<Record<string, string>> = {
  r: 'table',
  p: 'partitioned table',
  f: 'foreign table',
  m: 'materialized view',
  S: 'sequence',
  i: 'index',
  c: 'type',
}

/** Returns whether CREATE OR REPLACE VIEW can do it: the present columns stay as they are, and others follow. */
export function isReplaceable({ columns, present }: ViewChange): boolean {
  return present === undefined || staysReplaceable(present, columns)
}

export function staysReplaceable(before: readonly Column[], after: readonly Column[]): boolean {
  return before.every(({ name, type }, place) => after[place]?.name === name && after[place]?.type === type)
}

/** The query of a production view, with exactly its columns. */
export function viewQuery({ target, query, columns }: ProductionView): string {
  const source = query === undefined ? dialect.relation(target) : `(\n${query}\n) AS ${internalName('query')}`
  return `SELECT ${columns.map(column => identifier(column.name)).join(', ')} FROM ${source}`
}

export function replaceStatements({ wanted }: ViewChange): string[] {
  if (wanted.columns.length === 0)
    throw new Error(`production view ${wanted.view.schema}.${wanted.view.name} has no columns`)
  return [
    `CREATE OR REPLACE VIEW ${dialect.relation(wanted.view)} AS ${viewQuery(wanted)}`,
    ...commentOf(wanted),
  ]
}

function commentOf({ view, description }: ProductionView): string[] {
  if (description === undefined) return []
  return [`COMMENT ON VIEW ${dialect.relation(view)} IS ${literal(description)}`]
}

/**
 * Returns the statements that make views anew, each with its owner and its grants, and with what others have made of them,
 * which keeps its own as well. All of them go before one is made again: what reads two of them may need both new shapes.
 * They fail where a column is gone that others read, or where svc cannot make anew what stands in the way.
 */
export async function remakeStatements(
  connection: Connection,
  changes: readonly ViewChange[],
): Promise<string[]> {
  const dependants = await dependantsOf(
    connection,
    changes.map(({ wanted }) => wanted.view),
  )
  const readers = dependants.filter(({ isRoot, kind }) => !isRoot && kind !== 'other')
  return [
    ...readers.map(({ drop }) => drop).reverse(),
    ...changes.map(({ wanted }) => `DROP VIEW ${dialect.relation(wanted.view)}`),
    ...changes.flatMap(replaceStatements),
    ...dependants.filter(({ isRoot }) => isRoot).flatMap(root => extrasOf(root, changes)),
    // The texts of functions name what the settings of their callers find.
    ...(readers.some(({ kind }) => kind === 'routine') ? ['SET LOCAL check_function_bodies = off'] : []),
    ...readers.flatMap(reader => [
      reader.create,
      ...reader.extras,
      ...reader.columnExtras.map(({ sql }) => sql),
    ]),
  ]
}

/** What somebody hung on a column goes with it. */
function extrasOf(
  { schema, name, extras, columnExtras }: Dependant,
  changes: readonly ViewChange[],
): string[] {
  const change = changes.find(({ wanted: { view } }) => view.schema === schema && view.name === name)
  const kept = new Set(change?.columns.map(column => column.name))
  return [...extras, ...columnExtras.filter(({ column }) => kept.has(column)).map(({ sql }) => sql)]
}
