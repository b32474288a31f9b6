/** What DuckDB's types are in the words of all engines. Each word has a type here, so that one table tells both ways. */
import type { PortableName, PortableTypes } from '../../portable-types.ts'

const types: PortableTypes['types'] = {
  boolean: 'BOOLEAN',
  int8: 'TINYINT',
  int16: 'SMALLINT',
  int32: 'INTEGER',
  int64: 'BIGINT',
  int128: 'HUGEINT',
  uint8: 'UTINYINT',
  uint16: 'USMALLINT',
  uint32: 'UINTEGER',
  uint64: 'UBIGINT',
  uint128: 'UHUGEINT',
  endlessInt: 'BIGNUM',
  float32: 'FLOAT',
  float64: 'DOUBLE',
  text: 'VARCHAR',
  binary: 'BLOB',
  bits: 'BIT',
  date: 'DATE',
  time: 'TIME',
  timeNs: 'TIME_NS',
  timeZoned: 'TIME WITH TIME ZONE',
  timestampS: 'TIMESTAMP_S',
  timestampMs: 'TIMESTAMP_MS',
  timestamp: 'TIMESTAMP',
  timestampNs: 'TIMESTAMP_NS',
  timestampZoned: 'TIMESTAMP WITH TIME ZONE',
  interval: 'INTERVAL',
  uuid: 'UUID',
  json: 'JSON',
  variant: 'VARIANT',
  geometry: 'GEOMETRY',
  nothing: '"NULL"',
}

const meanings: ReadonlyMap<string, PortableName> = new Map([
  ...Object.entries(types).map(([meaning, name]) => [name, meaning as PortableName] as const),
  ['DECIMAL', 'decimal'],
])

const mostDigits = 38

export const portableTypes: PortableTypes = {
  meaning: name => meanings.get(name),
  types,
  decimal(width, scale) {
    // Only a text holds every digit of what is longer; whole numbers of 39 digits are those of 128 bits.
    if (width === 39 && scale === 0) return types.int128
    const isHeld = width !== undefined && width <= mostDigits && scale >= 0 && scale <= width
    return isHeld ? `DECIMAL(${width},${scale})` : types.text
  },
}
