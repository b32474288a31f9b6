/** The databases that a process may hold, behind methods that are called by name. */
import { openBinderDatabase } from '../duckdb/binder-database.ts'
import { openExtensionLoader } from '../duckdb/extension-loader.ts'
import { openUnitEngine } from '../duckdb/unit-engine.ts'
import type { DatabaseKind, WorkerOptions } from './messages.ts'

export interface OpenDatabase {
  /** As people write it. */
  readonly engine: string
  /** Calls of one connection must not run at the same time. */
  connectionOf(method: string): string
  call(method: string, input: readonly unknown[]): Promise<unknown>
  interrupt(): void
}

export async function openDatabase({ kind, memoryBytes, load }: WorkerOptions): Promise<OpenDatabase> {
  return await openers[kind](memoryBytes, load)
}

type Open = (memoryBytes: number, load: readonly string[]) => Promise<OpenDatabase>

const openers: Readonly<Record<DatabaseKind, Open>> = {
  binder: openBinderDatabase,
  unit: openUnitEngine,
  extensions: openExtensionLoader,
}
