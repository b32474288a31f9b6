/** The types that loaded columns get at the server, and how their values are written for it. */

export interface LoadedColumn {
  readonly name: string
  /** The type at the server. */
  readonly type: string
  /** Returns SQL of the embedded DuckDB: the text that the server reads, from SQL of the value. */
  text(value: string): string
}

const simple: Readonly<Record<string, string>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'smallint',
  SMALLINT: 'smallint',
  INTEGER: 'integer',
  BIGINT: 'bigint',
  UTINYINT: 'smallint',
  USMALLINT: 'integer',
  UINTEGER: 'bigint',
  UBIGINT: 'numeric(20,0)',
  HUGEINT: 'numeric(39,0)',
  UHUGEINT: 'numeric(39,0)',
  FLOAT: 'real',
  DOUBLE: 'double precision',
  DATE: 'date',
  TIME: 'time without time zone',
  'TIME WITH TIME ZONE': 'time with time zone',
  TIMESTAMP: 'timestamp without time zone',
  TIMESTAMP_S: 'timestamp without time zone',
  TIMESTAMP_MS: 'timestamp without time zone',
  TIMESTAMP_NS: 'timestamp without time zone',
  'TIMESTAMP WITH TIME ZONE': 'timestamp with time zone',
  INTERVAL: 'interval',
  UUID: 'uuid',
  BLOB: 'bytea',
  BIT: 'bit varying',
  JSON: 'jsonb',
}

export function columnOfLoad({ name, type }: { readonly name: string; readonly type: string }): LoadedColumn {
  const target = serverType(type)
  return { name, type: target, text: value => textOf(value, type, target) }
}

function serverType(type: string): string {
  if (type.startsWith('DECIMAL') && !type.endsWith(']'))
    return type.toLowerCase().replace('decimal', 'numeric')
  if (/[\])]$|^(STRUCT|MAP|UNION|VARIANT)/.test(type) && !type.startsWith('ENUM')) return 'jsonb'
  return simple[type] ?? 'text'
}

function textOf(value: string, type: string, target: string): string {
  if (target === 'bytea') return `'\\x' || lower(hex(${value}))`
  if (target === 'jsonb' && type !== 'JSON') return `CAST(to_json(${value}) AS VARCHAR)`
  return `CAST(${value} AS VARCHAR)`
}
