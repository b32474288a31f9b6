/** The databases that the worker process opens for a project of DuckDB. */
import type { EngineDatabases } from '../worker/databases.ts'
import { openBinderDatabase } from './binder-database.ts'
import { openExtensionLoader } from './extension-loader.ts'
import { openUnitEngine } from './unit-engine.ts'

export const duckdbDatabases: EngineDatabases = {
  binder: openBinderDatabase,
  unit: openUnitEngine,
  extensions: openExtensionLoader,
}
