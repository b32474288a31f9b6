/** The extensions of DuckDB: how their names and files are written, and which functions and types are theirs. */
import type { EngineExtensions } from '../engine.ts'
import { extensionFunctions, extensionTypes } from './extension-names.generated.ts'

export const fileEnding = '.duckdb_extension'

export const duckdbExtensions: EngineExtensions = {
  names: {
    pattern: '[a-z][a-z0-9_]*',
    rule: 'is made of small letters, digits and _, and begins with a letter',
  },
  fileEnding,
  namedAlone: 'DuckDB fetches one of its own once',
  knows: name => Object.hasOwn(extensionFunctions, name) || Object.hasOwn(extensionTypes, name),
  ofFunction(name) {
    functions ??= byName(extensionFunctions)
    return functions.get(name.toLowerCase())
  },
  ofType(name) {
    types ??= byName(extensionTypes)
    return types.get(name.toLowerCase())
  },
}

let functions: ReadonlyMap<string, string> | undefined
let types: ReadonlyMap<string, string> | undefined

function byName(lists: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(lists).flatMap(([extension, names]) =>
      names.split(' ').map(name => [name, extension] as const),
    ),
  )
}
