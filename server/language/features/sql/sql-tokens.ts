/** Returns the tokens of an SQL block as the reader sees them: an unclosed token ends with its line. */

import type { SqlToken } from '../../engines/sql-token.ts'
import type { SqlGrammar } from '../../sql/grammar.ts'
import { lexed } from '../../sql/reader/repair-tokens.ts'
import type { SqlBlock } from './sql-blocks.ts'

const known = new WeakMap<SqlBlock, readonly SqlToken[]>()

/** Returns the tokens in order, including comments. */
export function blockTokens(block: SqlBlock, grammar: SqlGrammar): readonly SqlToken[] {
  const tokens = known.get(block) ?? lexed(block.code, grammar).tokens
  known.set(block, tokens)
  return tokens
}
