/** Queries schemas, relations and their columns in the catalogue of PostgreSQL; functions whose name says drop, drop. */
import { type Column, internalName } from '@svc/server/language'
import type { Inventory, InventoryEntry, PresentRelation, Relation, RelationKind } from '../warehouse.ts'
import { afterConflicts, type Connection, inTransaction, runStatements } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { codeOf } from './failures.ts'
import { lockRoom } from './room.ts'

const { literal } = dialect

/** Tables and what is read like them; the other relations are views. */
const tableKinds = "'r', 'p', 'f'"
const viewKinds = "'v', 'm'"
const isForeignSchema = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`

interface ColumnRow {
  readonly schema: string
  readonly name: string
  readonly column: string
  readonly type: string
}

const columnsSelect = `SELECT n.nspname AS schema, c.relname AS name, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE a.attnum > 0 AND NOT a.attisdropped`

/** Returns columns by `schema.name`; relations that do not exist are absent. */
export async function columnsByName(
  connection: Connection,
  relations: readonly Relation[],
): Promise<Map<string, Column[]>> {
  const found = new Map<string, Column[]>()
  if (relations.length === 0) return found
  const { rows } = await connection.query<ColumnRow>(
    `${columnsSelect} AND ${isAmong(relations)} ORDER BY c.oid, a.attnum`,
  )
  for (const { schema, name, column, type } of rows) {
    const key = nameOf({ schema, name })
    const columns = found.get(key) ?? []
    columns.push({ name: column, type })
    found.set(key, columns)
  }
  return found
}

/** SQL of the columns of one relation, as rows of `column` and `type`; none if it is not there. */
export function columnsSql(relation: Relation): string {
  const name = literal(dialect.relation(relation))
  return `SELECT a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type FROM pg_attribute AS a
    WHERE a.attrelid = to_regclass(${name}) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`
}

/**
 * SQL of whether the relation `c` of the schema `n` is one of these. The names go in as arrays: the server takes a list of
 * thousands of pairs for as many nested conditions, and refuses it.
 */
export function isAmong(relations: readonly Relation[]): string {
  const array = (names: readonly string[]) => `ARRAY[${names.map(literal).join(', ')}]::name[]`
  const schemas = array(relations.map(({ schema }) => schema))
  const names = array(relations.map(({ name }) => name))
  return `(n.nspname, c.relname) IN (SELECT * FROM unnest(${schemas}, ${names}))`
}

export function nameOf({ schema, name }: Relation): string {
  return `${schema}.${name}`
}

/** Returns the output columns of a query, without running it: a LIMIT of 0 asks for no row. */
export async function describe(connection: Connection, sql: string): Promise<Column[]> {
  const { fields } = await connection.query(
    `SELECT * FROM (\n${sql}\n) AS ${internalName('described')} LIMIT 0`,
  )
  if (fields.length === 0) return []
  const types = fields.map(
    ({ dataTypeID, dataTypeModifier }, index) =>
      `(${index}, format_type(${dataTypeID}, ${dataTypeModifier}))`,
  )
  const { rows } = await connection.query<{ type: string }>(
    `SELECT type FROM (VALUES ${types.join(', ')}) AS fields(place, type) ORDER BY place`,
  )
  return fields.map(({ name }, index) => ({ name, type: rows[index]?.type ?? 'text' }))
}

/** So many relations of one statement or transaction have room for their locks on any server. */
const mostAtOnce = 500

/** `reads`: the schemas of the relations that the query of a view names. */
export async function relationsIn(
  connection: Connection,
  schema: string,
  kind?: 'view',
): Promise<readonly PresentRelation[]> {
  const kinds = kind === 'view' ? viewKinds : `${tableKinds}, ${viewKinds}`
  const { rows } = await connection.query<{ name: string; isview: boolean; reads: string[] | null }>(
    `SELECT c.relname AS name, c.relkind IN (${viewKinds}) AS isview,
       (SELECT array_agg(DISTINCT other.nspname::text ORDER BY other.nspname::text)
        FROM pg_rewrite AS r JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
          JOIN pg_class AS o ON d.refclassid = 'pg_class'::regclass AND o.oid = d.refobjid
          JOIN pg_namespace AS other ON other.oid = o.relnamespace
        WHERE r.ev_class = c.oid AND o.oid <> c.oid) AS reads
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = ${literal(schema)} AND c.relkind IN (${kinds}) ORDER BY c.relname COLLATE "C"`,
  )
  return rows.map(({ name, isview, reads }) =>
    isview ? { name, kind: 'view', reads: reads ?? [] } : { name, kind: 'table' },
  )
}

export async function createSchema(connection: Connection, schema: string): Promise<void> {
  const create = `CREATE SCHEMA IF NOT EXISTS ${dialect.identifier(schema)}`
  await afterConflicts(() => connection.query(create))
}

export async function schemasWithPrefix(connection: Connection, prefix: string): Promise<readonly string[]> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT n.nspname AS name FROM pg_namespace AS n WHERE ${isForeignSchema}
     AND starts_with(n.nspname, ${literal(prefix)}) ORDER BY n.nspname COLLATE "C"`,
  )
  return rows.map(({ name }) => name)
}

