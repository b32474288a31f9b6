/** The databases that the worker process opens for a project of DuckDB. */
import type { EngineDatabases } from '../worker/databases.ts'
import { openBinderDatabase } from './binder-database.ts'
import { openExtensionLoader } from './extension-loader.ts'
import { loadDuckdb } from './memory-database.ts'
import { openUnitEngine } from './unit-engine.ts'

export const duckdbDatabases: EngineDatabases = {
  load: loadDuckdb,
  binder: openBinderDatabase,
  unit: openUnitEngine,
  extensions: openExtensionLoader,
}
