/** Types that other warehouses have by another name. */
const typeWords: readonly (readonly [RegExp, string])[] = [
  [/^(string|text|nvarchar|character varying|char|bpchar)(\(.*\))?$/i, 'varchar'],
  [/^varchar\(.*\)$/i, 'varchar'],
  [/^(number|numeric|decimal|bignumeric)$/i, 'decimal(28,6)'],
  [/^number(\(.*\))$/i, 'decimal$1'],
  [/^(int64|int8)$/i, 'bigint'],
  [/^(float64|float8|float|double precision)$/i, 'double'],
  [/^(timestamp_ntz|datetime|timestamp without time zone)(\(.*\))?$/i, 'timestamp'],
  [/^(timestamp_tz|timestamp_ltz|timestamp with time zone)(\(.*\))?$/i, 'timestamptz'],
  [/^bool$/i, 'boolean'],
]

/** Returns the type as DuckDB writes it; one that it does not know stays as it is. */
export function typeOf(type: string): string {
  const plain = type.trim()
  const known = typeWords.find(([pattern]) => pattern.test(plain))
  return known === undefined ? plain.toLowerCase() : plain.replace(known[0], known[1])
}
