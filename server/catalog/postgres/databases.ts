/** The databases that the worker process opens for a project of PostgreSQL. */
import type { EngineDatabases } from '../worker/databases.ts'
import { openBinderDatabase } from './binder-database.ts'
import { openExtensionLoader } from './extensions.ts'
import { loadPostgres } from './open-image.ts'
import { openUnitEngine } from './unit-engine.ts'

export const postgresDatabases: EngineDatabases = {
  load: loadPostgres,
  binder: openBinderDatabase,
  unit: openUnitEngine,
  extensions: openExtensionLoader,
}
