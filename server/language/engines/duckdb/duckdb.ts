/** The description of DuckDB. */
import type { Engine } from '../engine.ts'
import { duckdbBinding } from './binding.ts'
import { duckdbExtensions } from './extensions.ts'
import { duckdbFunctions } from './functions.ts'
import { duckdbGrammar } from './grammar.ts'
import { duckdbHelp } from './help.ts'
import { label } from './label.ts'
import { fold, literal, quote, quoteIfNeeded, sameName } from './names.ts'
import { loadPatterns } from './patterns.ts'
import { duckdbStorage } from './storage.ts'
import { duckdbTokens } from './tokens.ts'
import { duckdbTypes } from './types/index.ts'
import { duckdbWords } from './words.ts'

export const duckdb: Engine = {
  kind: 'duckdb',
  label,
  deepest: '1,000 levels (its max_expression_depth)',
  address: {
    otherSchemes: [],
    pattern: 'duckdb:.+',
    form: 'duckdb:./file.duckdb',
    example: 'duckdb:./warehouse.duckdb',
    place: address => fileName(address.slice('duckdb:'.length)),
    file: address => address.slice('duckdb:'.length).replace(/[?#].*$/s, ''),
  },
  tokens: duckdbTokens,
  fold,
  sameName,
  quote,
  quoteIfNeeded,
  literal,
  words: duckdbWords,
  storage: duckdbStorage,
  types: duckdbTypes,
  functions: duckdbFunctions,
  help: duckdbHelp,
  extensions: duckdbExtensions,
  declarations: undefined,
  grammar: duckdbGrammar,
  binding: duckdbBinding,
  loadPatterns,
}

function fileName(path: string): string {
  const clean = path.replace(/[?#].*$/s, '')
  return clean.split(/[\\/]/).at(-1) ?? ''
}
