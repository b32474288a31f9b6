/** The description of PostgreSQL. */
import type { Engine } from '../engine.ts'
import { postgresBinding } from './binding.ts'
import { postgresDeclarations } from './declarations.ts'
import { postgresExtensions } from './extensions.ts'
import { postgresFunctions } from './functions.ts'
import { postgresGrammar } from './grammar.ts'
import { postgresHelp } from './help.ts'
import { label } from './label.ts'
import { fold, literal, quote, quoteIfNeeded, sameName } from './names.ts'
import { postgresStorage } from './storage.ts'
import { postgresTokens } from './tokens.ts'
import { postgresTypes } from './types/index.ts'
import { postgresWords } from './words.ts'

export const postgres: Engine = {
  kind: 'postgres',
  label,
  deepest: 'what its stack holds (its max_stack_depth)',
  address: {
    otherSchemes: ['postgresql'],
    pattern: 'postgres(ql)?:\\/\\/.+',
    form: 'postgres://user@host/database',
    example: 'postgres://localhost/warehouse',
    place: placeOf,
  },
  tokens: postgresTokens,
  fold,
  sameName,
  quote,
  quoteIfNeeded,
  literal,
  words: postgresWords,
  storage: postgresStorage,
  types: postgresTypes,
  functions: postgresFunctions,
  help: postgresHelp,
  extensions: postgresExtensions,
  declarations: postgresDeclarations,
  grammar: postgresGrammar,
  binding: postgresBinding,
  loadPatterns: async () => {},
}

/** Returns the host alone: `db.example.com`. */
function placeOf(address: string): string {
  const rest = address.replace(/^[a-z]+:\/\//i, '').replace(/[?#].*$/s, '')
  const host = /^(?:\[[^\]]*\]|[^:/]*)/.exec(rest.slice(rest.lastIndexOf('@') + 1))?.[0] ?? ''
  return host === '' ? 'localhost' : host
}
