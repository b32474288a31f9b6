/** The tokens of a block of SQL, as the reader takes them: what nobody closed ends with its line. */

import type { SqlToken } from '../../engines/sql-token.ts'
import type { SqlGrammar } from '../../sql/grammar.ts'
import { lexed } from '../../sql/reader/mend-tokens.ts'
import type { SqlBlock } from './sql-blocks.ts'

const known = new WeakMap<SqlBlock, readonly SqlToken[]>()

/** In order, comments included. */
export function blockTokens(block: SqlBlock, grammar: SqlGrammar): readonly SqlToken[] {
  const tokens = known.get(block) ?? lexed(block.text, grammar).tokens
  known.set(block, tokens)
  return tokens
}