/**
 * Returns relations by schema, including schemas without any. The stored rule of a view names relations by their numbers,
 * which are those of one database of one server; to write its query down would cost the server ten times as much.
 */
export async function inventoryOf(connection: Connection, prefix: string): Promise<Inventory> {
  const { rows } = await connection.query<{
    schema: string
    name: string | null
    isview: boolean
    emptied: boolean
    text: string | null
  }>(
    `SELECT n.nspname AS schema, c.relname AS name, c.relkind IN (${viewKinds}) AS isview,
       CASE WHEN c.relpersistence = 'u' THEN pg_relation_size(c.oid) = 0 ELSE false END AS emptied,
       d.oid || '/' || current_setting('server_version_num') || ' ' || md5(r.ev_action::text) AS text
     FROM pg_namespace AS n LEFT JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relkind IN (${tableKinds}, ${viewKinds})
       LEFT JOIN pg_rewrite AS r ON r.ev_class = c.oid AND c.relkind = 'v' AND r.rulename = '_RETURN'
       JOIN pg_database AS d ON d.datname = current_database()
     WHERE ${isForeignSchema} AND starts_with(n.nspname, ${literal(prefix)})
     ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C"`,
  )
  const found = new Map<string, InventoryEntry[]>()
  for (const { schema, name, isview, emptied, text } of rows) {
    const present = found.get(schema) ?? []
    found.set(schema, present)
    if (name !== null)
      present.push({
        name,
        kind: isview ? 'view' : 'table',
        ...(emptied && { isEmptied: true }),
        ...(text !== null && { text }),
      })
  }
  return found
}

/**
 * Returns every view outside PostgreSQL's own schemas, with its query. To write a query down, the server locks what it reads
 * until the statement ends, so that each asks for some.
 */
export async function viewsOf(connection: Connection) {
  const { rows } = await connection.query<{ oid: number }>(
    `SELECT c.oid FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.relkind IN (${viewKinds}) AND ${isForeignSchema}`,
  )
  const found: { readonly relation: Relation; readonly query: string }[] = []
  for (let at = 0; at < rows.length; at += mostAtOnce) {
    const some = rows.slice(at, at + mostAtOnce).map(({ oid }) => oid)
    const told = await connection.query<{ schema: string; name: string; query: string }>(
      `SELECT n.nspname AS schema, c.relname AS name, pg_get_viewdef(c.oid) AS query
       FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid IN (${some.join(', ')})`,
    )
    found.push(...told.rows.map(({ schema, name, query }) => ({ relation: { schema, name }, query })))
  }
  return found
}

