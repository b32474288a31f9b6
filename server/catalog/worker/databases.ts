/** The databases that a process may hold, behind methods that are called by name. */
import { openBinderDatabase } from '../duckdb/binder-database.ts'
import { openUnitEngine } from '../duckdb/unit-engine.ts'
import type { WorkerOptions } from './messages.ts'

export interface OpenDatabase {
  /** As people write it. */
  readonly engine: string
  /** Calls of one connection must not run at the same time. */
  connectionOf(method: string): string
  call(method: string, input: readonly unknown[]): Promise<unknown>
  interrupt(): void
}

export async function openDatabase({ kind, memoryBytes, load }: WorkerOptions): Promise<OpenDatabase> {
  const open = kind === 'binder' ? openBinderDatabase : openUnitEngine
  return await open(memoryBytes, load)
}
