/** The databases that a process may hold, behind methods that are called by name: a line for each engine. */
import { duckdbDatabases } from '../duckdb/databases.ts'
import { loadDuckdb } from '../duckdb/memory-database.ts'
import type { DatabaseKind, WorkerOptions } from './messages.ts'

/** One in memory as a rule; whatever answers the same methods will do, a connection to a server too. */
export interface OpenDatabase {
  /** As people write it. */
  readonly engine: string
  /** Calls of one connection must not run at the same time. */
  connectionOf(method: string): string
  call(method: string, input: readonly unknown[]): Promise<unknown>
  interrupt(): void
}

type Open = (memoryBytes: number, load: readonly string[]) => Promise<OpenDatabase>

/** What an engine leaves out no process does for it. */
export type EngineDatabases = Readonly<Partial<Record<DatabaseKind, Open>>>

const databases: Readonly<Record<string, EngineDatabases>> = { duckdb: duckdbDatabases }

/** What takes long to load, whichever engine it is. What goes wrong is told by who opens a database. */
export function loadEngines(): void {
  loadDuckdb().catch(() => undefined)
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
