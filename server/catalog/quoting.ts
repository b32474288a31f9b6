/** SQL words of DuckDB for names and texts. */

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** NUL ends a text for DuckDB's parser; it stands for nothing that SQL could mean. */
export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('\0', ' ')}'`
}
