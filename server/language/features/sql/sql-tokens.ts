/** The tokens of a block of SQL, as the reader takes them: what nobody closed ends with its line. */

import { lexed } from '../../sql/reader/mend-tokens.ts'
import type { SqlToken } from '../../syntax/sql-tokens.ts'
import type { SqlBlock } from './sql-blocks.ts'
import { grammar } from './sql-language.ts'

const known = new WeakMap<SqlBlock, readonly SqlToken[]>()

/** In order, comments included. */
export function blockTokens(block: SqlBlock): readonly SqlToken[] {
  const tokens = known.get(block) ?? lexed(block.text, grammar).tokens
  known.set(block, tokens)
  return tokens
}
