/** Adapts DuckDB's messages to ours. */

/**
 * Returns the first line, with a lower-case start, without punctuation at the end and without the parser's
 * literal types.
 */
export function sentence(message: string): string {
  const line = (message.split('\n')[0] ?? '').trim()
  const plain = plainTypes(line)
    .replace(/"svc [^"]*"\./g, '')
    .replace(/^(unterminated .*?) at or near .*$/, '$1')
    .replace(/ - an explicit cast is required$/, '')
    .replace(/^(?:Binder|Catalog|Parser|Conversion|Invalid Input|Not implemented) Error: /i, '')
    .replace(/[.!]+$/, '')
  const isWord = /^[A-Z][a-z ]/.test(plain)
  return isWord ? plain[0]?.toLowerCase() + plain.slice(1) : plain
}

export function plainTypes(text: string): string {
  return text
    .replaceAll('INTEGER_LITERAL', 'INTEGER')
    .replaceAll('STRING_LITERAL', 'VARCHAR')
    .replaceAll('"NULL"', 'NULL')
}