/** Returns sizes with indexes and long values, by `schema.name`, of tables only. */
export async function sizesOf(
  connection: Connection,
  relations: readonly Relation[],
): Promise<ReadonlyMap<string, number>> {
  if (relations.length === 0) return new Map()
  const { rows } = await connection.query<{ schema: string; name: string; bytes: string }>(
    `SELECT n.nspname AS schema, c.relname AS name, pg_total_relation_size(c.oid) AS bytes
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'm') AND ${isAmong(relations)}`,
  )
  return new Map(rows.map(({ schema, name, bytes }) => [nameOf({ schema, name }), Number(bytes)]))
}

/** Never uses CASCADE, which also drops what others made. Views go first, each list in one statement: they may read each other. */
export function dropStatements(relations: readonly PresentDrop[]): string[] {
  return (['view', 'table'] as const).flatMap(kind => {
    const names = relations.filter(each => each.kind === kind).map(each => dialect.relation(each.relation))
    return names.length === 0 ? [] : [`DROP ${kind.toUpperCase()} IF EXISTS ${names.join(', ')}`]
  })
}

/** A table is locked with its long values and the indexes of both, and other sessions lock as well. */
const locksOfTable = 8
/** For so few there is room without asking. */
const fewRelations = 10

/** Returns how many relations one transaction may drop. */
async function droppedAtOnce(connection: Connection): Promise<number> {
  const { each, sessions } = await lockRoom(connection)
  return Math.max(fewRelations, Math.min(mostAtOnce, Math.floor((each * sessions) / locksOfTable)))
}

interface PresentDrop {
  readonly relation: Relation
  readonly kind: RelationKind
}

/** Few are dropped in one transaction, or none of them; many in several. */
export async function dropRelations(
  connection: Connection,
  relations: readonly PresentDrop[],
): Promise<void> {
  if (relations.length <= fewRelations) return dropTogether(connection, relations)
  const most = await droppedAtOnce(connection)
  if (relations.length <= most) return dropTogether(connection, relations)
  for (const kind of ['view', 'table'] as const) {
    const ofKind = relations.filter(each => each.kind === kind)
    await dropInBatches(connection, kind === 'view' ? await newestFirst(connection, ofKind) : ofKind, most)
  }
}

function dropTogether(connection: Connection, relations: readonly PresentDrop[]): Promise<void> {
  return afterConflicts(() =>
    inTransaction(connection, () => runStatements(connection, dropStatements(relations))),
  )
}

/** A view reads what was there before it, so that those that read others come first. */
async function newestFirst(
  connection: Connection,
  relations: readonly PresentDrop[],
): Promise<readonly PresentDrop[]> {
  const { rows } = await connection.query<Relation>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE ${isAmong(relations.map(({ relation }) => relation))} ORDER BY c.oid DESC`,
  )
  const byName = new Map(relations.map(each => [nameOf(each.relation), each]))
  return rows.flatMap(row => byName.get(nameOf(row)) ?? [])
}

/** What something of another batch reads all the same goes after it: a view that was replaced. */
async function dropInBatches(
  connection: Connection,
  relations: readonly PresentDrop[],
  most: number,
): Promise<void> {
  let left: (readonly PresentDrop[])[] = []
  for (let at = 0; at < relations.length; at += most) left.push(relations.slice(at, at + most))
  while (left.length > 0) {
    const stuck: (readonly PresentDrop[])[] = []
    for (const batch of left) {
      try {
        await dropTogether(connection, batch)
      } catch (error) {
        if (codeOf(error) !== '2BP01' || stuck.length + 1 === left.length) throw error
        stuck.push(batch)
      }
    }
    left = stuck
  }
}

/** Drops the schema with its tables and views; nothing where it has few and one of them cannot go. */
export async function dropWholeSchema(connection: Connection, schema: string): Promise<void> {
  const presentNow = async () =>
    (await relationsIn(connection, schema)).map(({ name, kind }) => ({ relation: { schema, name }, kind }))
  const present = await presentNow()
  if (present.length > (await droppedAtOnce(connection))) await dropRelations(connection, present)
  await inTransaction(connection, async () => {
    const drops = dropStatements(await presentNow())
    await runStatements(connection, [...drops, `DROP SCHEMA IF EXISTS ${dialect.identifier(schema)}`])
  })
}
