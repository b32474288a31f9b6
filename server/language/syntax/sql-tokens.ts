/** For readers of SQL that are not handed their engine yet. */
import { onlyEngine } from '../engines/only-engine.ts'

export type { SqlToken, SqlTokenKind } from '../engines/sql-token.ts'

export const sqlTokens = onlyEngine.tokens
