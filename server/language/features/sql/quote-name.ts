/** For readers of SQL that are not handed their engine yet. */
export { quoteIfNeeded as writtenName } from '../../engines/duckdb/names.ts'
