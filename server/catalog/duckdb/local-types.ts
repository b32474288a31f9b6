/** The types of the database that reads local files, whatever the warehouse is. */
import { type EngineTypes, engineOf } from '../../language/index.ts'

export const localTypes: EngineTypes = engineOf('duckdb:').types
