/** Names and texts in the SQL that the embedded engine is asked, whatever the engine of the project is. */
export { quote as quoteName } from '../../language/engines/duckdb/names.ts'

/** NUL ends a text for the parser; it stands for nothing that SQL could mean. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\0', ' ')}'`
}
