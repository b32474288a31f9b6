/** Indexes of DuckDB, and what may not run in the transaction of a build. */
import { because, refusedByFirstWord } from '../build-statements.ts'
import type { EngineStorage } from '../engine.ts'

const refused: ReadonlyMap<string, string> = new Map([
  ...because('cannot run in a transaction', 'checkpoint', 'force', 'vacuum'),
  ...because(
    'would change other databases than the warehouse',
    'attach',
    'detach',
    'export',
    'import',
    'use',
  ),
  ...because('would hold for all builds of the run', 'install', 'load', 'pragma', 'reset', 'set'),
])

export const duckdbStorage: EngineStorage = {
  indexMethods: ['art'],
  oneColumnMethods: [],
  hasPartialIndexes: false,
  hasRoles: false,
  tableOptions: undefined,
  readersHoldViews: false,
  // A column that is called rowid is what the name means in its table.
  takenColumns: new Set(),
  systemSchemas: /^(?:information_schema|pg_catalog)$/i,
  systemRelations: { names: /^(?:duckdb_|pragma_|pg_|sqlite_(?:temp_)?(?:master|schema)$)/i, schema: 'main' },
  refusedInBuild: words => refusedByFirstWord(words, refused),
}
