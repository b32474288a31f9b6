/**
 * What hangs on views, whoever made it: views and materialized views that read them or one another, functions of their
 * rows, and all else that the server would not let go without. It is found by the dependencies that the server keeps.
 */
import type { Relation } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { isAmong, nameOf } from './relations.ts'
import { membershipSql } from './rights.ts'

export interface Dependant {
  /** What it is and its name in the server's words: `materialized view finance.days`. */
  readonly what: string
  /** `other`: what svc cannot make anew, such as a table with a column of the view's type. */
  readonly kind: 'view' | 'routine' | 'other'
  readonly id: string
  readonly schema: string
  readonly name: string
  /** The views asked about that it hangs on, as `schema.name`; one of these hangs on itself. */
  readonly roots: readonly string[]
  readonly isRoot: boolean
  /** What it hangs on directly, by `id`. */
  readonly parents: readonly string[]
  /** The query of a view; the whole definition of a routine. */
  readonly body: string
  readonly create: string
  readonly drop: string
  /** Statements that give it back its owner, grants, comment, indexes, rules and triggers. */
  readonly extras: readonly string[]
  readonly columnExtras: readonly { readonly column: string; readonly sql: string }[]
  /** The statement that lets the role of svc make it anew; null where it may. */
  readonly missingGrant: string | null
}

/** Returns the views themselves and all that hangs on them, each behind what it hangs on. */
export async function dependantsOf(
  connection: Connection,
  views: readonly Relation[],
): Promise<readonly Dependant[]> {
  if (views.length === 0) return []
  const { rows } = await connection.query<Dependant>(
    `WITH RECURSIVE ${rootsAmong(views)}, ${found}, ${ordered} ${described}`,
  )
  return rows
}

/** Returns the views on which something hangs. To describe thousands of views would lock each of them, with what it reads. */
export async function viewsInUse(
  connection: Connection,
  views: readonly Relation[],
): Promise<readonly Relation[]> {
  if (views.length === 0) return []
  const { rows } = await connection.query<{ root: string }>(
    `WITH RECURSIVE ${rootsAmong(views)}, ${found} SELECT DISTINCT root FROM found WHERE depth > 0`,
  )
  const used = new Set(rows.map(({ root }) => root))
  return views.filter(view => used.has(nameOf(view)))
}

function rootsAmong(views: readonly Relation[]): string {
  return `roots AS (
      SELECT c.oid, n.nspname || '.' || c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind = 'v' AND ${isAmong(views)})`
}

/** The depth ends a circle, which a routine replaced by hand can make. */
const found = `found(class, oid, parent, root, depth) AS (
    SELECT 'pg_class'::regclass::oid, oid, NULL::text, name, 0 FROM roots
    UNION
    SELECT next.class, next.oid, found.class || '/' || found.oid, found.root, found.depth + 1
    FROM found
      CROSS JOIN LATERAL (
        SELECT found.class, found.oid
        UNION ALL
        SELECT 'pg_type'::regclass::oid, t.oid FROM pg_type AS t JOIN pg_type AS row ON row.oid = t.oid OR row.typarray = t.oid
        WHERE found.class = 'pg_class'::regclass AND row.typrelid = found.oid) AS thing(class, oid)
      JOIN pg_depend AS d ON d.refclassid = thing.class AND d.refobjid = thing.oid AND d.deptype = 'n'
      LEFT JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
      CROSS JOIN LATERAL (
        SELECT CASE WHEN r.rulename = '_RETURN' THEN 'pg_class'::regclass::oid ELSE d.classid END,
          CASE WHEN r.rulename = '_RETURN' THEN r.ev_class ELSE d.objid END) AS next(class, oid)
    WHERE found.depth < 100 AND r.ev_class IS DISTINCT FROM found.oid)`

const ordered = `ordered AS (
    SELECT class, oid, max(depth) AS depth, min(depth) = 0 AS is_root, array_agg(DISTINCT root) AS roots,
      array_remove(array_agg(DISTINCT parent), NULL) AS parents
    FROM found GROUP BY class, oid)`

/** What default privileges would give to a new relation is not what this one had. */
const grantsOfRelation = `ARRAY(
      SELECT DISTINCT format('REVOKE ALL ON %s FROM %s', m.name, g.name) FROM pg_default_acl AS given
        CROSS JOIN LATERAL aclexplode(given.defaclacl) AS a
        CROSS JOIN LATERAL (SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END) AS g(name)
      WHERE given.defaclobjtype = 'r' AND a.grantee <> c.relowner)
    || ARRAY(
      SELECT format('GRANT %s ON %s TO %s%s', a.privilege_type, m.name,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM aclexplode(c.relacl) AS a WHERE a.grantee <> c.relowner)`

/** svc itself writes the comment of the view that it makes. */
const extrasOfRelation = `ARRAY[format('ALTER %s %s OWNER TO %I', m.word, m.name, pg_get_userbyid(c.relowner)),
      CASE WHEN NOT o.is_root AND obj_description(c.oid, 'pg_class') IS NOT NULL
        THEN format('COMMENT ON %s %s IS %L', m.word, m.name, obj_description(c.oid, 'pg_class')) END]
    || ${grantsOfRelation}
    || ARRAY(SELECT pg_get_indexdef(i.indexrelid) FROM pg_index AS i WHERE i.indrelid = c.oid)
    || ARRAY(SELECT pg_get_statisticsobjdef(s.oid) FROM pg_statistic_ext AS s WHERE s.stxrelid = c.oid)
    || ARRAY(SELECT pg_get_ruledef(r.oid) FROM pg_rewrite AS r WHERE r.ev_class = c.oid AND r.rulename <> '_RETURN')
    || ARRAY(SELECT pg_get_triggerdef(t.oid) FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)`

