/** Lists, by engine, the databases that a worker process may hold, with methods that are called by name. */
import { duckdbDatabases } from '../duckdb/databases.ts'
import { postgresDatabases } from '../postgres/databases.ts'
import type { DatabaseKind, WorkerOptions } from './messages.ts'

/**
 * An open database, usually in memory. Anything with the same methods will do, such as a connection to a
 * server.
 */
export interface OpenDatabase {
  /** The engine's display name. */
  readonly engine: string
  /** Calls must not run concurrently. */
  call(method: string, input: readonly unknown[]): Promise<unknown>
  interrupt(): void
}

type Open = (memoryBytes: number, load: readonly string[]) => Promise<OpenDatabase>

/** The databases of an engine. One that does not list a kind cannot do that kind of work. */
export interface EngineDatabases extends Readonly<Partial<Record<DatabaseKind, Open>>> {
  /** Loads the libraries that take long. */
  load(): Promise<unknown>
}

const databases: Readonly<Record<string, EngineDatabases>> = {
  duckdb: duckdbDatabases,
  postgres: postgresDatabases,
}

/** Loads the libraries of an engine before it is known which database is wanted. Errors are reported by `openDatabase`. */
export function loadEngine(engine: string): void {
  databases[engine]?.load().catch(() => undefined)
}

export async function openDatabase({
  engine,
  kind,
  memoryBytes,
  load,
}: WorkerOptions): Promise<OpenDatabase> {
  const open = databases[engine]?.[kind]
  if (open === undefined) throw new Error(`the engine "${engine}" has no database of the kind "${kind}"`)
  return await open(memoryBytes, load)
}
