/** Quotes names and texts for the embedded DuckDB, whatever the engine of the project is. */
export { quote as quoteName } from '../../language/engines/duckdb/names.ts'

/** Quotes a text. NUL would end it for the parser and has no meaning in SQL, so it is replaced. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\0', ' ')}'`
}

/** Escapes a path, which DuckDB always reads as a glob: in brackets a character stands for itself. */
export function escapeGlob(path: string): string {
  return path.replace(/[[*?]/g, '[$&]')
}
