/** The extensions of PostgreSQL that can be loaded where SQL is checked, and which functions and types are theirs. */
import type { EngineExtensions } from '../engine.ts'
import { extensionNames } from '../extensions.ts'
import { extensionFunctions, extensionTypes } from './extension-names.generated.ts'

export const loadable: readonly string[] = Object.keys(extensionFunctions)

export const postgresExtensions: EngineExtensions = {
  names: {
    pattern: '[a-z][a-z0-9_-]*',
    rule: 'is made of small letters, digits, _ and -, and begins with a letter',
  },
  fileEnding: undefined,
  namedAlone: 'PostgreSQL has it where CREATE EXTENSION made it',
  ...extensionNames(extensionFunctions, extensionTypes),
}
