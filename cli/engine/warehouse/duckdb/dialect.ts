/** How DuckDB writes the tool's own SQL. Says nothing about the SQL that users write. */
import type { JsonScalar } from '@svc/server/language'
import type { Dialect } from '../dialect.ts'
import type { Relation } from '../warehouse.ts'

const types = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  boolean: 'BOOLEAN',
  double: 'DOUBLE',
  json: 'JSON',
} as const

export const duckdbDialect: Dialect = {
  name: 'duckdb',
  identifier,
  relation,
  literal,
  parameter: position => `$${position}`,
  matches: (expression, pattern) => `regexp_matches(CAST(${expression} AS VARCHAR), ${literal(pattern)})`,
  now: () => 'current_timestamp',
  toText: expression => `CAST(${expression} AS VARCHAR)`,
  types,
  epochSeconds: expression => `epoch(${expression})`,
  jsonList: expression => `CAST(to_json(list(${expression})) AS VARCHAR)`,
  joinedTexts: (expression, separator) => `string_agg(${expression}, ${literal(separator)})`,
  jsonRecords,
}

/** Always quoted: keywords, spaces, quotes and emoji are names like any other. */
function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function relation(relation: Relation): string {
  return `${identifier(relation.schema)}.${identifier(relation.name)}`
}

function literal(value: JsonScalar | bigint): string {
  if (value === null) return 'NULL'
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return `CAST('${value}' AS DOUBLE)`
  return String(value)
}

/** SQL text ends at a NUL byte, so a NUL inside a string has to be written as `chr(0)`. */
function text(value: string): string {
  const parts = value.split('\0').map(part => `'${part.replaceAll("'", "''")}'`)
  return parts.length === 1 ? (parts[0] ?? "''") : `(${parts.join(' || chr(0) || ')})`
}

function jsonRecords(json: string, columns: Readonly<Record<string, keyof typeof types>>): string {
  const structure = Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, types[type]]))
  const list = Object.keys(columns).map(name => `record.${identifier(name)}`)
  const records = `from_json(CAST(${literal(json)} AS JSON), ${literal(JSON.stringify([structure]))})`
  return `SELECT ${list.join(', ')} FROM (SELECT unnest(${records}) AS record)`
}
