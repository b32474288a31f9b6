/** Returns the tokens of an SQL block as the reader sees them: an unclosed token ends with its line. */

import type { SqlToken } from '../../engines/sql-token.ts'
import { oncePer } from '../../once.ts'
import type { SqlGrammar } from '../../sql/grammar.ts'
import { lexed } from '../../sql/reader/repair-tokens.ts'
import type { SqlBlock } from './sql-blocks.ts'

/** Returns the tokens in order, including comments. */
export const blockTokens = oncePer(
  (block: SqlBlock, grammar: SqlGrammar): readonly SqlToken[] => lexed(block.code, grammar).tokens,
)
