/**
 * Types of raw columns, in DuckDB's words. Says how a type widens when values ask for it; never narrows.
 */

const aliases: Readonly<Record<string, string>> = {
  bool: 'BOOLEAN',
  boolean: 'BOOLEAN',
  logical: 'BOOLEAN',
  int: 'INTEGER',
  int4: 'INTEGER',
  integer: 'INTEGER',
  signed: 'INTEGER',
  bigint: 'BIGINT',
  int8: 'BIGINT',
  long: 'BIGINT',
  smallint: 'SMALLINT',
  int2: 'SMALLINT',
  short: 'SMALLINT',
  tinyint: 'TINYINT',
  int1: 'TINYINT',
  hugeint: 'HUGEINT',
  int128: 'HUGEINT',
  float: 'FLOAT',
  float4: 'FLOAT',
  real: 'FLOAT',
  double: 'DOUBLE',
  float8: 'DOUBLE',
  'double precision': 'DOUBLE',
  varchar: 'VARCHAR',
  text: 'VARCHAR',
  string: 'VARCHAR',
  char: 'VARCHAR',
  bpchar: 'VARCHAR',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  datetime: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  'timestamp with time zone': 'TIMESTAMP WITH TIME ZONE',
  json: 'JSON',
  uuid: 'UUID',
  blob: 'BLOB',
  bytea: 'BLOB',
  decimal: 'DECIMAL(18,3)',
  numeric: 'DECIMAL(18,3)',
}

/** `int` -> `INTEGER`, `decimal(12, 2)` -> `DECIMAL(12,2)`, `text[]` -> `VARCHAR[]`; unknown words come back in capitals. */
export function canonicalType(type: string): string {
  const text = type.trim().replace(/\s+/g, ' ')
  if (text.endsWith('[]')) return `${canonicalType(text.slice(0, -2))}[]`
  const known = aliases[text.toLowerCase()]
  if (known !== undefined) return known
  const decimal = /^(?:decimal|numeric|dec) ?\( ?(\d+) ?(?:, ?(\d+) ?)?\)$/i.exec(text)
  if (decimal) return `DECIMAL(${decimal[1]},${decimal[2] ?? 0})`
  if (/^(?:var)?char ?\( ?\d+ ?\)$/i.test(text)) return 'VARCHAR'
  return /^[a-z0-9 _]+$/i.test(text) ? text.toUpperCase() : text
}

const numbers = ['BOOLEAN', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'DOUBLE']
const integerDigits: Readonly<Record<string, number>> = {
  BOOLEAN: 1,
  TINYINT: 3,
  SMALLINT: 5,
  INTEGER: 10,
  BIGINT: 19,
  HUGEINT: 39,
}

/**
 * The narrowest type that holds both, along bool < int < bigint < hugeint or decimal < double < varchar and
 * date < timestamp < varchar. Undefined (only NULLs seen) takes the other.
 */
export function widenType(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) {
    const known = a ?? b
    return known === undefined ? undefined : canonicalType(known)
  }
  const left = canonicalType(a)
  const right = canonicalType(b)
  if (left === right) return left
  const rank = (type: string) => numbers.indexOf(type === 'FLOAT' ? 'DOUBLE' : type)
  if (rank(left) >= 0 && rank(right) >= 0) return numbers[Math.max(rank(left), rank(right))]
  if (isNumeric(left) && isNumeric(right)) return widenDecimal(left, right)
  const times = ['DATE', 'TIMESTAMP']
  if (times.includes(left) && times.includes(right)) return 'TIMESTAMP'
  if (left.endsWith('[]') && right.endsWith('[]')) {
    return `${widenType(left.slice(0, -2), right.slice(0, -2))}[]`
  }
  return left === 'JSON' || right === 'JSON' || left.endsWith('[]') || right.endsWith('[]')
    ? 'JSON'
    : 'VARCHAR'
}

function isNumeric(type: string): boolean {
  return numbers.includes(type) || type === 'FLOAT' || type.startsWith('DECIMAL(')
}

function widenDecimal(left: string, right: string): string {
  if (left === 'DOUBLE' || right === 'DOUBLE' || left === 'FLOAT' || right === 'FLOAT') return 'DOUBLE'
  const a = decimalParts(left)
  const b = decimalParts(right)
  const scale = Math.max(a.scale, b.scale)
  const width = Math.max(a.integers, b.integers) + scale
  return width > 38 ? 'DOUBLE' : `DECIMAL(${width},${scale})`
}

function decimalParts(type: string): { integers: number; scale: number } {
  const match = /^DECIMAL\((\d+),(\d+)\)$/.exec(type)
  if (match === null) return { integers: integerDigits[type] ?? 38, scale: 0 }
  return { integers: Number(match[1]) - Number(match[2]), scale: Number(match[2]) }
}
