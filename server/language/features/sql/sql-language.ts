/** How the editor reads SQL and binds its names. */
import { duckdbBinding } from '../../engines/duckdb/binding.ts'
import type { BinderDialect } from '../../sql/binder/dialect.ts'
import type { SqlGrammar } from '../../sql/grammar.ts'
import { duckdbGrammar } from '../../sql/reader/duckdb-grammar.ts'

export const dialect: BinderDialect = duckdbBinding
export const grammar: SqlGrammar = duckdbGrammar