const extrasOfColumns = `(SELECT json_agg(json_build_object('column', a.attname, 'sql', given.sql))
    FROM pg_attribute AS a CROSS JOIN LATERAL (
      SELECT format('COMMENT ON COLUMN %s.%I IS %L', m.name, a.attname, d.description)
        FROM pg_description AS d WHERE d.classoid = 'pg_class'::regclass AND d.objoid = c.oid AND d.objsubid = a.attnum
      UNION ALL
      SELECT format('GRANT %s (%I) ON %s TO %s%s', g.privilege_type, a.attname, m.name,
          CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END,
          CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        FROM aclexplode(a.attacl) AS g WHERE g.grantee <> c.relowner
      UNION ALL
      SELECT format('ALTER VIEW %s ALTER COLUMN %I SET DEFAULT %s', m.name, a.attname, pg_get_expr(d.adbin, d.adrelid))
        FROM pg_attrdef AS d WHERE d.adrelid = c.oid AND d.adnum = a.attnum) AS given(sql)
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)`

const extrasOfRoutine = `ARRAY[format('ALTER ROUTINE %s OWNER TO %I', m.name, pg_get_userbyid(p.proowner)),
      CASE WHEN obj_description(p.oid, 'pg_proc') IS NOT NULL
        THEN format('COMMENT ON ROUTINE %s IS %L', m.name, obj_description(p.oid, 'pg_proc')) END,
      CASE WHEN p.proacl IS NOT NULL THEN format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', m.name) END]
    || ARRAY(
      SELECT format('GRANT EXECUTE ON ROUTINE %s TO %s%s', m.name,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM aclexplode(p.proacl) AS a WHERE a.grantee <> p.proowner)`

const createRelation = `format('CREATE %s %s%s%s AS %s%s', m.word, m.name,
      CASE WHEN c.reloptions IS NOT NULL THEN ' WITH (' || array_to_string(c.reloptions, ', ') || ')' ELSE '' END,
      (SELECT format(' TABLESPACE %I', t.spcname) FROM pg_tablespace AS t WHERE t.oid = c.reltablespace),
      rtrim(pg_get_viewdef(c.oid), ';'), CASE WHEN c.relispopulated THEN '' ELSE ' WITH NO DATA' END)`

/** Whoever makes a relation anew has to belong to its owner, and to be let into its schema. */
const missingGrant = `CASE
      WHEN m.kind = 'other' THEN NULL
      WHEN NOT pg_has_role(m.owner, 'USAGE') THEN ${membershipSql('m.owner')}
      WHEN NOT has_schema_privilege(n.oid, 'CREATE') THEN format('GRANT USAGE, CREATE ON SCHEMA %I TO %I;', n.nspname, current_user)
    END`

const described = `SELECT pg_describe_object(o.class, o.oid, 0) AS what, m.kind, o.class || '/' || o.oid AS id,
    coalesce(n.nspname, '') AS schema, coalesce(c.relname, p.proname, '') AS name, o.roots, o.is_root AS "isRoot", o.parents,
    CASE m.kind WHEN 'view' THEN rtrim(pg_get_viewdef(c.oid), ';') WHEN 'routine' THEN pg_get_functiondef(p.oid) ELSE '' END AS body,
    CASE m.kind WHEN 'view' THEN ${createRelation} WHEN 'routine' THEN pg_get_functiondef(p.oid) ELSE '' END AS create,
    format('DROP %s %s', m.word, m.name) AS drop,
    array_remove(CASE m.kind WHEN 'view' THEN ${extrasOfRelation} WHEN 'routine' THEN ${extrasOfRoutine} ELSE ARRAY[]::text[] END, NULL) AS extras,
    coalesce(CASE m.kind WHEN 'view' THEN ${extrasOfColumns} END, '[]') AS "columnExtras", ${missingGrant} AS "missingGrant"
  FROM ordered AS o
    LEFT JOIN pg_class AS c ON o.class = 'pg_class'::regclass AND c.oid = o.oid
    LEFT JOIN pg_proc AS p ON o.class = 'pg_proc'::regclass AND p.oid = o.oid
    LEFT JOIN pg_namespace AS n ON n.oid = coalesce(c.relnamespace, p.pronamespace)
    CROSS JOIN LATERAL (
      SELECT CASE WHEN c.relkind IN ('v', 'm') THEN 'view' WHEN p.prokind IN ('f', 'p') THEN 'routine' ELSE 'other' END,
        CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'v' THEN 'VIEW' ELSE 'ROUTINE' END,
        CASE WHEN c.oid IS NULL THEN p.oid::regprocedure::text ELSE format('%I.%I', n.nspname, c.relname) END, coalesce(c.relowner, p.proowner))
      AS m(kind, word, name, owner)
  ORDER BY o.depth, pg_describe_object(o.class, o.oid, 0) COLLATE "C"`
