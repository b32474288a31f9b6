/** Quotes names and writes values, as engines agree about them. */

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Returns a value as a literal. `double` is the engine's name of that type. */
export function literalOf(value: string | number | bigint | boolean | null, double: string): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return `CAST('${value}' AS ${double})`
  return String(value)
}

/** NUL ends the SQL text of an engine or is refused by it, so it is written as `chr(0)`. */
function text(value: string): string {
  const parts = value.split('\0').map(part => `'${part.replaceAll("'", "''")}'`)
  return parts.length === 1 ? (parts[0] ?? "''") : `(${parts.join(' || chr(0) || ')})`
}
