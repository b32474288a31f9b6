/** The extensions of PostgreSQL that can be loaded where SQL is checked, and which functions and types are theirs. */
import type { EngineExtensions } from '../engine.ts'
import { extensionFunctions, extensionTypes } from './extension-names.generated.ts'

export const loadable: readonly string[] = Object.keys(extensionFunctions)

export const postgresExtensions: EngineExtensions = {
  names: {
    pattern: '[a-z][a-z0-9_-]*',
    rule: 'is made of small letters, digits, _ and -, and begins with a letter',
  },
  fileEnding: undefined,
  namedAlone: 'PostgreSQL has it where CREATE EXTENSION made it',
  knows: name => loadable.includes(name),
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
