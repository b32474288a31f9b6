/**
 * Views of others that would not survive a change of a production view. Each is bound anew, in a transaction that is
 * undone, against an empty table of the shape that the view is to have: then the server itself says what breaks, and
 * nobody waits, because nothing of production is locked but for a look at it.
 */
import { SvcError } from '../../errors.ts'
import type { BrokenReader, Relation, ShapeChange } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { codeOf } from './failures.ts'

const { identifier, literal } = dialect

/** Returns undefined where the role may not try it, or the server does not have a type of the new shape. */
export async function brokenReaders(
  connection: Connection,
  changes: readonly ShapeChange[],
): Promise<readonly BrokenReader[] | undefined> {
  const found: BrokenReader[] = []
  await connection.query('BEGIN')
  try {
    for (const change of changes) found.push(...(await brokenBy(connection, change)))
    return found
  } catch (error) {
    if (isRefused(error)) return undefined
    throw error
  } finally {
    await connection.query('ROLLBACK')
  }
}

interface Reader {
  readonly reader: Relation
  readonly query: string
}

async function brokenBy(connection: Connection, { view, columns }: ShapeChange): Promise<BrokenReader[]> {
  const readers = await readersOf(connection, view)
  if (columns === undefined) return readers.map(({ reader }) => ({ view, reader, reason: undefined }))
  if (readers.length === 0) return []
  const shape = columns.map(({ name, type = 'text' }) => `${identifier(name)} ${type}`)
  await connection.query(
    `SAVEPOINT svc_shape; CREATE TEMPORARY TABLE ${identifier(view.name)} (${shape.join(', ')})`,
  )
  const broken: BrokenReader[] = []
  for (const { reader, query } of readers) {
    const reason = await refusalOf(connection, query)
    if (reason !== undefined) broken.push({ view, reader, reason })
  }
  await connection.query('ROLLBACK TO SAVEPOINT svc_shape')
  return broken
}

/** Views that read it directly. Their queries name what is in its schema without the schema, where the table of its name is found first. */
async function readersOf(connection: Connection, view: Relation): Promise<readonly Reader[]> {
  await connection.query(`SET LOCAL search_path TO ${identifier(view.schema)}`)
  const { rows } = await connection.query<{ schema: string; name: string; query: string }>(
    `SELECT DISTINCT n.nspname AS schema, c.relname AS name, pg_get_viewdef(c.oid) AS query
     FROM pg_depend AS d JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
       JOIN pg_class AS c ON c.oid = r.ev_class JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass(${literal(dialect.relation(view))})
       AND c.oid <> d.refobjid AND c.relkind IN ('v', 'm') ORDER BY 1, 2`,
  )
  return rows.map(({ schema, name, query }) => ({ reader: { schema, name }, query }))
}

/** Returns what the server says against a query; undefined if it takes it. */
async function refusalOf(connection: Connection, query: string): Promise<string | undefined> {
  await connection.query('SAVEPOINT svc_reader')
  try {
    await connection.query(`CREATE TEMPORARY VIEW svc_reader AS ${query}`)
    return undefined
  } catch (error) {
    if (!codeOf(error).startsWith('42') || isDenied(error)) throw error
    return error instanceof Error ? error.message : String(error)
  } finally {
    await connection.query('ROLLBACK TO SAVEPOINT svc_reader')
  }
}

function isRefused(error: unknown): boolean {
  return !(error instanceof SvcError) && codeOf(error).startsWith('42')
}

function isDenied(error: unknown): boolean {
  return codeOf(error) === '42501'
}
