/** The extensions of DuckDB: how their names and files are written, and which functions and types are theirs. */
import type { EngineExtensions } from '../engine.ts'
import { extensionNames } from '../extensions.ts'
import { extensionFunctions, extensionTypes } from './extension-names.generated.ts'

export const fileEnding = '.duckdb_extension'

export const duckdbExtensions: EngineExtensions = {
  names: {
    pattern: '[a-z][a-z0-9_]*',
    rule: 'is made of small letters, digits and _, and begins with a letter',
  },
  fileEnding,
  namedAlone: 'DuckDB fetches one of its own once',
  ...extensionNames(extensionFunctions, extensionTypes),
}
