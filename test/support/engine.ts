/** The engine of tests that are about none in particular. */
import { engineOf } from '../../server/language/engines/index.ts'

export const engine = engineOf('duckdb:./warehouse.duckdb')
