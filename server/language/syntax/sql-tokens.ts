/** For readers of SQL that are not handed their engine yet: the lexer of the only engine there is. */
export { duckdbTokens as sqlTokens } from '../engines/duckdb/tokens.ts'
export type { SqlToken, SqlTokenKind } from '../engines/sql-token.ts'
