/**
 * Owners of production views. A view reads with the rights of its owner, whoever asks: where that is another role than the
 * one that makes the builds, it must be let in to what its view reads from now on, or production answers nobody.
 */
import { SvcError } from '../../errors.ts'
import type { Relation } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { isAmong, nameOf } from './relations.ts'

/** Returns those of the views that belong to another role than the one of this connection. */
export async function ownedByOthers<View extends { readonly view: Relation }>(
  connection: Connection,
  views: readonly View[],
): Promise<readonly View[]> {
  if (views.length === 0) return []
  const { rows } = await connection.query<Relation>(
    `SELECT n.nspname AS schema, c.relname AS name FROM ${viewsNamed(views.map(({ view }) => view))}`,
  )
  const found = new Set(rows.map(nameOf))
  return views.filter(({ view }) => found.has(nameOf(view)))
}

interface Closed {
  readonly owner: string
  readonly view: string
  readonly read: string
  readonly statement: string
  /** Whether the role of this connection may give the right. */
  readonly may: boolean
}

/**
 * Lets the owners of views read what these read now, in the transaction that makes them. Throws SvcError `foreign-object`
 * where only an administrator can do that.
 */
export async function letOwnersRead(connection: Connection, views: readonly Relation[]): Promise<void> {
  if (views.length === 0) return
  const { rows } = await connection.query<Closed>(closedSql(views))
  const stuck = rows.find(({ may }) => !may)
  if (stuck !== undefined) {
    throw new SvcError(
      'foreign-object',
      `${stuck.owner}, who owns the view ${stuck.view}, may not read ${stuck.read}, and so nobody could read the view`,
      { hint: `${stuck.statement}; or give the view to the role of svc. Production is unchanged.` },
    )
  }
  const statements = [...new Set(rows.map(({ statement }) => statement))]
  if (statements.length > 0) await connection.query(statements.join(';\n'))
}

function viewsNamed(views: readonly Relation[]): string {
  return `pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind = 'v' AND ${isAmong(views)}
      AND c.relowner <> (SELECT oid FROM pg_roles WHERE rolname = current_user)`
}

function closedSql(views: readonly Relation[]): string {
  return `WITH view AS (SELECT c.oid, c.relowner AS owner, n.nspname || '.' || c.relname AS name FROM ${viewsNamed(views)}),
    read AS (
      SELECT DISTINCT view.owner, view.name AS view, t.oid, t.relowner, n.nspname, n.oid AS schema, n.nspowner,
        format('%I.%I', n.nspname, t.relname) AS name
      FROM view JOIN pg_rewrite AS r ON r.ev_class = view.oid
        JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
          AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> view.oid
        JOIN pg_class AS t ON t.oid = d.refobjid AND t.relkind IN ('r', 'v', 'm', 'f', 'p')
        JOIN pg_namespace AS n ON n.oid = t.relnamespace)
    SELECT pg_get_userbyid(owner) AS owner, view, name AS read,
      format('GRANT USAGE ON SCHEMA %I TO %I', nspname, pg_get_userbyid(owner)) AS statement,
      pg_has_role(nspowner, 'USAGE') OR has_schema_privilege(schema, 'USAGE WITH GRANT OPTION') AS may
    FROM read WHERE NOT has_schema_privilege(owner, schema, 'USAGE')
    UNION ALL
    SELECT pg_get_userbyid(owner), view, name, format('GRANT SELECT ON %s TO %I', name, pg_get_userbyid(owner)),
      pg_has_role(relowner, 'USAGE') OR has_table_privilege(oid, 'SELECT WITH GRANT OPTION')
    FROM read WHERE NOT has_table_privilege(owner, oid, 'SELECT')`
}
