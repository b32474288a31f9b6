/**
 * Binder databases that a test has done with, emptied for the next one: opening one costs more than most tests ask of it.
 * One that cannot be emptied is not used again.
 */
import { type OpenDatabase, openDatabase } from '../../server/catalog/worker/databases.ts'
import type { WorkerOptions } from '../../server/catalog/worker/messages.ts'

const spare = new Map<string, OpenDatabase[]>()
/** Catalogues that are open at once are few; a database takes megabytes. */
const most = 4

/** A binder's own statements make schemas, tables and views; the SQL of users is only described. */
const drops: Readonly<Record<string, string>> = {
  duckdb: `
  SELECT 'DROP SCHEMA "' || replace(schema_name, '"', '""') || '" CASCADE'
    FROM duckdb_schemas() WHERE NOT internal AND schema_name <> 'main'
  UNION ALL SELECT 'DROP TABLE "' || replace(table_name, '"', '""') || '" CASCADE'
    FROM duckdb_tables() WHERE NOT internal AND schema_name = 'main'
  UNION ALL SELECT 'DROP VIEW "' || replace(view_name, '"', '""') || '" CASCADE'
    FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'`,
  postgres: `
  SELECT 'DROP SCHEMA "' || replace(nspname, '"', '""') || '" CASCADE' FROM pg_namespace WHERE nspname LIKE 'svc %'`,
}

export async function takeDatabase(options: WorkerOptions): Promise<OpenDatabase> {
  return spare.get(keyOf(options))?.pop() ?? openDatabase(options)
}

/** Nobody may ask it any more. */
export async function giveBackDatabase(options: WorkerOptions, database: OpenDatabase): Promise<void> {
  if (options.kind !== 'binder') return
  const kept = spare.get(keyOf(options)) ?? []
  spare.set(keyOf(options), kept)
  if (kept.length < most && (await isEmptied(options.engine, database))) kept.push(database)
}

function keyOf(options: WorkerOptions): string {
  return JSON.stringify(options)
}

async function isEmptied(engine: string, database: OpenDatabase): Promise<boolean> {
  try {
    const found = ((await database.call('rows', [drops[engine]])) as string[][]).flat()
    // What is wrong with a statement is its answer.
    return found.length === 0 || (await database.call('run', [found])) === undefined
  } catch {
    return false
  }
}
