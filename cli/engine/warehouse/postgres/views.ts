/**
 * Production views as PostgreSQL has them: what each returns now, and the statements that give it another query. A view
 * can be replaced where its columns stay or new ones follow them; otherwise it is made anew, with what others hung on it.
 */
import type { Column } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import type { ProductionView, Relation } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { columnsByName, nameOf } from './relations.ts'

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
  const names = views.map(({ schema, name }) => `(${literal(schema)}, ${literal(name)})`)
  const { rows } = await connection.query<{ schema: string; name: string; kind: string }>(
    `SELECT n.nspname AS schema, c.relname AS name, c.relkind::text AS kind FROM pg_class AS c
     JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.relkind <> 'v' AND (n.nspname, c.relname) IN (${names.join(', ')}) LIMIT 1`,
  )
  const [found] = rows
  if (found === undefined) return
  throw new SvcError(
    'foreign-object',
    `${found.schema}.${found.name} is a ${kindNames[found.kind] ?? 'relation'} that svc did not make`,
    { hint: 'Rename it or drop it, or choose another schema; production is unchanged.' },
  )
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
  if (present === undefined) return true
  return present.every(
    ({ name, type }, place) => columns[place]?.name === name && columns[place]?.type === type,
  )
}

/** The query of a production view, with exactly its columns. */
export function viewQuery({ target, query, columns }: ProductionView): string {
  const source = query === undefined ? dialect.relation(target) : `(\n${query}\n) AS svc_query`
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
 * Returns the statements that make a view anew, with its owner and its grants, and with the views of others that read
 * it, which have theirs as well. They fail where such a view reads a column that is gone.
 */
export async function remakeStatements(connection: Connection, change: ViewChange): Promise<string[]> {
  const name = dialect.relation(change.wanted.view)
  const { rows: dependants } = await connection.query<Dependant>(dependantsSql(name))
  const [self, ...readers] = dependants
  return [
    ...[...readers].reverse().map(({ drop }) => drop),
    `DROP VIEW ${name}`,
    ...replaceStatements(change),
    ...(self?.extras ?? []),
    ...readers.flatMap(({ create, extras }) => [create, ...extras]),
  ]
}

interface Dependant {
  readonly create: string
  readonly drop: string
  /** Statements for owner, grants and comments. */
  readonly extras: readonly string[]
}

/** The view itself first, and then what reads it, directly or not, each after what it reads. */
function dependantsSql(name: string): string {
  return `WITH RECURSIVE readers(oid, depth) AS (
      SELECT ${literal(name)}::regclass::oid, 0
      UNION ALL
      SELECT r.ev_class, readers.depth + 1 FROM readers
        JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = readers.oid AND d.classid = 'pg_rewrite'::regclass
        JOIN pg_rewrite AS r ON r.oid = d.objid
      WHERE r.ev_class <> readers.oid),
    ordered AS (SELECT oid, max(depth) AS depth FROM readers GROUP BY oid)
    SELECT format('CREATE %sVIEW %I.%I AS %s', m.word, n.nspname, c.relname, pg_get_viewdef(c.oid)) AS create,
      format('DROP %sVIEW %I.%I', m.word, n.nspname, c.relname) AS drop,
      array_remove(ARRAY[format('ALTER %sVIEW %I.%I OWNER TO %I', m.word, n.nspname, c.relname, pg_get_userbyid(c.relowner)),
          CASE WHEN o.depth > 0 AND obj_description(c.oid, 'pg_class') IS NOT NULL
            THEN format('COMMENT ON %sVIEW %I.%I IS %L', m.word, n.nspname, c.relname, obj_description(c.oid, 'pg_class')) END]
        || (SELECT array_agg(format('GRANT %s ON %I.%I TO %s%s', a.privilege_type, n.nspname, c.relname,
              CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
              CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END))
            FROM aclexplode(c.relacl) AS a WHERE a.grantee <> c.relowner), NULL) AS extras
    FROM ordered AS o JOIN pg_class AS c ON c.oid = o.oid JOIN pg_namespace AS n ON n.oid = c.relnamespace
      CROSS JOIN LATERAL (SELECT CASE c.relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE '' END AS word) AS m
    ORDER BY o.depth, c.oid`
}
